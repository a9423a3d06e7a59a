#include "sys/growing_file.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace pedro {
namespace {

void append(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

}  // namespace

TEST_CASE("growing file: returns text added since the last read, and nothing twice") {
  const TempFolder folder;
  const std::string path = folder.write("log", "one\ntw");
  auto file = GrowingFile::open(path);
  REQUIRE(file.ok());
  CHECK(*file->read_new() == "one\ntw");
  CHECK(file->read_new()->empty());
  append(path, "o\n");
  CHECK(*file->read_new() == "o\n");
  CHECK_FALSE(file->removed());
  std::filesystem::remove(path);
  CHECK(file->removed());
  CHECK(file->read_new()->empty());
}

TEST_CASE("growing file: a large part comes in pieces of a megabyte") {
  const TempFolder folder;
  auto file = GrowingFile::open(folder.write("log", std::string((1 << 20) + 1, 'x')));
  REQUIRE(file.ok());
  CHECK(file->read_new()->size() == 1 << 20);
  CHECK(*file->read_new() == "x");
}

TEST_CASE("growing file: a missing file or a folder is an error") {
  const TempFolder folder;
  const auto missing = GrowingFile::open(folder.at("x"));
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message == folder.at("x") + ": No such file or directory");
  const auto is_folder = GrowingFile::open(folder.path());
  REQUIRE_FALSE(is_folder.ok());
  CHECK(is_folder.error().message == folder.path() + ": Is a directory");
}

}  // namespace pedro
