// SPDX-License-Identifier: MIT
#include "trouble.h"

#include <flamelet/file.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>
#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#endif

#include "random.h"

namespace demo {
namespace {

constexpr double kUsualMs = 60;
constexpr double kMostMs = 10000;
constexpr uint64_t kMostFrames = 10000;
// Random ones begin when there is something to compare with, and leave frames without trouble between them.
constexpr uint64_t kFirstFrame = 60;
constexpr uint32_t kLeastApart = 8, kMostApart = 14;
constexpr uint32_t kTwoAtOnce = 8;  // one frame of so many

struct Cause {
  const char* name;
  TroubleKind kind;
  const char* what;
};
constexpr Cause kCauses[] = {
    {"slow-job", TroubleKind::kSlowJob, "one of the workers' jobs takes longer"},
    {"more-calls", TroubleKind::kMoreCalls, "a scope is called ten times as often at least, for MS"},
    {"lock", TroubleKind::kLock, "another thread holds a lock"},
    {"new-scope", TroubleKind::kNewScope, "work that no other frame has"},
    {"no-scope", TroubleKind::kNoScope, "the same, in no scope of its own"},
    {"gpu-pass", TroubleKind::kGpuPass, "a GPU pass draws the same again, for about MS"},
#ifdef __linux__
    {"preempted", TroubleKind::kPreempted, "other threads want the same core"},
#endif
    {"allocations", TroubleKind::kAllocations, "a storm of allocations outside of any scope"},
    {"carried-over", TroubleKind::kCarriedOver, "the frame needs work that began frames ago"},
    {"page-faults", TroubleKind::kPageFaults, "a scope touches memory for the first time"},
    {"stall", TroubleKind::kStall, "a scope reads what comes late, as from a disk"},
    {"convoy", TroubleKind::kConvoy, "three threads hold a lock in turn"},
    {"read", TroubleKind::kRead, "a call that reads a file blocks"},
};

const Cause* cause_of(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(kCauses), std::end(kCauses), [&](const Cause& cause) { return name == cause.name; });
  return found == std::end(kCauses) ? nullptr : found;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string parse_ms(const std::string& text, double* ms) {
  const bool is_plain = !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
  const char* const all = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), all, *ms);
  if (!is_plain || error != std::errc() || end != all || !(*ms > 0) || *ms > kMostMs)
    return "\"" + text + "\" is no time in milliseconds, above 0 and up to 10000";
  return "";
}

TroubleKind any_kind(Random& random) {
  return kCauses[random.below(static_cast<uint32_t>(std::size(kCauses)))].kind;
}

void add_random(uint64_t seed, uint64_t count, double ms, std::vector<Trouble>* troubles) {
  Random random(seed);
  uint64_t frame = kFirstFrame;
  for (uint64_t i = 0; i < count; ++i) {
    const TroubleKind kind = any_kind(random);
    troubles->push_back({kind, frame, ms});
    if (random.below(kTwoAtOnce) == 0) {
      TroubleKind other = kind;
      while (other == kind) other = any_kind(random);
      troubles->push_back({other, frame, ms});
    }
    frame += kLeastApart + random.below(kMostApart - kLeastApart + 1);
  }
}

}  // namespace

std::string parse_troubles(const std::string& text, std::vector<Trouble>* troubles) {
  const size_t at = text.find('@');
  if (at == std::string::npos) return "\"" + text + "\" is no CAUSE@FRAME[:MS]";
  const std::string name = text.substr(0, at);
  const bool is_random = name == "random";
  const Cause* const cause = cause_of(name);
  if (!cause && !is_random) return "there is no cause \"" + name + "\"";

  std::vector<std::string> parts(1);
  for (const char c : text.substr(at + 1)) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  const size_t needed = is_random ? 2 : 1;
  if (parts.size() < needed || parts.size() > needed + 1)
    return "\"" + text + "\" is no " + (is_random ? "random@SEED:COUNT[:MS]" : "CAUSE@FRAME[:MS]");
  for (size_t i = 0; i < needed; ++i)
    if (!is_number(parts[i])) return "\"" + parts[i] + "\" in \"" + text + "\" is no number";
  double ms = kUsualMs;
  if (parts.size() > needed) {
    const std::string wrong = parse_ms(parts[needed], &ms);
    if (!wrong.empty()) return wrong;
  }
  if (is_random) {
    const uint64_t count = std::stoull(parts[1]);
    if (count == 0 || count > kMostFrames) return "COUNT in \"" + text + "\" is to be 1 to 10000";
    add_random(std::stoull(parts[0]), count, ms, troubles);
    return "";
  }
  const uint64_t frame = std::stoull(parts[0]);
  if (frame == 0) return "frame 0 in \"" + text + "\" is the start of the game; the first one is 1";
  troubles->push_back({cause->kind, frame, ms});
  return "";
}

std::string text_of(const Trouble& trouble) {
  const auto* const cause = std::find_if(std::begin(kCauses), std::end(kCauses),
                                         [&](const Cause& known) { return known.kind == trouble.kind; });
  char ms[32];
  const char* const end = std::to_chars(ms, ms + sizeof ms, trouble.ms, std::chars_format::general, 6).ptr;
  return std::string(cause->name) + "@" + std::to_string(trouble.frame) + ":" +
         std::string(ms, static_cast<size_t>(end - ms));
}

std::string trouble_help() {
  std::string help;
  for (const Cause& cause : kCauses) {
    std::string name = cause.name;
    name.resize(14, ' ');
    help += "\n  " + name + cause.what;
  }
  return help;
}

double Troubles::ms(TroubleKind kind, uint64_t frame) const {
  double sum = 0;
  for (const Trouble& trouble : troubles_)
    if (trouble.kind == kind && trouble.frame == frame) sum += trouble.ms;
  return sum;
}

bool Troubles::has(TroubleKind kind) const {
  return std::any_of(troubles_.begin(), troubles_.end(),
                     [kind](const Trouble& trouble) { return trouble.kind == kind; });
}

// ---- ways to lose time

namespace {

// How long the calling thread has run, so that work takes no less than it should where other programs run, too.
double worked_ms() {
#ifdef __linux__
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
#else
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
#endif
}

}  // namespace

Work::Work(double ms) : end_ms_(worked_ms() + ms) {}

bool Work::is_done() const {
  return worked_ms() >= end_ms_;
}

void be_busy(double ms) {
  const Work work(ms);
  while (!work.is_done()) {
  }
}

void allocate(double ms) {
  const Work work(ms);
  std::vector<std::unique_ptr<char[]>> held(512);
  for (size_t i = 0; !work.is_done(); ++i) {
    held[i % held.size()] = std::make_unique<char[]>(16 + i * 7919 % 4096);
  }
}

void stall(double ms) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

void read_slowly(double ms) {
  std::FILE* const file = std::tmpfile();
  char bytes[4096] = {};
  if (file != nullptr) {
    std::fwrite(bytes, 1, sizeof bytes, file);
    std::rewind(file);
  }
  const flamelet_file_call call = flamelet_file_begin();
  if (file != nullptr && std::fread(bytes, 1, sizeof bytes, file) != sizeof bytes) std::rewind(file);
  stall(ms);  // as the disk does
  flamelet_file_end(call, FLAMELET_FILE_READ, "town.pak", FLAMELET_FILE_LEAST_NS);
  if (file != nullptr) std::fclose(file);
}

#ifdef __linux__
// The allocator would soon give the same memory again.
void touch_new_pages(double ms) {
  const Work work(ms);
  constexpr size_t kBytes = size_t{8} << 20;
  while (!work.is_done()) {
    void* const block = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return be_busy(ms);
    madvise(block, kBytes, MADV_NOHUGEPAGE);
    volatile char* const pages = static_cast<volatile char*>(block);
    for (size_t i = 0; i < kBytes && !work.is_done(); i += 4096) pages[i] = 1;
    munmap(block, kBytes);
  }
}

void share_core(double ms) {
  cpu_set_t before, core;
  const int number = sched_getcpu();
  if (number < 0 || pthread_getaffinity_np(pthread_self(), sizeof before, &before) != 0) return be_busy(ms);
  CPU_ZERO(&core);
  CPU_SET(static_cast<size_t>(number), &core);
  pthread_setaffinity_np(pthread_self(), sizeof core, &core);  // which the threads inherit
  constexpr int kOthers = 9;
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (int i = 0; i < kOthers; ++i)
    others.emplace_back([&done] {
      while (!done) {
      }
    });
  // Each gets its turn.
  be_busy(ms / (kOthers + 1));
  done = true;
  pthread_setaffinity_np(pthread_self(), sizeof before, &before);
  for (std::thread& other : others) other.join();
}
#else
void touch_new_pages(double ms) {
  be_busy(ms);
}
void share_core(double ms) {
  be_busy(ms);
}
#endif

Errand::Errand(std::function<std::function<void()>()> prepare)
    : thread_([this, prepare = std::move(prepare)] {
        const std::function<void()> rest = prepare();
        prepared_.set_value();
        has_gone_.wait();
        rest();
      }) {}

Errand::~Errand() {
  go();
  thread_.join();
}

void Errand::wait_until_prepared() {
  is_prepared_.wait();
}

void Errand::go() {
  if (!std::exchange(gone_, true)) go_.set_value();
}

}  // namespace demo
