#include "sys/file_system.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "support/temp_folder.h"

namespace pedro {
namespace {

constexpr std::uint64_t kNoLimit = 1 << 20;

std::string message_of(const Status& status) {
  return status.ok() ? "" : status.error().message;
}

template <typename T>
std::string message_of(const Result<T>& result) {
  return result.ok() ? "" : result.error().message;
}

std::vector<std::string> names_in(const FileSystem& files, const std::string& path) {
  const Result<std::vector<FolderEntry>> entries = files.list(path);
  REQUIRE(entries.ok());
  std::vector<std::string> names;
  for (const FolderEntry& entry : *entries) names.push_back(entry.name);
  return names;
}

/// Checks the common behaviour of the real disk and the one in memory.
void check_contract(FileSystem& files, const std::string& root) {
  const std::string file = root + "/a/b/file";
  CHECK(files.info(file).kind == FileKind::kMissing);
  CHECK(message_of(files.write_atomic(file, "x", 0644)) == file + ": No such file or directory");
  CHECK(files.make_folders(root + "/a/b", 0755).ok());
  CHECK(files.make_folders(root + "/a/b", 0755).ok());
  CHECK(*files.make_new_folder(root + "/a/0", 0755));
  CHECK_FALSE(*files.make_new_folder(root + "/a/0", 0755));
  CHECK(message_of(files.make_new_folder(root + "/x/new", 0755)) ==
        root + "/x/new: No such file or directory");
  CHECK(files.write_atomic(root + "/taken", "", 0644).ok());
  CHECK_FALSE(*files.make_new_folder(root + "/taken", 0755));
  CHECK(message_of(files.make_new_folder(root + "/taken/new", 0755)) ==
        root + "/taken/new: Not a directory");
  CHECK(files.remove(root + "/taken").ok());
  CHECK(files.write_atomic(file, "one", 0644).ok());
  CHECK(files.write_atomic(file, std::string("t\0wo", 4), 0644).ok());
  CHECK(*files.read(file, kNoLimit) == std::string("t\0wo", 4));
  CHECK(files.info(file).kind == FileKind::kFile);
  CHECK(files.info(file).bytes == 4);
  CHECK(files.info(file).mode == 0644);
  CHECK(files.info(root + "/a").kind == FileKind::kFolder);

  CHECK(files.read(file, 4).ok());
  CHECK(message_of(files.read(file, 3)) == file + ": Longer than the limit of 3 bytes");
  CHECK(*files.read_begin(file, 3) == std::string("t\0w", 3));
  CHECK(*files.read_begin(file, 9) == std::string("t\0wo", 4));
  CHECK(message_of(files.read_begin(root + "/a", 9)) == root + "/a: Is a directory");
  CHECK(message_of(files.read(root + "/a", 9)) == root + "/a: Is a directory");
  CHECK(message_of(files.read(root + "/z", 9)) == root + "/z: No such file or directory");
  CHECK(message_of(files.write_atomic(root + "/a", "x", 0644)) == root + "/a: Is a directory");
  CHECK(message_of(files.write_atomic(file + "/x", "x", 0644)) == file + "/x: Not a directory");
  CHECK(message_of(files.make_folders(file + "/x", 0755)) == file + ": Not a directory");

  CHECK(files.append(root + "/a/log", "1\n").ok());
  CHECK(files.append(root + "/a/log", "2\n").ok());
  CHECK(*files.read(root + "/a/log", kNoLimit) == "1\n2\n");
  CHECK(message_of(files.append(root + "/a", "x")) == root + "/a: Is a directory");

  CHECK(files.sync(root + "/a/log").ok());
  CHECK(files.cut(root + "/a/log", 2).ok());
  CHECK(*files.read(root + "/a/log", kNoLimit) == "1\n");
  CHECK(message_of(files.cut(root + "/a/log", 3)) == root + "/a/log: shorter than that");
  CHECK(message_of(files.cut(root + "/z", 0)) == root + "/z: No such file or directory");
  CHECK(message_of(files.sync(root + "/z")) == root + "/z: No such file or directory");

  CHECK(files.make_folders(root + "/a/0", 0755).ok());
  CHECK(names_in(files, root + "/a") == std::vector<std::string>{"0", "b", "log"});
  CHECK(files.list(root + "/a")->at(1).kind == FileKind::kFolder);
  CHECK(files.list(root + "/a")->at(2).kind == FileKind::kFile);
  CHECK(names_in(files, root + "/a/0").empty());
  CHECK(message_of(files.list(file)) == file + ": Not a directory");
  CHECK(message_of(files.list(root + "/z")) == root + "/z: No such file or directory");

  CHECK(*files.canonical(root + "/a/./b/../log") == root + "/a/log");
  CHECK(message_of(files.canonical(root + "/z")) == root + "/z: No such file or directory");

  CHECK(files.rename(file, root + "/a/log").ok());
  CHECK(*files.read(root + "/a/log", kNoLimit) == std::string("t\0wo", 4));
  CHECK(names_in(files, root + "/a/b").empty());
  CHECK(message_of(files.rename(root + "/z", root + "/y")) ==
        root + "/z: No such file or directory");
  CHECK(message_of(files.rename(root + "/a/log", root + "/y/z")) ==
        root + "/y/z: No such file or directory");
  CHECK(message_of(files.rename(root + "/a/log", root + "/a/b")) == root + "/a/b: Is a directory");
  CHECK(message_of(files.rename(root + "/a/b", root + "/a/log")) ==
        root + "/a/log: Not a directory");
  CHECK(message_of(files.rename(root + "/a/b", root + "/a")) == root + "/a: Directory not empty");
  CHECK(message_of(files.rename(root + "/a", root + "/a/b/c")) ==
        root + "/a/b/c: Invalid argument");
  CHECK(files.rename(root + "/a", root + "/moved").ok());
  CHECK(names_in(files, root + "/moved") == std::vector<std::string>{"0", "b", "log"});
  CHECK(files.info(root + "/a").kind == FileKind::kMissing);

  CHECK(files.remove(root + "/moved/log").ok());
  CHECK(message_of(files.remove(root + "/moved/log")) ==
        root + "/moved/log: No such file or directory");
  CHECK(message_of(files.remove(root + "/moved")) == root + "/moved: Is a directory");
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("file system: the real one") {
  const TempFolder folder;
  RealFileSystem files;
  check_contract(files, folder.path());
}

TEST_CASE("file system: the fake one") {
  FakeFileSystem files;
  REQUIRE(files.make_folders("/top/folder", 0755).ok());
  check_contract(files, "/top/folder");
  files.fail_writes_with = "No space left on device";
  CHECK(message_of(files.write_atomic("/x", "", 0644)) == "/x: No space left on device");
  CHECK(message_of(files.append("/x", "")) == "/x: No space left on device");
}

TEST_CASE("file system: write_atomic keeps the mode and leaves nothing beside it") {
  const TempFolder folder;
  RealFileSystem files;
  const std::string script = folder.write("run.sh", "old");
  REQUIRE(::chmod(script.c_str(), 0751) == 0);
  REQUIRE(files.write_atomic(script, "new", 0644).ok());
  CHECK(mode_of(script) == 0751);
  CHECK(folder.read("run.sh") == "new");
  CHECK(names_in(files, folder.path()) == std::vector<std::string>{"run.sh"});

  const mode_t umask_before = ::umask(027);
  REQUIRE(files.write_atomic(folder.at("new"), "", 0666).ok());
  ::umask(umask_before);
  CHECK(mode_of(folder.at("new")) == 0640);
}

TEST_CASE("file system: write_atomic replaces the file, it does not write into it") {
  const TempFolder folder;
  RealFileSystem files;
  const std::string path = folder.write("a", "old");
  std::filesystem::create_hard_link(path, folder.at("backup"));
  REQUIRE(files.write_atomic(path, "new", 0644).ok());
  CHECK(folder.read("backup") == "old");
}

TEST_CASE("file system: write_atomic follows links") {
  const TempFolder folder;
  RealFileSystem files;
  folder.write("real/target", "old");
  std::filesystem::create_symlink("real/target", folder.at("link"));
  std::filesystem::create_symlink("link", folder.at("second"));
  std::filesystem::create_symlink("real/new", folder.at("dangling"));
  std::filesystem::create_symlink("loop", folder.at("loop"));
  REQUIRE(files.write_atomic(folder.at("second"), "new", 0644).ok());
  CHECK(folder.read("real/target") == "new");
  CHECK(files.link_info(folder.at("second")).kind == FileKind::kSymlink);
  CHECK(files.link_info(folder.at("link")).kind == FileKind::kSymlink);
  REQUIRE(files.write_atomic(folder.at("dangling"), "made", 0644).ok());
  CHECK(folder.read("real/new") == "made");
  CHECK(message_of(files.write_atomic(folder.at("loop"), "x", 0644)) ==
        folder.at("loop") + ": Too many levels of symbolic links");
}

TEST_CASE("file system: a temporary file left by a crash does no harm") {
  const TempFolder folder;
  RealFileSystem files;
  const std::string left = ".pedrocli-" + std::to_string(::getpid()) + "-0.tmp";
  folder.write(left, "half");
  REQUIRE(files.write_atomic(folder.at("a"), "whole", 0644).ok());
  CHECK(folder.read("a") == "whole");
  CHECK(folder.read(left) == "half");
}

TEST_CASE("file system: a write that fails leaves the old bytes and nothing beside them") {
  const TempFolder folder;
  RealFileSystem files;
  const std::string path = folder.write("a", "old");
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{.rlim_cur = 10, .rlim_max = before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Status status = files.write_atomic(path, std::string(100, 'x'), 0644);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  ::signal(SIGXFSZ, old_handler);
  CHECK(message_of(status) == path + ": File too large");
  CHECK(folder.read("a") == "old");
  CHECK(names_in(files, folder.path()) == std::vector<std::string>{"a"});
}

TEST_CASE("file system: endless files are not read") {
  const TempFolder folder;
  RealFileSystem files;
  const std::string pipe = folder.at("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(message_of(files.read(pipe, kNoLimit)) == pipe + ": Not a regular file");
  CHECK(message_of(files.write_atomic(pipe, "x", 0644)) == pipe + ": Not a regular file");
  CHECK_FALSE(files.append(pipe, "x").ok());
  CHECK(message_of(files.read("/dev/zero", kNoLimit)) == "/dev/zero: Not a regular file");
  CHECK(files.info(pipe).kind == FileKind::kOther);
}

TEST_CASE("file system: a file that says its size is 0 is read to its end") {
  const Result<std::string> status = RealFileSystem().read("/proc/self/status", kNoLimit);
  REQUIRE(status.ok());
  CHECK(status->starts_with("Name:"));
  CHECK_FALSE(RealFileSystem().read("/proc/self/status", 10).ok());
}

TEST_CASE("file system: a sparse file of 2 GB is refused before it is read") {
  const TempFolder folder;
  const std::string path = folder.write("huge", "");
  std::filesystem::resize_file(path, 2ull << 30);
  CHECK(message_of(RealFileSystem().read(path, kNoLimit)) ==
        path + ": Longer than the limit of 1048576 bytes");
}

TEST_CASE("file system: new journals are private") {
  const TempFolder folder;
  REQUIRE(RealFileSystem().append(folder.at("journal"), "x").ok());
  CHECK(mode_of(folder.at("journal")) == 0600);
  REQUIRE(RealFileSystem().make_folders(folder.at("jobs/1"), 0700).ok());
  CHECK(mode_of(folder.at("jobs")) == 0700);
  CHECK(mode_of(folder.at("jobs/1")) == 0700);
}

TEST_CASE("file system: list distinguishes links from their targets") {
  const TempFolder folder;
  folder.write("file", "");
  std::filesystem::create_symlink("file", folder.at("link"));
  const auto entries = RealFileSystem().list(folder.path());
  REQUIRE(entries.ok());
  REQUIRE(entries->size() == 2);
  CHECK(entries->at(1).kind == FileKind::kSymlink);
  CHECK(RealFileSystem().info(folder.at("link")).kind == FileKind::kFile);
}

TEST_CASE("file system: removing a link keeps its target") {
  const TempFolder folder;
  folder.write("file", "stays");
  std::filesystem::create_symlink("file", folder.at("link"));
  RealFileSystem files;
  REQUIRE(files.remove(folder.at("link")).ok());
  CHECK(folder.read("file") == "stays");
}

TEST_CASE("file system: two writers leave the bytes of one of them") {
  const TempFolder folder;
  RealFileSystem files;
  const std::string path = folder.at("shared");
  const std::string a(100'000, 'a');
  const std::string b(100'000, 'b');
  const auto write_often = [&](const std::string& bytes) {
    for (int i = 0; i < 20; ++i) {
      if (!files.write_atomic(path, bytes, 0644).ok()) return;
    }
  };
  std::thread other([&] { write_often(a); });
  write_often(b);
  other.join();
  const std::string bytes = folder.read("shared");
  CHECK((bytes == a || bytes == b));
  CHECK(names_in(files, folder.path()) == std::vector<std::string>{"shared"});
}

}  // namespace pedro
