# SPDX-License-Identifier: MIT
#
# cmake -D FROM=font.ttf -D NAME=flamelet_font -D TO=font.cpp -P embed_file.cmake: the bytes of a file as a string literal,
# which compiles faster than numbers.
file(READ "${FROM}" bytes HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
string(REGEX REPLACE "(................................................................)" "\\1\"\n\"" bytes "${bytes}")
file(WRITE "${TO}" "extern \"C\" const char ${NAME}[];\nextern const char ${NAME}[] =\n\"${bytes}\";\n")
