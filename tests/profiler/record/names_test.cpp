// SPDX-License-Identifier: MIT
//
// Text and sites become ids: the same for the same content, cut where it must be, and never lost without a count.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/names.h"
#include "record/session.h"
#include "support/guarded_page.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

std::string interned(const std::string& text) {
  const char* copy = flamelet_intern_bytes(text.data(), text.size());
  if (!flamelet::hold_session()) return "(no recorder)";
  const uint32_t id = flamelet::names.strings.id_of(copy);
  const std::string result = string_text(id);
  flamelet::release_session();
  return result;
}

// What the site of the newest event says.
flamelet::SiteRecord last_site() {
  flamelet::SiteRecord record = {};
  REQUIRE(flamelet::hold_session());
  CHECK(flamelet::get_site(flamelet::site_count() - 1, &record));
  flamelet::release_session();
  return record;
}
std::string text_of(uint32_t id) {
  REQUIRE(flamelet::hold_session());
  const std::string text = string_text(id);
  flamelet::release_session();
  return text;
}

}  // namespace

TEST_CASE_FIXTURE(Recording, "names: the same content has the same address, from anywhere") {
  const std::string a = "name", b = "name";
  const char* first = flamelet_intern(a.c_str());
  CHECK(first != a.c_str());
  CHECK(flamelet_intern(b.c_str()) == first);
  CHECK(flamelet_intern(first) == first);
  CHECK(flamelet_intern_bytes("name and more", 4) == first);
  const char* other = nullptr;
  std::thread([&other] { other = flamelet_intern("name"); }).join();
  CHECK(other == first);
}

TEST_CASE_FIXTURE(Recording, "names: NULL, nothing, and any bytes are names") {
  CHECK(std::strcmp(flamelet_intern(nullptr), "(null)") == 0);
  CHECK(flamelet_intern(nullptr) == flamelet_intern("(null)"));
  CHECK(flamelet_intern_bytes(nullptr, 5) == flamelet_intern(nullptr));
  CHECK(std::strcmp(flamelet_intern(""), "") == 0);
  CHECK(flamelet_intern_bytes("x", 0) == flamelet_intern(""));
  CHECK(interned(std::string("a\0b", 3)) == std::string("a\0b", 3));
  CHECK(interned("\xFF\xFE\x80") == "\xFF\xFE\x80");
  CHECK(interned("%s%n/../\"\n") == "%s%n/../\"\n");
}

TEST_CASE("names: 65,535 bytes are kept; more are cut where a character of UTF-8 ends") {
  Recording recording(with_pages(with(small_config(), &flamelet_config::string_bytes, 1 << 20), 64));
  const std::string longest(65535, 'x');
  CHECK(interned(longest) == longest);
  CHECK(interned(longest + "y") == longest);
  CHECK(flamelet_intern((longest + "y").c_str()) == longest);
  for (const std::string character : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (size_t before = 0; before < character.size(); ++before) {
      // The character begins so that its last byte is the first one too many, and so on.
      const std::string kept(65535 - before, 'a');
      CHECK(interned(kept + character + "tail") == kept);
    }
    const std::string whole(65535 - character.size(), 'a');
    CHECK(interned(whole + character + "tail") == whole + character);
  }
  // No character is longer than four bytes: what only looks like a continuation loses three at most.
  CHECK(interned(std::string(70000, '\x80')).size() >= 65532);
}

TEST_CASE_FIXTURE(Recording, "names: a macro's site has name, category, file, function, line and colour") {
  { FLAMELET_SCOPE_COLOR("coloured", 0x123456); }
  const uint32_t line = __LINE__ - 1;
  const flamelet::SiteRecord site = last_site();
  CHECK(text_of(site.name) == "coloured");
  CHECK(text_of(site.category) == "");
  CHECK(text_of(site.file) == __FILE__);
  CHECK(site.line == line);
  CHECK(site.color == 0x123456);
  CHECK(text_of(site.function).find("lambda") == std::string::npos);
}

namespace naming {
template <class T>
struct Thing {
  void method(T) { FLAMELET_FUNCTION(); }
};
static void in_lambda() {
  const auto work = [](int) { FLAMELET_FUNCTION(); };
  work(1);
}
}  // namespace naming

TEST_CASE_FIXTURE(Recording, "names: a function scope is named as people call the function") {
  naming::Thing<int>().method(1);
  CHECK(text_of(last_site().name).find("naming::Thing<") == 0);
  CHECK(text_of(last_site().name).find("::method") != std::string::npos);
  CHECK(text_of(last_site().name).find("(") == std::string::npos);
  naming::in_lambda();
  CHECK(text_of(last_site().function).find("naming::in_lambda") != std::string::npos);
}

TEST_CASE_FIXTURE(LoggedRecording, "names: a site that is written by hand may leave everything out") {
  static flamelet_site site = {};
  flamelet_scope_end_(flamelet_scope_begin_(&site));
  CHECK(own_events(&log) == "+ -");
}

TEST_CASE("names: a site registers anew in each session") {
  for (int session = 0; session < 3; ++session) {
    Recording recording;
    EventLog log;
    if (session == 1) flamelet_instant("takes the id that the site had before", "", nullptr);
    { FLAMELET_SCOPE("again"); }
    CHECK(own_events(&log).find("+again -") != std::string::npos);
  }
}

TEST_CASE("names: threads that meet on new names and sites agree") {
  constexpr uint32_t kThreads = 4, kNames = 200;
  flamelet_config config = small_config();
  Recording recording(config);
  std::vector<std::vector<const char*>> copies(kThreads);
  on_threads(kThreads, [&copies](uint32_t t) {
    for (uint32_t i = 0; i < kNames; ++i) {
      const std::string name = "name " + std::to_string(i);
      copies[t].push_back(flamelet_intern(name.c_str()));
      flamelet_end(flamelet_begin(copies[t].back(), "category", nullptr));
      FLAMELET_SCOPE("shared by all");
    }
  });
  EventReader reader;
  CHECK(reader.read_problem() == "");
  for (uint32_t t = 1; t < kThreads; ++t) CHECK(copies[t] == copies[0]);
  REQUIRE(flamelet::hold_session());
  std::vector<std::string> names;
  for (uint32_t i = 0; i < flamelet::site_count(); ++i) {
    flamelet::SiteRecord site;
    REQUIRE(flamelet::get_site(i, &site));
    names.push_back(string_text(site.name));
  }
  flamelet::release_session();
  for (uint32_t i = 0; i < kNames; ++i)
    CHECK(std::find(names.begin(), names.end(), "name " + std::to_string(i)) != names.end());
}

TEST_CASE("names: more names by call than the table of addresses has places are still right") {
  flamelet_config config = small_config(500);
  config.max_sites = 4000;
  config.max_strings = 5000;
  keep_pages(&config, 500);
  Recording recording(config);
  EventLog log;
  std::vector<std::string> names;
  for (int i = 0; i < 9000; ++i) names.push_back("name " + std::to_string(i % 2900));
  std::string expected;
  for (int round = 0; round < 2; ++round)
    for (const std::string& name : names) {
      flamelet_instant(name.c_str(), "", nullptr);
      expected += " !" + name;
    }
  CHECK(" " + own_events(&log) == expected);
  CHECK(stats().sites_used == 2900 + 1);
  // A name without a place does not have to look far.
  const uint64_t places = flamelet::names.pointer_mask / sizeof(flamelet::PointerSite) + 1;
  uint64_t taken = 0;
  for (uint64_t i = 0; i < places; ++i)
    taken += flamelet::names.pointer_sites[i].code.load_relaxed() != flamelet::kPlaceFree;
  CHECK(taken <= places / 2);
}

TEST_CASE(
    "names: a name of any length by call is known again, and any change of it is seen, also at the end of memory") {
  const GuardedPage page;
  flamelet_config config = small_config();
  config.max_strings = 4096;
  config.string_bytes = size_t{1} << 20;
  config.max_sites = 4096;
  keep_pages(&config, 64);
  Recording recording(config);
  EventLog log;
  std::string expected;
  const auto record = [&expected](const char* name) {
    for (int i = 0; i < 2; ++i) {
      flamelet_end(flamelet_begin(name, "category", nullptr));
      expected += std::string(expected.empty() ? "+" : " +") + name + " -";
    }
  };
  alignas(4096) static char pages[2 * 4096];
  for (size_t size = 0; size <= 300; size += size == 200 ? 100 : 1) {
    // At the end of the page, with room behind it, and over the end of one.
    for (char* name : {page.end() - size - 1, page.begin() + 64, pages + 4096 - size / 2}) {
      std::memset(name, 'a', size);
      name[size] = 0;
      record(name);
      if (size == 0) continue;
      for (size_t at : {size_t{0}, size / 2, size - 1}) {
        name[at] = 'b';
        record(name);
        name[at] = 'a';
        record(name);
      }
      name[size / 2] = 0;  // shorter
      record(name);
    }
  }
  CHECK(own_events(&log) == expected);
}

// ---- Function name ------------------------------------------------------------------------------------------------

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

TEST_CASE("function name: a pretty name is shortened to what people call the function, and nonsense left as it is") {
  const std::pair<const char*, const char*> names[] = {
      // Return type, parameters and qualifiers are cut off.
      {"int main(int, char**)", "main"},
      {"void physics::World::step(float) const", "physics::World::step"},
      {"const std::vector<int>& a::b::c()", "a::b::c"},
      {"static unsigned int f(unsigned int)", "f"},
      {"char* text(const char*)", "text"},
      {"T&& forward(T&&) [with T = int]", "forward"},
      // Template arguments stay with the name, whatever is in them.
      {"virtual bool a::b<int>::Proc(std::map<int, char[3]>)", "a::b<int>::Proc"},
      {"void pool<T, N>::run(F) [with F = void (*)(int); T = long unsigned int; unsigned int N = 4]",
       "pool<T, N>::run"},
      {"void f(const std::function<void(int)>&)", "f"},
      // An anonymous namespace is part of the name, and not a parameter list.
      {"void {anonymous}::hidden(int)", "{anonymous}::hidden"},
      {"void (anonymous namespace)::hidden(int)", "(anonymous namespace)::hidden"},
      {"int a::(anonymous namespace)::b::c()", "a::(anonymous namespace)::b::c"},
      // Constructors, destructors and operators keep theirs.
      {"game::World::World(int)", "game::World::World"},
      {"virtual game::World::~World()", "game::World::~World"},
      {"void functor::operator()(int) const", "functor::operator()"},
      {"bool operator<(const A&, const A&)", "operator<"},
      {"A& A::operator>>=(int)", "A::operator>>="},
      {"int& list::operator[](size_t)", "list::operator[]"},
      {"A* A::operator->()", "A::operator->"},
      {"void* A::operator new(size_t)", "A::operator new"},
      {"A::operator bool() const", "A::operator bool"},
      {"void operatorless(int)", "operatorless"},
      // Where no macro has added one, the user's lambda stays.
      {"work()::<lambda(int)>", "work()::<lambda(int)>"},
      {"a::f(T)::<lambda(auto:1)> [with auto:1 = int; T = char]", "a::f(T)::<lambda(auto:1)>"},
      {"auto work()::(anonymous class)::operator()(int) const", "work()::(anonymous class)::operator()"},
      // A function of a class inside a function is named with both.
      {"void a::f(int) const::Local::run(char)", "a::f(int) const::Local::run"},
      {"int f()::Local::operator()(int)", "f()::Local::operator()"},
      {"void f()::Local::g()::Inner::h(int)", "f()::Local::g()::Inner::h"},
      // Trailing and deduced return types are cut off.
      {"auto a::f(int) -> std::vector<int>", "a::f"},
      {"decltype(auto) f(int)", "f"},
      {"decltype (a.b()) a::f(int)", "a::f"},
      {"void f(T) requires Number<T> [with T = int]", "f"},
      // Nonsense is left as it is, and read within its bounds.
      {"", ""},
      {"(", "("},
      {")))", ")))"},
      {"<<<<", "<<<<"},
      {"operator", "operator"},
      {"operator(", "operator"},
      {"::<lambda", "::<lambda"},
      {"::<lambda(flamelet::SiteLambda)>", ""},
      {"flamelet::SiteLambda)", "flamelet::SiteLambda)"},
      {" ", " "},
      {"a ", "a "},
      {"***", "***"},
  };
  for (const auto& [pretty, name] : names) CHECK(name_of(pretty) == name);
}

TEST_CASE("function name: what C calls a function is left as it is") {
  CHECK(name_of("main") == "main");
  CHECK(full_of("update_world") == "update_world");
}

TEST_CASE("function name: the lambda that a macro adds is cut off") {
  CHECK(full_of("void World::step(float)::<lambda(flamelet::SiteLambda)>") == "void World::step(float)");
  CHECK(full_of("World<int>::step(float)::<lambda(flamelet::SiteLambda)>") == "World<int>::step(float)");
  CHECK(name_of("void World::step(float)::<lambda(flamelet::SiteLambda)>") == "World::step");
}

TEST_CASE("function name: a scope inside a lambda of the user's is named after that") {
  CHECK(full_of("main()::<lambda(int)>::<lambda(flamelet::SiteLambda)>") == "main()::<lambda(int)>");
  CHECK(name_of("main()::<lambda(int)>::<lambda(flamelet::SiteLambda)>") == "main()::<lambda(int)>");
  CHECK(name_of("void a::f(T)::<lambda(int)>::<lambda(flamelet::SiteLambda)> [with T = int]") ==
        "a::f(T)::<lambda(int)>");
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
