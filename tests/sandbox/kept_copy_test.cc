#include "sandbox/kept_copy.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "support/temp_folder.h"

using namespace pedro;
namespace fs = std::filesystem;

namespace {

const std::string kCommit(40, 'a');
const std::string kOther(40, 'b');

struct World {
  World() {
    folder.write("tree/.git/HEAD", "ref: refs/heads/main\n");
    folder.write("tree/.git/config", "[core]\n");
    folder.write("tree/.git/refs/heads/main", kCommit + "\n");
    folder.write("tree/.git/objects/pack/pack-1.pack", "pack\n");
    folder.write("tree/.git/objects/aa/1", "object\n");
    folder.write("tree/.git/hooks/a", "a\n");
    fs::create_symlink("a", folder.at("tree/.git/hooks/link"));
  }
  std::vector<std::string> paths() const {
    return {folder.at("tree/.git"), folder.at("tree/.pedrocli.json")};
  }
  std::string git(const std::string& name) const { return folder.at("tree/.git/" + name); }

  TempFolder folder;
};

// Starts a process that makes a copy, calls `work` and is killed. Returns its id.
int start_killed(const World& world, const std::function<void(KeptCopy&)>& work) {
  const int pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid > 0) return pid;
  KeptCopy copy(world.folder.at("copies"));
  if (!copy.remember(world.paths())) ::_exit(1);
  work(copy);
  ::kill(::getpid(), SIGKILL);
  ::_exit(1);
}

}  // namespace

TEST_CASE("kept copy: restores changed, removed and added files") {
  struct Row {
    const char* what;
    std::function<void(const World&)> change;
  };
  const Row rows[] = {
      {"changed", [](const World& w) { w.folder.write("tree/.git/config", "[evil]\n"); }},
      {"same length", [](const World& w) { w.folder.write("tree/.git/config", "[cora]\n"); }},
      {"emptied", [](const World& w) { w.folder.write("tree/.git/HEAD", ""); }},
      {"removed", [](const World& w) { fs::remove_all(w.folder.at("tree/.git")); }},
      {"an object overwritten",
       [](const World& w) { w.folder.write("tree/.git/objects/aa/1", "evil\n"); }},
      {"a pack overwritten",
       [](const World& w) { w.folder.write("tree/.git/objects/pack/pack-1.pack", "evil\n"); }},
      {"part removed", [](const World& w) { fs::remove_all(w.git("objects")); }},
      {"made", [](const World& w) { w.folder.write("tree/.git/commondir", "/x\n"); }},
      {"folder made", [](const World& w) { w.folder.write("tree/.git/info/exclude", "x\n"); }},
      {"mode", [](const World& w) { REQUIRE(::chmod(w.git("config").c_str(), 0777) == 0); }},
      {"alternates",
       [](const World& w) { w.folder.write("tree/.git/objects/info/alternates", "/x\n"); }},
      {"no commit",
       [](const World& w) { w.folder.write("tree/.git/refs/heads/main", "ref: refs/x\n"); }},
      {"moved",
       [](const World& w) { fs::rename(w.folder.at("tree/.git"), w.folder.at("tree/old")); }},
      {"a link",
       [](const World& w) {
         fs::rename(w.folder.at("tree/.git"), w.folder.at("old"));
         fs::create_directory_symlink(w.folder.at("old"), w.folder.at("tree/.git"));
         w.folder.write("old/config", "[evil]\n");
       }},
      {"link turned",
       [](const World& w) {
         fs::remove(w.git("hooks/link"));
         fs::create_symlink("/etc/hostname", w.git("hooks/link"));
       }},
      {"settings", [](const World& w) { w.folder.write("tree/.pedrocli.json", "{}\n"); }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const World world;
    KeptCopy copy(world.folder.at("copies"));
    REQUIRE(copy.remember(world.paths()).ok());
    CHECK(copy.put_back().empty());
    row.change(world);
    CHECK(copy.put_back().size() == 1);
    CHECK(world.folder.read("tree/.git/config") == "[core]\n");
    CHECK(world.folder.read("tree/.git/HEAD") == "ref: refs/heads/main\n");
    CHECK(world.folder.read("tree/.git/refs/heads/main") == kCommit + "\n");
    CHECK(world.folder.read("tree/.git/objects/pack/pack-1.pack") == "pack\n");
    CHECK(world.folder.read("tree/.git/objects/aa/1") == "object\n");
    CHECK(fs::read_symlink(world.git("hooks/link")) == "a");
    CHECK(fs::status(world.git("config")).permissions() ==
          fs::status(world.git("HEAD")).permissions());
    for (const char* made : {"tree/.git/commondir", "tree/.git/info",
                             "tree/.git/objects/info/alternates", "tree/.pedrocli.json"}) {
      CHECK_FALSE(fs::exists(world.folder.at(made)));
    }
    REQUIRE(copy.remember(world.paths()).ok());
    CHECK(copy.put_back().empty());
  }
}

TEST_CASE("kept copy: a user's commit survives") {
  const World world;
  world.folder.write("tree/.git/logs/refs/heads/main", "old\n");
  KeptCopy copy(world.folder.at("copies"));
  REQUIRE(copy.remember(world.paths()).ok());
  world.folder.write("tree/.git/refs/heads/main", kOther + "\n");
  world.folder.write("tree/.git/refs/heads/new/one", kOther + "\n");
  world.folder.write("tree/.git/objects/bb/" + kOther.substr(2), "object\n");
  world.folder.write("tree/.git/logs/refs/heads/main", "old\nnew\n");
  world.folder.write("tree/.git/logs/HEAD", "line\n");
  copy.put_back();
  CHECK(world.folder.read("tree/.git/refs/heads/main") == kOther + "\n");
  CHECK(world.folder.read("tree/.git/refs/heads/new/one") == kOther + "\n");
  CHECK(world.folder.read("tree/.git/objects/bb/" + kOther.substr(2)) == "object\n");
  CHECK(world.folder.read("tree/.git/logs/refs/heads/main") == "old\nnew\n");
}

TEST_CASE("kept copy: stashes, logs and branches are not lost") {
  struct Row {
    const char* what;
    std::function<void(const World&)> change;
  };
  const Row rows[] = {
      {"an older stash",
       [](const World& w) { w.folder.write("tree/.git/refs/stash", kCommit + "\n"); }},
      {"no stash", [](const World& w) { fs::remove(w.git("refs/stash")); }},
      {"a log cut", [](const World& w) { w.folder.write("tree/.git/logs/refs/stash", "one\n"); }},
      {"a log emptied", [](const World& w) { w.folder.write("tree/.git/logs/refs/stash", ""); }},
      {"a log rewritten",
       [](const World& w) { w.folder.write("tree/.git/logs/refs/stash", "two\none\nmore\n"); }},
      {"a branch moved back",
       [](const World& w) { w.folder.write("tree/.git/refs/heads/main", kOther + "\n"); }},
      {"a replacement",
       [](const World& w) {
         w.folder.write("tree/.git/refs/replace/" + kCommit, std::string(40, 'c') + "\n");
         w.folder.write("tree/.git/objects/cc/" + std::string(38, 'c'), "new\n");
       }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const World world;
    for (const std::string& object : {kCommit, kOther}) {
      world.folder.write("tree/.git/objects/" + object.substr(0, 2) + "/" + object.substr(2), "");
    }
    world.folder.write("tree/.git/refs/stash", kOther + "\n");
    world.folder.write("tree/.git/logs/refs/stash", "one\ntwo\n");
    KeptCopy copy(world.folder.at("copies"));
    REQUIRE(copy.remember(world.paths()).ok());
    row.change(world);
    CHECK(copy.put_back().size() == 1);
    CHECK(world.folder.read("tree/.git/refs/stash") == kOther + "\n");
    CHECK(world.folder.read("tree/.git/logs/refs/stash") == "one\ntwo\n");
    CHECK(world.folder.read("tree/.git/refs/heads/main") == kCommit + "\n");
    CHECK_FALSE(fs::exists(world.git("refs/replace/" + kCommit)));
  }
}

TEST_CASE("kept copy: a link on the way leads nowhere, and gives way") {
  TempFolder folder;
  folder.write("tree/own/hooks/a", "a\n");
  folder.write("outside/hooks/a", "another's\n");
  KeptCopy copy(folder.at("copies"));
  REQUIRE(copy.remember({folder.at("tree/own/hooks")}).ok());
  fs::rename(folder.at("tree/own"), folder.at("tree/moved"));
  fs::create_directory_symlink(folder.at("outside"), folder.at("tree/own"));
  CHECK(copy.put_back() ==
        std::vector<std::string>{folder.at("tree/own/hooks") +
                                 " must not be changed by commands; it was restored"});
  CHECK_FALSE(fs::is_symlink(folder.at("tree/own")));
  CHECK(folder.read("tree/own/hooks/a") == "a\n");
  CHECK(folder.read("outside/hooks/a") == "another's\n");
}

TEST_CASE("kept copy: between commands, and half made, it is not put back") {
  const World world;
  const std::string copies = world.folder.at("copies");
  const int pid = start_killed(world, [](KeptCopy& copy) { (void)copy.put_back(); });
  REQUIRE(::waitpid(pid, nullptr, 0) == pid);
  world.folder.write("copies/copy-1-1/half", "");  // its process died before it wrote the list
  world.folder.write("tree/.git/config", "[mine]\n");
  CHECK(put_back_left_copies(copies).empty());
  CHECK(world.folder.read("tree/.git/config") == "[mine]\n");
  CHECK(fs::is_empty(copies));
}

TEST_CASE("kept copy: the next process puts back for one that was killed, and leaves the living") {
  const World world;
  const std::string copies = world.folder.at("copies");
  const int pid = start_killed(world, [&](KeptCopy&) {
    world.folder.write("tree/ready", "");
    for (;;) ::pause();
  });
  for (int i = 0; i < 2000 && !fs::exists(world.folder.at("tree/ready")); ++i) ::usleep(5000);
  CHECK(put_back_left_copies(copies).empty());
  ::kill(pid, SIGKILL);
  REQUIRE(::waitpid(pid, nullptr, 0) == pid);
  world.folder.write("tree/.git/hooks/pre-commit", "evil\n");
  world.folder.write("tree/.git/HEAD", "ref: refs/heads/mine\n");  // the user continued to work
  world.folder.write("tree/.pedrocli.json", "{}\n");
  CHECK(put_back_left_copies(copies).size() == 2);
  CHECK_FALSE(fs::exists(world.git("hooks/pre-commit")));
  CHECK_FALSE(fs::exists(world.folder.at("tree/.pedrocli.json")));
  CHECK(world.folder.read("tree/.git/HEAD") == "ref: refs/heads/mine\n");
  CHECK(fs::is_empty(copies));
}
