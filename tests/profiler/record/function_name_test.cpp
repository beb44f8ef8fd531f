// SPDX-License-Identifier: MIT
#include "record/function_name.h"

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
  const std::string name = name_of("main()::<lambda(int)>::<lambda()>");
  CHECK(name.find("main") == 0);
  CHECK(full_of("main()::<lambda(int)>::<lambda()>") == "main()::<lambda(int)>");
}

TEST_CASE("function name: nonsense is left as it is, and read within its bounds") {
  CHECK(name_of("") == "");
  CHECK(name_of("(") == "(");
  CHECK(name_of(")))") == ")))");
  CHECK(name_of("<<<<") == "<<<<");
  CHECK(name_of("operator") == "operator");
  CHECK(name_of("operator(") == "operator");
  CHECK(name_of("::<lambda") == "");
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
};
static const char* free_function(const std::map<int, int>&) {
  return __PRETTY_FUNCTION__;
}
}  // namespace names

TEST_CASE("function name: what this compiler says is understood") {
  CHECK(name_of(names::free_function({})) == "names::free_function");
  CHECK(name_of(names::Thing().method(1)) == "names::Thing::method");
  CHECK(name_of(names::Thing()(1)) == "names::Thing::operator()");
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
}

TEST_CASE("function name: a name that is no signature stays as it was given") {
  for (const char* label : {"", "step", "wait (for the GPU)", "load(desert)", "load level(desert)", "draw (3 of 4)",
                            "a::b", "Physics::step", "f(", "f(()", "f(int) and g(int)", "void f(int) and more", "()",
                            "(anonymous)", "::", "100 % (cpu)", "int main", "std::sort (parallel)"}) {
    CAPTURE(label);
    CHECK(given(label) == label);
  }
}
