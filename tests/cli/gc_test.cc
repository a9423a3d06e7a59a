// Checks that `pedrocli gc` removes only unneeded files.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOld = "20200101-000000-000-build-0001";
constexpr const char* kOlder = "20190101-000000-000-build-0002";

struct Gc : Program {
  Gc() {
    folder.write("project/a.txt", "a\n");
    commit_project();
    extra_environment["TMPDIR"] = folder.at("tmp");
    fs::create_directories(folder.at("tmp"));
  }

  std::string jobs() const { return folder.at("state/pedrocli/jobs"); }

  void add_job(const std::string& id) {
    folder.write("state/pedrocli/jobs/" + id + "/journal.jsonl",
                 to_line({{"type", "thread.started"},
                          {"agent", "build"},
                          {"task", "old"},
                          {"ts", "2020-01-01T00:00:00.000Z"},
                          {"workdir", project()}}) +
                     "\n" + R"({"type":"thread.completed","exit_code":0,"outcome":"done"})" + "\n");
  }

  // Sets the time stamps to two hours ago.
  static void age(const std::string& path) {
    const timespec then{::time(nullptr) - 7200, 0};
    const timespec times[] = {then, then};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0);
  }

  bool is_there(const std::string& path) const { return fs::exists(fs::symlink_status(path)); }
};

}  // namespace

TEST_CASE("gc: old jobs go, the newest and the young stay, and -dry-run only says so") {
  Gc bench;
  const std::string young = "20990101-000000-000-build-0003";
  for (const std::string& id : {std::string(kOld), std::string(kOlder), young}) bench.add_job(id);
  bench.folder.write("precious", "x");
  fs::create_symlink(bench.folder.at("precious"), bench.jobs() + "/" + kOlder + "/link");

  CHECK(bench.run({"gc"}).out == "removed: 0 things, 0 KB\n");  // the newest 20 jobs stay
  const ProcessResult dry = bench.run({"gc", "-keep", "0", "-dry-run"});
  CHECK(dry.out == std::string("job ") + kOld + ": 1 KB\njob " + kOlder +
                       ": 1 KB\nwould be removed: 2 things, 1 KB\n");
  CHECK(bench.is_there(bench.jobs() + "/" + kOld));

  const ProcessResult one = bench.run({"gc", "-keep", "2", "-json"});
  const auto lines = split_lines(one.out);
  REQUIRE(lines.size() == 2);
  CHECK(text_of(*parse_json(lines[0]), "name") == kOlder);
  CHECK(text_of(*parse_json(lines[1]), "type") == "gc.completed");
  CHECK(number_of(*parse_json(lines[1]), "things") == 1);
  CHECK_FALSE(bench.is_there(bench.jobs() + "/" + kOlder));
  CHECK(bench.folder.read("precious") == "x");

  CHECK(bench.run({"gc", "-keep", "0"}).exit_code == 0);
  CHECK_FALSE(bench.is_there(bench.jobs() + "/" + kOld));
  CHECK(bench.is_there(bench.jobs() + "/" + young));
  CHECK(bench.run({"gc", "-older", "7"}).exit_code == 2);
}

TEST_CASE("gc: a job that is being worked on stays, and a link or a file is no job") {
  Gc bench;
  bench.add_job(kOld);
  fs::create_directory_symlink(bench.project(), bench.jobs() + "/" + kOlder);
  bench.folder.write("state/pedrocli/jobs/20180101-000000-000-build-0004", "a file");
  Command shell{.argv = {"bash", "-c", R"(exec 9<"$1"; flock 9; "$0" gc -keep 0 9<&-)",
                         PEDROCLI_PROGRAM, bench.jobs() + "/" + kOld},
                .folder = bench.project()};
  shell.environment = bench.environment();
  const auto result = bench.processes.run(shell, bench.cancel);
  REQUIRE(result.ok());
  CHECK(result->exit_code == 0);
  CHECK(result->err.find(": is running; stop it with ") != std::string::npos);
  CHECK(bench.is_there(bench.jobs() + "/" + kOld));
  CHECK(bench.is_there(bench.jobs() + "/" + kOlder));
  CHECK(bench.folder.read("project/a.txt") == "a\n");
  CHECK(bench.is_there(bench.jobs() + "/20180101-000000-000-build-0004"));
}

TEST_CASE("gc: remains of dead processes are removed, live and young ones stay") {
  Gc bench;
  const std::string remains = bench.jobs() + "/.removed-" + kOld;
  bench.folder.write(std::string("state/pedrocli/jobs/.removed-") + kOld + "/deep/file", "x");
  const std::string half = bench.folder.at("state/pedrocli/.pedrocli-999999999-0.tmp");
  const std::string ours =
      bench.folder.at("state/pedrocli/.pedrocli-" + std::to_string(::getpid()) + "-0.tmp");
  const std::string half_now = bench.folder.at("state/pedrocli/.pedrocli-999999998-0.tmp");
  for (const std::string& path : {half, ours, half_now}) std::ofstream(path) << "half";
  for (const std::string& path : {half, ours}) Gc::age(path);
  const std::string left = bench.folder.at("tmp/pedrocli-abcdef");
  const std::string used = bench.folder.at("tmp/pedrocli-ghijkl");
  const std::string named = bench.folder.at("tmp/pedrocli-other-thing");
  const std::string link = bench.folder.at("tmp/pedrocli-mnopqr");
  for (const std::string& path : {left, used, named}) {
    fs::create_directories(path + "/sub");
    Gc::age(path);
  }
  fs::create_directory_symlink(bench.project(), link);
  Gc::age(link);

  Command shell{
      .argv = {"bash", "-c", R"(exec 9<"$1"; flock 9; "$0" gc 9<&-)", PEDROCLI_PROGRAM, used},
      .folder = bench.project()};
  shell.environment = bench.environment();
  shell.environment["TMPDIR"] = bench.folder.at("tmp");
  const auto result = bench.processes.run(shell, bench.cancel);
  REQUIRE(result.ok());
  CAPTURE(result->out);
  CAPTURE(result->err);
  CHECK(result->exit_code == 0);
  CHECK(result->out.find("remains " + remains + ": 1 KB\n") != std::string::npos);
  for (const std::string& path : {remains, half, left}) CHECK_FALSE(bench.is_there(path));
  for (const std::string& path : {ours, half_now, used, named, link}) CHECK(bench.is_there(path));
  CHECK(bench.folder.read("project/a.txt") == "a\n");
}

TEST_CASE("gc: on a disk without locks, leftover scratch folders are unknown") {
  Gc bench;
  const std::string left = bench.folder.at("tmp/pedrocli-abcdef");
  fs::create_directories(left);
  Gc::age(left);
  bench.extra_environment["LD_PRELOAD"] = FAULTY_DISK;
  bench.extra_environment["ASAN_OPTIONS"] = "verify_asan_link_order=0";
  bench.extra_environment["FAULT_NO_LOCKS"] = "1";
  CHECK(bench.run({"gc"}).exit_code == 0);
  CHECK(bench.is_there(left));
  bench.extra_environment["FAULT_NO_LOCKS"] = "";
  CHECK(bench.run({"gc"}).exit_code == 0);
  CHECK_FALSE(bench.is_there(left));
}

TEST_CASE("gc: searches the place where scratch folders are made, also without TMPDIR") {
  Gc bench;
  std::string left = "/tmp/pedrocli-XXXXXX";
  REQUIRE(::mkdtemp(left.data()) != nullptr);
  Gc::age(left);
  bench.extra_environment["TMPDIR"] = bench.folder.at("nowhere");
  const ProcessResult result = bench.run({"gc", "-dry-run"});
  CHECK(result.out.find("scratch folder " + left + ": ") != std::string::npos);
  fs::remove_all(left);
}

TEST_CASE("gc: a work tree that no job knows goes, unless something in it is nowhere else") {
  Gc bench;
  const std::string trees = bench.folder.at("state/pedrocli/worktrees");
  fs::create_directories(trees);
  for (const char* name : {"clean", "young", "full"}) {
    bench.git({"worktree", "add", "-q", "--detach", trees + "/" + name});
  }
  std::ofstream(trees + "/full/new.txt") << "only here";
  for (const char* name : {"clean", "full"}) Gc::age(trees + "/" + name);
  // The work tree of a job that stays. The path through the link of the state folder leads to it as
  // well.
  bench.git({"worktree", "add", "-q", "--detach", trees + "/kept"});
  Gc::age(trees + "/kept");
  bench.folder.write(std::string("state/pedrocli/jobs/") + kOld + "/journal.jsonl",
                     to_line({{"type", "thread.started"},
                              {"workdir", trees + "/kept"},
                              {"repository", bench.project()}}) +
                         "\n");
  fs::create_directory_symlink(bench.folder.at("state"), bench.folder.at("link"));
  bench.extra_environment["XDG_STATE_HOME"] = bench.folder.at("link");
  const ProcessResult dry = bench.run({"gc", "-dry-run"});
  CHECK(dry.out.find("/clean: ") != std::string::npos);
  CHECK(dry.out.find("/full: ") == std::string::npos);
  CHECK(bench.is_there(trees + "/clean"));
  const ProcessResult result = bench.run({"gc"});
  CHECK(result.exit_code == 0);
  CHECK(bench.is_there(trees + "/kept/a.txt"));
  CHECK(result.out.find("work tree " + trees + "/clean: ") != std::string::npos);
  CHECK(result.err.find("full has uncommitted work") != std::string::npos);
  CHECK_FALSE(bench.is_there(trees + "/clean"));
  CHECK(bench.is_there(trees + "/young/a.txt"));
  CHECK(bench.is_there(trees + "/full/new.txt"));
}

TEST_CASE("gc: removes a work tree without a repository if nothing in it changed for long") {
  Gc bench;
  const std::string trees = bench.folder.at("state/pedrocli/worktrees");
  fs::create_directories(trees);
  for (const char* name : {"forgotten", "missed"}) {
    bench.git({"worktree", "add", "-q", "--detach", trees + "/" + name});
    Gc::age(trees + "/" + name);
    Gc::age(trees + "/" + name + "/.git");
  }
  Gc::age(trees + "/forgotten/a.txt");  // the other tree has a recently changed file
  fs::remove_all(bench.project());
  fs::create_directory(bench.project());
  const ProcessResult early = bench.run({"gc"});
  CHECK(early.exit_code == 0);
  CHECK(early.err.find("kept: the work tree " + trees +
                       "/forgotten: its repository no longer exists") != std::string::npos);
  const ProcessResult late = bench.run({"gc", "-older", "90m"});
  CAPTURE(late.err);
  CHECK(late.exit_code == 0);
  CHECK(late.out.find("work tree " + trees + "/forgotten: ") != std::string::npos);
  CHECK_FALSE(bench.is_there(trees + "/forgotten"));
  CHECK(bench.is_there(trees + "/missed/a.txt"));
}

}  // namespace pedro
