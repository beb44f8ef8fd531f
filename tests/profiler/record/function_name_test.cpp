// SPDX-License-Identifier: MIT
#include "record/names.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace {

std::string name_of(const char* pretty) {
  const flamelet::FunctionName name = flamelet::parse_function_name(pretty);
  return std::string(name.name, name.name_size);
}
std::string full_of(const char* pretty) {
  const flamelet::FunctionName name = flamelet::parse_function_name(pretty);
  return std::string(name.full, name.full_size);
}
std::string given(const char* text) {
  const flamelet::FunctionName name = flamelet::parse_given_name(text);
  CHECK(std::string(name.full, name.full_size) == text);
  return std::string(name.name, name.name_size);
}

}  // namespace

TEST_CASE("function name: return type, parameters and qualifiers are cut off") {
  CHECK(name_of("int main(int, char**)") == "main");
  CHECK(name_of("void physics::World::step(float) const") == "physics::World::step");
  CHECK(name_of("const std::vector<int>& a::b::c()") == "a::b::c");
  CHECK(name_of("static unsigned int f(unsigned int)") == "f");
  CHECK(name_of("char* text(const char*)") == "text");
  CHECK(name_of("T&& forward(T&&) [with T = int]") == "forward");
}

TEST_CASE("function name: what C calls a function is left as it is") {
  CHECK(name_of("main") == "main");
  CHECK(full_of("update_world") == "update_world");
}

TEST_CASE("function name: template arguments stay with the name, whatever is in them") {
  CHECK(name_of("virtual bool a::b<int>::Proc(std::map<int, char[3]>)") == "a::b<int>::Proc");
  CHECK(name_of("void pool<T, N>::run(F) [with F = void (*)(int); T = long unsigned int; unsigned int N = 4]") ==
        "pool<T, N>::run");
  CHECK(name_of("void f(const std::function<void(int)>&)") == "f");
}

TEST_CASE("function name: an anonymous namespace is part of the name, and not a parameter list") {
  CHECK(name_of("void {anonymous}::hidden(int)") == "{anonymous}::hidden");                      // g++
  CHECK(name_of("void (anonymous namespace)::hidden(int)") == "(anonymous namespace)::hidden");  // clang++
  CHECK(name_of("int a::(anonymous namespace)::b::c()") == "a::(anonymous namespace)::b::c");
}

TEST_CASE("function name: constructors, destructors and operators keep theirs") {
  CHECK(name_of("game::World::World(int)") == "game::World::World");
  CHECK(name_of("virtual game::World::~World()") == "game::World::~World");
  CHECK(name_of("void functor::operator()(int) const") == "functor::operator()");
  CHECK(name_of("bool operator<(const A&, const A&)") == "operator<");
  CHECK(name_of("A& A::operator>>=(int)") == "A::operator>>=");
  CHECK(name_of("int& list::operator[](size_t)") == "list::operator[]");
  CHECK(name_of("A* A::operator->()") == "A::operator->");
  CHECK(name_of("void* A::operator new(size_t)") == "A::operator new");
  CHECK(name_of("A::operator bool() const") == "A::operator bool");
  CHECK(name_of("void operatorless(int)") == "operatorless");
}

TEST_CASE("function name: the lambda that a macro adds is cut off") {
  CHECK(full_of("void World::step(float)::<lambda()>") == "void World::step(float)");                        // g++
  CHECK(full_of("auto World::step(float)::(anonymous class)::operator()() const") == "World::step(float)");  // clang++
  CHECK(full_of("auto f(int)::(lambda at file.cpp:1:2)::operator()() const") == "f(int)");
  CHECK(name_of("void World::step(float)::<lambda()>") == "World::step");
  CHECK(name_of("auto World::step(float)::(anonymous class)::operator()() const") == "World::step");
}

TEST_CASE("function name: a scope inside a lambda of the user's is named after that") {
  CHECK(full_of("main()::<lambda(int)>::<lambda()>") == "main()::<lambda(int)>");
  CHECK(name_of("main()::<lambda(int)>::<lambda()>") == "main()::<lambda(int)>");
  CHECK(name_of("void a::f(T)::<lambda(int)>::<lambda()> [with T = int]") == "a::f(T)::<lambda(int)>");
  CHECK(name_of("auto main()::(anonymous class)::operator()(int) const::(anonymous class)::operator()() const") ==
        "main()::(anonymous class)::operator()");
  CHECK(
      name_of("auto main()::(lambda at a.cpp:1:2)::operator()(int) const::(lambda at a.cpp:3:4)::operator()() const") ==
      "main()::(lambda at a.cpp:1:2)::operator()");
}

TEST_CASE("function name: a function of a class inside a function is named with both") {
  CHECK(name_of("void a::f(int) const::Local::run(char)") == "a::f(int) const::Local::run");
  CHECK(name_of("int f()::Local::operator()(int)") == "f()::Local::operator()");
  CHECK(name_of("void f()::Local::g()::Inner::h(int)") == "f()::Local::g()::Inner::h");
}

TEST_CASE("function name: trailing and deduced return types are cut off") {
  CHECK(name_of("auto a::f(int) -> std::vector<int>") == "a::f");
  CHECK(name_of("decltype(auto) f(int)") == "f");
  CHECK(name_of("decltype (a.b()) a::f(int)") == "a::f");
  CHECK(name_of("void f(T) requires Number<T> [with T = int]") == "f");
}

TEST_CASE("function name: what MSVC calls a function is understood") {
  CHECK(name_of("void __cdecl game::World::step(float)") == "game::World::step");
  CHECK(name_of("class std::vector<int,class std::allocator<int> > __cdecl a::b(void)") == "a::b");
  CHECK(name_of("__cdecl game::World::World(int)") == "game::World::World");
  CHECK(name_of("void __cdecl `anonymous-namespace'::hidden(int)") == "`anonymous-namespace'::hidden");
  CHECK(name_of("int __cdecl functor::operator ()(int) const") == "functor::operator ()");
  CHECK(name_of("bool __cdecl operator <(const struct A &,const struct A &)") == "operator <");
  CHECK(name_of("auto __cdecl main::<lambda_1>::operator ()(void) const") == "main::<lambda_1>::operator ()");
  CHECK(given("void __cdecl game::World::step(float)") == "game::World::step");
  CHECK(given("struct Mesh *__cdecl load(int)") == "struct Mesh *__cdecl load(int)");  // no "::" and no type: not sure
}

TEST_CASE("function name: nonsense is left as it is, and read within its bounds") {
  CHECK(name_of("") == "");
  CHECK(name_of("(") == "(");
  CHECK(name_of(")))") == ")))");
  CHECK(name_of("<<<<") == "<<<<");
  CHECK(name_of("operator") == "operator");
  CHECK(name_of("operator(") == "operator");
  CHECK(name_of("::<lambda") == "::<lambda");
  CHECK(name_of("::<lambda()>") == "");
  CHECK(name_of(" ") == " ");
  CHECK(name_of("a ") == "a ");
  CHECK(name_of("***") == "***");
}

namespace names {
struct Thing {
  template <class T>
  const char* method(T) const {
    return __PRETTY_FUNCTION__;
  }
  const char* operator()(int) const { return __PRETTY_FUNCTION__; }
  Thing() : made(__PRETTY_FUNCTION__) {}
  explicit operator bool() const {
    asked = __PRETTY_FUNCTION__;
    return true;
  }
  bool operator<(const Thing&) const {
    asked = __PRETTY_FUNCTION__;
    return false;
  }
  auto trailing(int) const -> const char* { return __PRETTY_FUNCTION__; }
  decltype(auto) deduced(int) const {
    asked = __PRETTY_FUNCTION__;
    return (asked);
  }
  const char* made;
  static const char* asked;
};
const char* Thing::asked = nullptr;
namespace {
const char* hidden(int) {
  return __PRETTY_FUNCTION__;
}
}  // namespace
static const char* of_local_class(int) {
  struct Local {
    static const char* run(char) { return __PRETTY_FUNCTION__; }
  };
  return Local::run('x');
}
static const char* free_function(const std::map<int, int>&) {
  return __PRETTY_FUNCTION__;
}
}  // namespace names

TEST_CASE("function name: what this compiler says is understood") {
  CHECK(name_of(names::free_function({})) == "names::free_function");
  CHECK(name_of(names::Thing().method(1)) == "names::Thing::method");
  CHECK(name_of(names::Thing()(1)) == "names::Thing::operator()");
  CHECK(name_of(names::Thing().made) == "names::Thing::Thing");
  CHECK(name_of(names::Thing().trailing(1)) == "names::Thing::trailing");
  CHECK(static_cast<bool>(names::Thing()));
  CHECK(name_of(names::Thing::asked) == "names::Thing::operator bool");
  CHECK_FALSE(names::Thing() < names::Thing());
  CHECK(name_of(names::Thing::asked) == "names::Thing::operator<");
  CHECK(name_of(names::Thing().deduced(1)) == "names::Thing::deduced");
  const std::string hidden = name_of(names::hidden(1));
  CHECK((hidden == "names::{anonymous}::hidden" || hidden == "names::(anonymous namespace)::hidden"));
  const std::string local = name_of(names::of_local_class(1));
  CHECK(local.find("of_local_class(int)::Local::run") != std::string::npos);
  CHECK(local.find("char") == std::string::npos);
}

TEST_CASE("function name: a signature that was given as a name is shortened like a macro's function") {
  CHECK(given("void physics::World::step(float) const") == "physics::World::step");
  CHECK(given("virtual bool a::b<int>::Proc(std::map<int, char[3]>)") == "a::b<int>::Proc");
  CHECK(given("int add(int, int)") == "add");
  CHECK(given("const char* text(const char*)") == "text");
  CHECK(given("Mesh* load(int)") == "load");
  CHECK(given("game::World::World(int)") == "game::World::World");
  CHECK(given("void pool<T, N>::run(F) [with F = void (*)(int); unsigned int N = 4]") == "pool<T, N>::run");
  CHECK(given("T max(T, T) [with T = int]") == "T max(T, T) [with T = int]");  // T may be a word: not sure
  CHECK(given("bool operator<(const A&, const A&)") == "operator<");
  CHECK(given("void f() noexcept") == "f");
  CHECK(given("auto a::f(int) -> std::vector<int>") == "a::f");
  CHECK(given("void a::f(T) && requires Number<T>") == "a::f");
  CHECK(given("void a::f(int) const::Local::run(char)") == "a::f(int) const::Local::run");
  CHECK(given("A::operator bool() const") == "A::operator bool");
  CHECK(given("void (anonymous namespace)::hidden(int)") == "(anonymous namespace)::hidden");
}

TEST_CASE("function name: a name that is no signature stays as it was given") {
  for (const char* label : {"", "step", "wait (for the GPU)", "load(desert)", "load level(desert)", "draw (3 of 4)",
                            "a::b", "Physics::step", "f(", "f(()", "f(int) and g(int)", "void f(int) and more", "()",
                            "(anonymous)", "::", "100 % (cpu)", "int main", "std::sort (parallel)"}) {
    CAPTURE(label);
    CHECK(given(label) == label);
  }
}
