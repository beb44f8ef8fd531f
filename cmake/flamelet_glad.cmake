# SPDX-License-Identifier: MIT
#
# Target `flamelet_glad`: the OpenGL loader of the demo, glad 2, used as <glad/gl.h>. First match wins: an existing
# target `glad`; FLAMELET_GLAD_DIR, a folder with include/glad/gl.h (and src/gl.c unless it is header-only);
# else the `glad` generator writes one header into the build tree. Nothing generated is kept in the repository.
#
# In exactly one source file the header-only form needs GLAD_GL_IMPLEMENTATION before the include; that macro is
# harmless with the other forms, whose header does not look at it.

if(TARGET flamelet_glad)
  return()
endif()

add_library(flamelet_glad INTERFACE)
if(TARGET glad)
  target_link_libraries(flamelet_glad INTERFACE glad)
elseif(FLAMELET_GLAD_DIR)
  if(NOT EXISTS ${FLAMELET_GLAD_DIR}/include/glad/gl.h)
    message(FATAL_ERROR "FLAMELET_GLAD_DIR is '${FLAMELET_GLAD_DIR}', which has no include/glad/gl.h (glad 2).")
  endif()
  target_include_directories(flamelet_glad SYSTEM INTERFACE ${FLAMELET_GLAD_DIR}/include)
  if(EXISTS ${FLAMELET_GLAD_DIR}/src/gl.c)
    add_library(flamelet_glad_source STATIC ${FLAMELET_GLAD_DIR}/src/gl.c)
    target_include_directories(flamelet_glad_source SYSTEM PUBLIC ${FLAMELET_GLAD_DIR}/include)
    target_link_libraries(flamelet_glad INTERFACE flamelet_glad_source ${CMAKE_DL_LIBS})
  endif()
else()
  find_program(FLAMELET_GLAD_GENERATOR glad)
  mark_as_advanced(FLAMELET_GLAD_GENERATOR)
  if(NOT FLAMELET_GLAD_GENERATOR)
    message(FATAL_ERROR "glad 2, the OpenGL loader generator, was not found. Set FLAMELET_GLAD_DIR to a generated "
      "loader, or install the generator (Debian, Ubuntu: apt-get install python3-glad).")
  endif()
  set(glad_dir ${PROJECT_BINARY_DIR}/glad)
  # --reproducible takes the specification from the package instead of the network.
  add_custom_command(OUTPUT ${glad_dir}/include/glad/gl.h
    COMMAND ${FLAMELET_GLAD_GENERATOR} --api gl:core=3.3 --extensions GL_KHR_debug,GL_ARB_timer_query
      --reproducible --quiet --out-path ${glad_dir} c --header-only --loader
    COMMENT "Generating the OpenGL loader" VERBATIM)
  add_custom_target(flamelet_glad_header DEPENDS ${glad_dir}/include/glad/gl.h)
  add_dependencies(flamelet_glad flamelet_glad_header)
  target_include_directories(flamelet_glad SYSTEM INTERFACE ${glad_dir}/include)
  target_link_libraries(flamelet_glad INTERFACE ${CMAKE_DL_LIBS})
endif()
