#include "sys/sandbox.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>

#include "support/temp_folder.h"
#include "sys/file_system.h"
#include "sys/sandbox_environment.h"

using namespace pedro;

namespace {

using Variables = std::map<std::string, std::string>;

/// A sandbox at each level that this machine has.
struct Bench {
  explicit Bench(const SandboxSettings& settings = {}) {
    std::filesystem::create_directories(folder.at("tree/.git/hooks"));
    folder.write("tree/.git/config", "[core]\n");
    const SandboxSupport best = sandbox_support();
    const SandboxSupport supports[] = {best,
                                       {.namespaces = false, .landlock_abi = best.landlock_abi},
                                       {.namespaces = false, .bubblewrap = best.bubblewrap}};
    for (const SandboxSupport& support : supports) {
      auto sandbox =
          Sandbox::open(settings, folder.at("tree"), {{"PATH", "/usr/bin:/bin"}}, support);
      if (sandbox) sandboxes.push_back(*std::move(sandbox));
    }
  }

  Result<ProcessResult> run(Sandbox& sandbox, const std::string& script, double timeout_s = 20) {
    Command command;
    command.argv = {"sh", "-c", script};
    command.timeout_s = timeout_s;
    command.input = input;
    return SandboxRunner(sandbox).run(command, cancel);
  }

  TempFolder folder;
  std::vector<Sandbox> sandboxes;
  std::optional<std::string> input;
  CancelToken cancel;
};

}  // namespace

TEST_CASE("sandbox: a command ends as it would outside") {
  Bench bench;
  bench.input = "given\n";
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    const auto ended = bench.run(sandbox, "cat; echo said; echo warned >&2; exit 3");
    REQUIRE(ended.ok());
    CHECK(ended->out == "given\nsaid\n");
    CHECK(ended->err == "warned\n");
    CHECK(ended->exit_code == 3);
    CHECK_FALSE(ended->left_children);
    CHECK(ended->notes.empty());
    const auto killed = bench.run(sandbox, "kill -9 $$");
    REQUIRE(killed.ok());
    CHECK(killed->exit_code == 128 + 9);
  }
}

TEST_CASE("sandbox: a command that does not end is ended, with all that it started") {
  Bench bench;
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    const auto result = bench.run(sandbox, "setsid sleep 60 & sleep 60", 0.3);
    REQUIRE(result.ok());
    CHECK(result->timed_out);
  }
}

TEST_CASE("sandbox: a command that does nothing is ended, one that works in silence is not") {
  Bench bench({.idle_seconds = 1});
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    const auto idle = bench.run(sandbox, "setsid sleep 60 & sleep 60");
    REQUIRE(idle.ok());
    CHECK(idle->idle_s == 1);
    const auto busy = bench.run(sandbox, "i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done", 60);
    REQUIRE(busy.ok());
    CHECK(busy->idle_s == 0);
    CHECK(busy->ok());
    CHECK(busy->duration_s > 1);
  }
}

TEST_CASE("sandbox: a program that is not there, or not visible, is named") {
  Bench bench;
  for (Sandbox& sandbox : bench.sandboxes) {
    Command command;
    command.argv = {"no-such-program"};
    const auto result = SandboxRunner(sandbox).run(command, bench.cancel);
    if (sandbox.level() == SandboxLevel::kBubblewrap) continue;  // bwrap itself is there
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message == "no-such-program: not found in PATH");
  }
}

TEST_CASE("sandbox: what lies in the scratch folder stays until the sandbox goes") {
  Bench bench;
  std::vector<std::string> scratches;
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    scratches.push_back(sandbox.scratch());
    REQUIRE(bench.run(sandbox, "echo kept > $TMPDIR/a; mkdir -p ~/b/c; chmod 0 ~/b").ok());
    const auto again = bench.run(sandbox, "cat $TMPDIR/a");
    REQUIRE(again.ok());
    CHECK(again->out == "kept\n");
  }
  bench.sandboxes.clear();
  for (const std::string& scratch : scratches) CHECK_FALSE(std::filesystem::exists(scratch));
}

TEST_CASE("sandbox: where nothing can confine commands, they are refused with the way out") {
  TempFolder folder;
  const auto none = Sandbox::open({}, folder.path(), {}, {.namespaces = false});
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kConfig);
  CHECK(none.error().message ==
        "commands cannot be confined here (namespaces: not tried; Landlock: not in this kernel; "
        "bwrap: not installed); install bubblewrap, or write \"sandbox\": {\"mode\": \"off\"} into "
        "~/.pedrocli.json to run them with all your rights");
  const auto off = Sandbox::open({.off = true}, folder.path(), {}, {.namespaces = false});
  REQUIRE(off.ok());
  CHECK(off->level() == SandboxLevel::kOff);
}

TEST_CASE("sandbox: the environment is a list, and nothing named like a secret is on it") {
  const Variables given = {{"PATH", "/bin"},
                           {"LC_ALL", "C"},
                           {"GITHUB_TOKEN", "s"},
                           {"MY_MODE", "fast"},
                           {"AWS_SECRET_ACCESS_KEY", "s"},
                           {"SSH_AUTH_SOCK", "s"},
                           {"OTHER", "x"},
                           {"MONKEY", "banana"}};
  CHECK(reduced_environment(given, {}) == Variables{{"PATH", "/bin"}, {"LC_ALL", "C"}});
  CHECK(reduced_environment(given, {"MY_MODE", "GITHUB_TOKEN", "MONKEY"}) ==
        Variables{{"PATH", "/bin"}, {"LC_ALL", "C"}, {"MY_MODE", "fast"}, {"MONKEY", "banana"}});
}

TEST_CASE("guarded paths: what was changed, removed or made is as it was before") {
  TempFolder folder;
  folder.write("config", "old\n");
  folder.write("hooks/a", "a\n");
  std::filesystem::create_symlink("a", folder.at("hooks/link"));
  GuardedPaths guarded({folder.at("config"), folder.at("hooks"), folder.at("missing")});
  guarded.remember();
  CHECK(guarded.put_back(false).empty());
  folder.write("config", "new\n");
  std::filesystem::remove_all(folder.at("hooks"));
  folder.write("missing/b", "b\n");
  CHECK(guarded.put_back(false) ==
        std::vector<std::string>{
            folder.at("config") + " must not be changed by commands; it was put back",
            folder.at("hooks") + " must not be changed by commands; it was put back",
            folder.at("missing") + " must not be changed by commands; it was removed again"});
  CHECK(folder.read("config") == "old\n");
  CHECK(folder.read("hooks/link") == "a\n");
  CHECK_FALSE(std::filesystem::exists(folder.at("missing")));
  CHECK(guarded.put_back(false).empty());
}

TEST_CASE("guarded paths: what was held is its owner's to change") {
  TempFolder folder;
  folder.write("config", "old\n");
  GuardedPaths guarded({folder.at("config"), folder.at("missing")});
  guarded.remember();
  folder.write("config", "the owner's\n");
  folder.write("missing", "made\n");
  CHECK(guarded.put_back(true).size() == 1);
  CHECK(folder.read("config") == "the owner's\n");
}

TEST_CASE("scratch folder: depth and links are no way to stay, or to take others along") {
  TempFolder folder;
  folder.write("outside/file", "stays\n");
  std::string deep = folder.at("tree");
  RealFileSystem files;
  for (int i = 0; i < 300; ++i) deep += "/d";
  REQUIRE(files.make_folders(deep, 0700));
  std::filesystem::create_directory_symlink(folder.at("outside"), folder.at("tree/link"));
  REQUIRE(::chmod(folder.at("tree/d/d").c_str(), 0) == 0);
  remove_tree(folder.at("tree"));
  CHECK_FALSE(std::filesystem::exists(folder.at("tree")));
  CHECK(folder.read("outside/file") == "stays\n");
  CHECK(files.list(folder.path())->size() == 1);
}

TEST_CASE("sandbox: in a linked work tree git works, and other work trees cannot be written to") {
  TempFolder folder;
  RealProcessRunner processes;
  const CancelToken cancel;
  const auto git = [&](const std::string& script) {
    Command command{.argv = {"sh", "-ec", script}, .folder = folder.path()};
    command.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_NOSYSTEM", "1"}};
    const auto made = processes.run(command, cancel);
    REQUIRE(made.ok());
    INFO(made->err);
    REQUIRE(made->ok());
  };
  git("git init -q main; cd main; git -c user.name=t -c user.email=t@localhost commit -q "
      "--allow-empty -m first; git worktree add -q --detach ../tree; "
      "git worktree add -q --detach ../other");
  const auto run = [&](Sandbox& sandbox, const std::string& script) {
    Command command{.argv = {"sh", "-c", script}};
    const auto result = SandboxRunner(sandbox).run(command, cancel);
    REQUIRE(result.ok());
    return result->out + result->err;
  };
  SandboxSettings settings;
  for (const char* tree : {"tree", "main"}) {
    CAPTURE(tree);
    settings.home_files[".gitconfig"] = "[safe]\n\tdirectory = " + folder.at(tree) + "\n";
    auto sandbox =
        Sandbox::open(settings, folder.at(tree), {{"PATH", "/usr/bin:/bin"}}, sandbox_support());
    if (!sandbox || sandbox->level() == SandboxLevel::kLandlock)
      continue;  // it knows no exceptions
    CHECK(run(*sandbox, "touch x; git status --short; git add x; git log --format=%s") ==
          "?? x\nfirst\n");
    for (const char* guarded : {"worktrees/other/HEAD", "worktrees/new", "config", "hooks/new"}) {
      const std::string path = folder.at("main/.git/") + guarded;
      CAPTURE(path);
      const auto bytes = [&path] {
        const auto text = RealFileSystem().read(path, 1000);
        return text ? *text : "none";
      };
      const std::string before = bytes();
      CHECK(run(*sandbox, "echo evil > " + path) != "");
      CHECK(bytes() == before);
    }
  }
}
