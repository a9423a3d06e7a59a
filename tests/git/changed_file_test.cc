#include "git/changed_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "support/temp_folder.h"
#include "sys/file_system.h"

using namespace pedro;

namespace {

std::string shown(const std::vector<ChangedFile>& files) {
  std::string text;
  for (const ChangedFile& file : files) {
    text += "AMD"[static_cast<int>(file.kind)];
    text += (file.generated ? "* " : " ") + file.path + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("changed_file: git's list becomes one entry per path") {
  const auto files = parse_name_status("M\ta.txt\nD\tgone.txt\nA\t\"n\\nl\"\nT\tlink\n");
  REQUIRE(files.ok());
  CHECK(shown(*files) == "M a.txt\nD gone.txt\nA n\nl\nM link\n");
}

TEST_CASE("changed_file: a link is compared by its text, not its target") {
  TempFolder folder;
  const RealFileSystem files;
  std::set<std::uint64_t> seen;
  for (const char* target : {"missing", "missing2", "file", "./file"}) {
    std::filesystem::remove(folder.at("link"));
    std::filesystem::create_symlink(target, folder.at("link"));
    seen.insert(content_of(files, folder.at("link")).hash);
    folder.write("file", target);
    CHECK(seen.count(content_of(files, folder.at("link")).hash) == 1);
  }
  CHECK(seen.size() == 4);
}

TEST_CASE("changed_file: build output is distinguished from work") {
  std::vector<ChangedFile> files;
  const auto add = [&](const char* path, ChangeKind kind = ChangeKind::kAdded) {
    files.push_back({path, kind, 0, false});
  };
  add("src/new.cc");
  add("build/CMakeCache.txt");
  add("build/app");
  add("build/sub/app.d");
  add("builder/app");
  add("target/CACHEDIR.TAG");
  add("target/debug/app");
  add("tests/__pycache__/a.pyc");
  add("web/node_modules/x/index.js");
  add("main.o");
  add("vendored/");
  add("old/CMakeCache.txt", ChangeKind::kModified);
  add("old/notes.txt");
  mark_generated(files);
  CHECK(shown(files) ==
        "A src/new.cc\nA* build/CMakeCache.txt\nA* build/app\nA* build/sub/app.d\nA builder/app\n"
        "A* target/CACHEDIR.TAG\nA* target/debug/app\nA* tests/__pycache__/a.pyc\n"
        "A* web/node_modules/x/index.js\nA* main.o\nA* vendored/\nM old/CMakeCache.txt\n"
        "A old/notes.txt\n");
}

TEST_CASE("changed_file: a build in the root does not take the sources with it") {
  std::vector<ChangedFile> files = {{"CMakeCache.txt", ChangeKind::kAdded, 0, false},
                                    {"CMakeFiles/x", ChangeKind::kAdded, 0, false},
                                    {"src/a.cc", ChangeKind::kAdded, 0, false}};
  mark_generated(files);
  CHECK(shown(files) == "A* CMakeCache.txt\nA* CMakeFiles/x\nA src/a.cc\n");
}
