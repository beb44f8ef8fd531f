// SPDX-License-Identifier: MIT
#include "platform/file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.h"

namespace flamelet {
namespace {

std::string read_rest(File* file) {
  char bytes[100];
  const int64_t count = file->read_next(bytes, sizeof bytes);
  return count < 0 ? "failed" : std::string(bytes, static_cast<size_t>(count));
}

}  // namespace

TEST_CASE("file: a path is nothing, a file, a folder, or something else, also through a link") {
  const TemporaryFolder folder;
  const auto kind_of = [&](const char* name) { return kind_of_path(folder.file(name).c_str()); };
  std::ofstream(folder.file("file")) << "text";
  std::filesystem::create_symlink("file", folder.file("link"));
  std::filesystem::create_symlink("gone", folder.file("broken"));
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK(kind_of("file") == PathKind::kFile);
  CHECK(kind_of("link") == PathKind::kFile);
  CHECK(kind_of("broken") == PathKind::kNothing);
  CHECK(kind_of("gone") == PathKind::kNothing);
  CHECK(kind_of(".") == PathKind::kFolder);
  CHECK(kind_of("pipe") == PathKind::kOther);
  CHECK(kind_of_path("/dev/null") == PathKind::kOther);
}

TEST_CASE("file: what follows is read while the file grows, and from its begin after a rewind") {
  const TemporaryFolder folder;
  const std::string path = folder.file("log");
  std::ofstream(path) << "one";
  File file;
  REQUIRE(file.open(path.c_str(), FileUse::kReadStream));
  CHECK(read_rest(&file) == "one");
  CHECK(read_rest(&file) == "");
  std::ofstream(path, std::ios::app) << "two";
  CHECK(read_rest(&file) == "two");
  REQUIRE(file.rewind());
  CHECK(read_rest(&file) == "onetwo");
  CHECK_FALSE(file.is_removed());
  std::filesystem::remove(path);
  CHECK(file.is_removed());
}

TEST_CASE("file: only what is there is written to where nothing may be made") {
  const TemporaryFolder folder;
  File file;
  CHECK_FALSE(file.open(folder.file("new").c_str(), FileUse::kWriteThere));
  CHECK(errno == ENOENT);
  REQUIRE(file.open("/dev/full", FileUse::kWriteThere));
  CHECK_FALSE(file.write("x", 1));
  CHECK(errno == ENOSPC);
}

TEST_CASE("file: a new file takes no place of a device, a pipe or a folder") {
  const TemporaryFolder folder;
  const std::string fifo = folder.file("fifo"), full = folder.file("full");
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  std::filesystem::create_symlink("/dev/full", full);
  NewFile file;
  REQUIRE(file.open(fifo.c_str()));
  CHECK(file.write("x", 1));
  CHECK(file.commit());
  char byte = 0;
  CHECK(::read(reader, &byte, 1) == 1);
  close(reader);
  CHECK(byte == 'x');
  CHECK(std::filesystem::is_fifo(fifo));
  REQUIRE(file.open(full.c_str()));
  CHECK_FALSE(file.write("x", 1));
  CHECK(errno == ENOSPC);
  file.discard();
  CHECK(std::filesystem::is_symlink(full));
  CHECK_FALSE(file.open(folder.file("").c_str()));
  CHECK(errno == EISDIR);
}

TEST_CASE("file: a standard stream stays open when its second handle is closed") {
  for (const StandardStream stream : {StandardStream::kInput, StandardStream::kOutput, StandardStream::kError}) {
    File file;
    REQUIRE(file.open_standard(stream));
    CHECK(file.close());
  }
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) CHECK(fcntl(number, F_GETFD) != -1);
}

}  // namespace flamelet
