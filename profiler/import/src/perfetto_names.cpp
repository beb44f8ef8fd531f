// SPDX-License-Identifier: MIT
#include "perfetto_names.h"

namespace flamelet::formats::perfetto {

using protozero::data_view;
using protozero::pbf_reader;

void Names::Name::tell(std::string_view name, Source from) {
  if (name.empty() || from < source) return;
  source = from;
  name = whole_start(name, kMaxBytes);
  if (text != name) text = name;
}

void Names::tell_process(int64_t pid, std::string_view name, Source source) {
  if (processes_.size() < kMost || processes_.count(pid) != 0) processes_[pid].tell(name, source);
}

void Names::tell_thread(int64_t pid, int64_t tid, std::string_view name, Source source) {
  if (threads_.size() < kMost || threads_.count(tid) != 0) {
    Thread& thread = threads_[tid];
    if (pid != 0) thread.pid = pid;
    if (source < Source::kTrack) thread.name.tell(name, source);
  }
  const auto key = std::make_pair(pid, tid);
  if (source >= Source::kTrack && (of_processes_.size() < kMost || of_processes_.count(key) != 0))
    of_processes_[key].tell(name, source);
}

void Names::read_tree(data_view bytes) {
  for (pbf_reader tree(bytes); tree.next();) {
    int64_t pid = 0, tid = 0;
    data_view name;
    if (tree.tag_and_type() == length(process_tree::kProcess)) {
      for (pbf_reader reader(tree.get_view()); reader.next();) {
        if (reader.tag_and_type() == varint(process_tree::kProcessPid))
          pid = reader.get_int64();
        else if (reader.tag_and_type() == length(process_tree::kProcessCommandLine) && name.data() == nullptr)
          name = reader.get_view();
        else
          reader.skip();
      }
      tell_process(pid, view(name), Source::kCommand);
      tell_thread(pid, pid, "", Source::kTree);
    } else if (tree.tag_and_type() == length(process_tree::kThread)) {
      for (pbf_reader reader(tree.get_view()); reader.next();) {
        switch (reader.tag_and_type()) {
          case varint(process_tree::kThreadTid):
            tid = reader.get_int64();
            break;
          case length(process_tree::kThreadName):
            name = reader.get_view();
            break;
          case varint(process_tree::kThreadPid):
            pid = reader.get_int64();
            break;
          default:
            reader.skip();
        }
      }
      tell_thread(pid, tid, view(name), Source::kTree);
    } else {
      tree.skip();
    }
  }
}

int64_t Names::read_process(data_view bytes) {
  int64_t pid = 0;
  data_view name, command;
  for (pbf_reader reader(bytes); reader.next();) {
    if (reader.tag_and_type() == varint(process::kPid))
      pid = reader.get_int64();
    else if (reader.tag_and_type() == length(process::kName))
      name = reader.get_view();
    else if (reader.tag_and_type() == length(process::kCommandLine) && command.data() == nullptr)
      command = reader.get_view();
    else
      reader.skip();
  }
  tell_process(pid, view(command), Source::kCommand);
  tell_process(pid, view(name), Source::kDescriptor);
  return pid;
}

int64_t Names::pid_of(int64_t tid) const {
  const auto at = threads_.find(tid);
  return at != threads_.end() ? at->second.pid : 0;
}

std::string Names::process(int64_t pid) const {
  const auto at = processes_.find(pid);
  return at != processes_.end() && !at->second.text.empty() ? at->second.text : "process " + std::to_string(pid);
}

std::string Names::thread(int64_t pid, int64_t tid) const {
  const auto described = of_processes_.find({pid, tid});
  if (described != of_processes_.end() && !described->second.text.empty()) return described->second.text;
  const auto told = threads_.find(tid);
  if (told != threads_.end() && !told->second.name.text.empty()) return told->second.name.text;
  // A process's first thread: process trees name no such one.
  const auto process = processes_.find(tid);
  if (pid == tid && process != processes_.end() && !process->second.text.empty()) return process->second.text;
  return "thread " + std::to_string(tid);
}

}  // namespace flamelet::formats::perfetto
