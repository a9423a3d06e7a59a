#include "sandbox/sandbox.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <thread>

#include "base/text.h"
#include "sandbox/protected_paths.h"
#include "sandbox/sandbox_environment.h"
#include "support/temp_folder.h"
#include "sys/file_system.h"

using namespace pedro;

namespace {

/// The number of interrupted starts of a command. Use more in runs by hand.
constexpr int kKills = 40;

using Variables = std::map<std::string, std::string>;

/// One for each sandbox level that this machine supports.
std::vector<SandboxSupport> supports_here() {
  const SandboxSupport best = sandbox_support();
  std::vector<SandboxSupport> supports;
  if (!best.bubblewrap.empty()) supports.push_back({.bubblewrap = best.bubblewrap});
  if (best.landlock_abi > 0) supports.push_back({.landlock_abi = best.landlock_abi});
  return supports;
}

/// A sandbox at each level that this machine supports.
struct Bench {
  explicit Bench(const SandboxSettings& settings = {}) {
    std::filesystem::create_directories(folder.at("tree/.git/hooks"));
    folder.write("tree/.git/config", "[core]\n");
    for (const SandboxSupport& support : supports_here()) {
      auto sandbox =
          Sandbox::open(settings, folder.at("tree"), {{"PATH", "/usr/bin:/bin"}}, support);
      REQUIRE_MESSAGE(sandbox.ok(), (sandbox ? "" : sandbox.error().message));
      sandboxes.push_back(*std::move(sandbox));
    }
    REQUIRE_FALSE(sandboxes.empty());
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

TEST_CASE("sandbox: a command with too many processes ends, as root too") {
  Bench bench({.max_processes = 64});
  // They end themselves after a few hundred processes if the limit does not hold.
  for (const char* bomb :
       {"i=0; while [ $i -lt 300 ]; do sleep 20 & i=$((i + 1)); done; wait",
        "trap '' TERM; n() { i=0; while [ $i -lt 200 ]; do sleep 20 & i=$((i + 1)); done; }; n & n "
        "& wait",
        "setsid sh -c 'i=0; while [ $i -lt 300 ]; do setsid sleep 20 & i=$((i + 1)); done; "
        "wait'"}) {
    CAPTURE(bomb);
    for (Sandbox& sandbox : bench.sandboxes) {
      CAPTURE(sandbox.description());
      const auto result = bench.run(sandbox, bomb);
      REQUIRE(result.ok());
      CHECK_FALSE(result->timed_out);
      CHECK(result->exit_code != 0);
      if (::geteuid() != 0) continue;
      CHECK(result->exit_code == 128 + 9);
      REQUIRE_FALSE(result->notes.empty());
      CHECK(result->notes.front() ==
            "the command had more than 64 processes and threads, so it was killed: "
            "sandbox.max_processes");
    }
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
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message == "no-such-program: not found in PATH");
  }
}

TEST_CASE("sandbox: files in the scratch folder stay as long as the sandbox") {
  Bench bench;
  std::vector<std::string> scratches;
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    scratches.push_back(sandbox.scratch());
    REQUIRE(bench.run(sandbox, "echo kept > $TMPDIR/a; mkdir -p ~/b/c; chmod 0 ~/b").ok());
    const auto again = bench.run(sandbox, "cat $TMPDIR/a");
    REQUIRE(again.ok());
    CHECK(again->out == "kept\n");
    // Its folders stay even if a command tries to remove them.
    REQUIRE(bench.run(sandbox, "cd /; rm -rf ~ $TMPDIR ~/../*; mv ~ ~/../x; mv $TMPDIR x").ok());
    const auto emptied =
        bench.run(sandbox, "ls -A ~ $TMPDIR && echo x > ~/x && echo x > $TMPDIR/x");
    REQUIRE(emptied.ok());
    CHECK(emptied->ok());
    // Only the files remain that the sandbox itself needs; a random name may end in any letter.
    CHECK_MESSAGE(("\n" + emptied->out).find("\na\n") == std::string::npos, emptied->out);
    CHECK_MESSAGE(("\n" + emptied->out).find("\nb\n") == std::string::npos, emptied->out);
  }
  bench.sandboxes.clear();
  for (const std::string& scratch : scratches) CHECK_FALSE(std::filesystem::exists(scratch));
}

TEST_CASE("sandbox: git's own files stay complete and in place") {
  Bench bench;
  bench.folder.write("tree/.git/modules/lib/HEAD", "ref: refs/heads/main\n");
  bench.folder.write("tree/.git/modules/lib/objects/x", "x\n");
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    const auto result =
        bench.run(sandbox,
                  "perl -e 'rename \".git/modules/lib\", \"lib\"; rename \".git/modules\", \"m\"; "
                  "rename \".git\", \"old\" or print $!'");
    REQUIRE(result.ok());
    CHECK(bench.folder.read("tree/.git/modules/lib/objects/x") == "x\n");
    CHECK_FALSE(result->notes.empty());
    if (sandbox.level() == SandboxLevel::kLandlock) continue;  // moved copies stay at this level
    for (const char* moved : {"tree/lib", "tree/m", "tree/old"}) {
      CHECK_FALSE(std::filesystem::exists(bench.folder.at(moved)));
    }
  }
}

TEST_CASE("sandbox: changes by an interrupted command are reported once, with the next result") {
  Bench bench;
  bench.folder.write("tree/real.json", "{}\n");
  const std::string link = bench.folder.at("tree/.pedrocli.json");
  std::filesystem::create_symlink("real.json", link);
  const std::string ready = bench.folder.at("tree/ready");
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    CancelToken cancel;
    std::thread user([&] {
      for (int i = 0; i < 2000 && !std::filesystem::exists(ready); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      cancel.cancel(SIGINT);
    });
    const auto stopped = SandboxRunner(sandbox).run(
        {.argv = {"sh", "-c",
                  "rm .pedrocli.json; echo x > .pedrocli.json; touch ready; exec sleep 60"}},
        cancel);
    user.join();
    std::filesystem::remove(ready);
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().kind == ErrorKind::kInterrupted);
    CHECK(std::filesystem::is_symlink(link));
    const auto next = bench.run(sandbox, "true");
    REQUIRE(next.ok());
    CHECK(next->notes ==
          std::vector<std::string>{link + " must not be changed by commands; it was restored"});
    const auto last = bench.run(sandbox, "true");
    REQUIRE(last.ok());
    CHECK(last->notes.empty());
  }
}

TEST_CASE("sandbox: only allowed commands have a network") {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(listener, 16) == 0);
  REQUIRE(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const std::string script = fmt::format(
      "perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0) or die $!; "
      "connect(S, pack_sockaddr_in({}, inet_aton(q(127.0.0.1)))) or die $!'",
      ntohs(address.sin_port));
  for (const bool all : {false, true}) {
    Bench bench({.allow_net = all, .net_commands = {"perl"}});
    for (Sandbox& sandbox : bench.sandboxes) {
      CAPTURE(sandbox.description());
      Command command{.argv = {"sh", "-c", script}};
      for (const bool named : {false, true, false}) {
        command.net = named;
        const auto result = SandboxRunner(sandbox).run(command, bench.cancel);
        REQUIRE(result.ok());
        CHECK(result->ok() == (all || named));
        CHECK((sandbox.description().find("no network except perl") != std::string::npos) == !all);
      }
    }
  }
  ::close(listener);
}

TEST_CASE("sandbox: with a network of its own a command may serve itself") {
  const std::string script =
      "perl -MSocket -e 'socket(L, AF_INET, SOCK_STREAM, 0) or die $!; "
      "bind(L, pack_sockaddr_in(0, inet_aton(q(127.0.0.1)))) or die $!; listen(L, 1) or die $!; "
      "socket(S, AF_INET, SOCK_STREAM, 0) or die $!; connect(S, getsockname(L)) or die $!; "
      "accept(C, L) or die $!; print q(met)'";
  Bench bench;
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    const auto result = bench.run(sandbox, script);
    REQUIRE(result.ok());
    CAPTURE(result->err);
    CHECK((result->out == "met") == (sandbox.level() != SandboxLevel::kLandlock));
  }
}

TEST_CASE("sandbox: folders of PATH stay unchanged, also inside writable folders") {
  TempFolder folder;
  for (const char* name : {"tree/bin", "own/bin", "own/cache"}) {
    std::filesystem::create_directories(folder.at(name));
  }
  const std::string path = folder.at("own/bin") + ":" + folder.at("tree/bin") + ":/usr/bin:/bin";
  auto sandbox = Sandbox::open({.write = {folder.at("own")}}, folder.at("tree"), {{"PATH", path}},
                               sandbox_support());
  REQUIRE(sandbox.ok());
  if (sandbox->level() == SandboxLevel::kLandlock) {
    CHECK(join(sandbox->gaps(), "\n").find(folder.at("own/bin")) != std::string::npos);
    return;
  }
  const std::string script = fmt::format(
      "cd {}; echo x > bin/git; mv bin bin2; mv own own2; echo x > cache/x; echo x > {}/x",
      folder.at("own"), folder.at("tree/bin"));
  const CancelToken cancel;
  REQUIRE(SandboxRunner(*sandbox).run({.argv = {"sh", "-c", script}}, cancel).ok());
  CHECK(std::filesystem::is_empty(folder.at("own/bin")));
  CHECK_FALSE(std::filesystem::exists(folder.at("own/bin2")));
  CHECK(folder.read("own/cache/x") == "x\n");
  CHECK(folder.read("tree/bin/x") == "x\n");
}

TEST_CASE("sandbox: without any confinement, commands are refused with a remedy") {
  TempFolder folder;
  const auto none = Sandbox::open({}, folder.path(), {}, {});
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kConfig);
  CHECK(none.error().message ==
        "commands cannot be confined here (bwrap: not installed; Landlock: not supported by this "
        "kernel); install bubblewrap, or write \"sandbox\": {\"mode\": \"off\"} into "
        "~/.pedrocli.json to run them with all your rights");
  const auto off = Sandbox::open({.off = true}, folder.path(), {}, {});
  REQUIRE(off.ok());
  CHECK(off->level() == SandboxLevel::kOff);
}

TEST_CASE("sandbox: a weaker level names its gaps") {
  const int abi = sandbox_support().landlock_abi;
  if (abi == 0) {
    MESSAGE("skipped: this kernel has no Landlock");
    return;
  }
  TempFolder folder;
  std::filesystem::create_directories(folder.at("tree"));
  const auto gaps_of = [&](int landlock_abi, bool allow_net) {
    const auto sandbox = Sandbox::open({.allow_net = allow_net}, folder.at("tree"), {},
                                       {.landlock_abi = landlock_abi});
    REQUIRE(sandbox.ok());
    return join(sandbox->gaps(), "\n");
  };
  const auto has = [](const std::string& gaps, std::string_view gap) {
    return gaps.find(gap) != std::string::npos;
  };
  CHECK(has(gaps_of(abi, false), "the changes are undone afterwards"));
  CHECK(has(gaps_of(abi, false), "other processes and their command lines are visible"));
  CHECK(has(gaps_of(2, false), "files outside can be truncated"));
  CHECK(has(gaps_of(2, false), "signals reach processes outside"));
  CHECK(has(gaps_of(abi, true), "sockets of other programs can be reached"));
  CHECK_FALSE(has(gaps_of(abi, false), "sockets"));
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

TEST_CASE("sandbox: a guarded path that appears later is protected too") {
  Bench bench;
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    std::filesystem::remove(bench.folder.at("tree/.pedrocli.json"));
    REQUIRE(bench.run(sandbox, "true").ok());
    bench.folder.write("tree/.pedrocli.json", "the owner's\n");
    const auto result =
        bench.run(sandbox, "rm -f .pedrocli.json; echo evil > .pedrocli.json; mkdir .pedro");
    REQUIRE(result.ok());
    CHECK(bench.folder.read("tree/.pedrocli.json") == "the owner's\n");
    CHECK_FALSE(std::filesystem::exists(bench.folder.at("tree/.pedro")));
    if (sandbox.level() == SandboxLevel::kLandlock) continue;
    CHECK(result->err.find(".pedrocli.json") != std::string::npos);
  }
}

TEST_CASE("sandbox: a guarded link and its target are both guarded") {
  struct Row {
    const char* link;
    const char* target;  ///< in the tree, or absolute after a leading '@'
    const char* file;    ///< read through the link
  };
  for (const Row& row : {Row{".pedrocli.json", "conf", ".pedrocli.json"},
                         Row{".pedrocli.json", "@conf", ".pedrocli.json"},
                         Row{".git/hooks", "@githooks", ".git/hooks/pre-commit"},
                         Row{".git/hooks", "../githooks", ".git/hooks/pre-commit"}}) {
    Bench bench;
    const std::string target = row.target;
    const bool absolute = target.starts_with('@');
    const std::string tree = bench.folder.at("tree/");
    bench.folder.write("tree/conf", "old\n");
    bench.folder.write("tree/githooks/pre-commit", "old\n");
    std::filesystem::remove_all(tree + row.link);
    std::filesystem::create_symlink(absolute ? tree + target.substr(1) : target, tree + row.link);
    for (Sandbox& sandbox : bench.sandboxes) {
      CAPTURE(row.link);
      CAPTURE(row.target);
      CAPTURE(sandbox.description());
      const std::string link = row.link;
      for (const std::string& script :
           {"echo evil > " + std::string(row.file),
            std::string("echo evil > conf; "
                        "echo evil > githooks/pre-commit"),
            "mv " + link + " moved; mkdir -p " + link + "/new; echo evil > " + row.file,
            "rm " + link + "; ln -s /etc/hostname " + link}) {
        CAPTURE(script);
        REQUIRE(bench.run(sandbox, script).ok());
        CHECK(std::filesystem::is_symlink(tree + row.link));
        CHECK(bench.folder.read("tree/" + std::string(row.file)) == "old\n");
        std::filesystem::remove(tree + "moved");
      }
    }
    CHECK(bench.sandboxes.front().level() ==
          Bench().sandboxes.front().level());  // the link does not disable a level
  }
}

TEST_CASE("sandbox: shared memory is bounded") {
  Bench bench;
  for (Sandbox& sandbox : bench.sandboxes) {
    if (sandbox.level() != SandboxLevel::kBubblewrap) continue;
    const auto result = bench.run(sandbox, "df -m --output=size /dev/shm | tail -n 1");
    REQUIRE(result.ok());
    CHECK(trim(result->out) == "512");
  }
}

namespace {

/// Runs `script` in a sandbox in a separate process. Kills the process as soon as `ready` returns
/// true.
void run_and_kill(const SandboxSettings& settings, const std::string& tree,
                  const SandboxSupport& support, const std::string& script,
                  const std::function<bool()>& ready) {
  const int pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    auto sandbox = Sandbox::open(settings, tree, {{"PATH", "/usr/bin:/bin"}}, support);
    Command command{.argv = {"sh", "-c", script}};
    command.timeout_s = 60;
    const CancelToken cancel;
    if (sandbox) (void)SandboxRunner(*sandbox).run(command, cancel);
    ::_exit(0);
  }
  for (int i = 0; i < 20'000 && !ready(); ++i) ::usleep(1000);
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

bool is_running(const std::string& words) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto line = RealFileSystem().read(entry.path() / "cmdline", 4096);
    if (line && replace_all(*line, std::string(1, '\0'), " ").find(words) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("sandbox: a command ends with its parent process, even during its start") {
  for (const SandboxSupport& support : supports_here()) {
    TempFolder folder;
    folder.write("tree/.git/config", "[core]\n");
    const std::string words =
        fmt::format("sleep 3{}{}", ::getpid(), support.bubblewrap.empty() ? 1 : 2);
    for (int delay = 0; delay < kKills; ++delay) {
      int left = delay % 30;
      run_and_kill({}, folder.at("tree"), support, "exec " + words, [&] { return left-- <= 0; });
    }
    bool running = true;
    for (int i = 0; i < 200 && running; ++i, ::usleep(10'000)) running = is_running(words);
    CHECK_FALSE(running);
  }
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
  // The remains of a killed process with our id.
  folder.write(fmt::format(".pedrocli-removed-{}-0/x", ::getpid()), "");
  remove_tree(folder.at("tree"));
  CHECK_FALSE(std::filesystem::exists(folder.at("tree")));
  CHECK(folder.read("outside/file") == "stays\n");
  CHECK(files.list(folder.path())->size() == 1);
}

TEST_CASE("sandbox: commands read a repository, and change nothing in it") {
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
    return made->out;
  };
  git("git init -q main; cd main; git -c user.name=t -c user.email=t@localhost commit -q "
      "--allow-empty -m first; git worktree add -q --detach ../linked; "
      "git worktree add -q --detach ../other; git clone -q --shared . ../shared; "
      "git clone -q . ../sub; cd ../sub; git -c protocol.file.allow=always submodule --quiet add "
      "$PWD/../main lib; git -c user.name=t -c user.email=t@localhost commit -qm first; "
      "cd ../main; git clone -q . ../apart; cd ../apart; mv .git repo.git; "
      "echo gitdir: repo.git > .git; echo repo.git > repo.git/info/exclude; "
      "cd ../main; git clone -q --shared . ../borrowing; cp -r .git ../borrowing/mirror.git; "
      "cd ../borrowing; echo $PWD/mirror.git/objects > .git/objects/info/alternates; "
      "echo mirror.git > .git/info/exclude");
  const std::string state =
      "for r in main linked other shared sub/lib apart borrowing; do (cd $r; "
      "git for-each-ref; git symbolic-ref -q HEAD || :; git ls-files --stage; "
      "git config --list); done";
  const std::string before = git(state);
  for (const SandboxSupport& support : supports_here()) {
    for (const char* tree : {"main", "linked", "shared", "sub", "sub/lib", "apart", "borrowing"}) {
      CAPTURE(tree);
      SandboxSettings settings;
      settings.home_files[".gitconfig"] =
          "[safe]\n\tdirectory = *\n[user]\n\tname = t\n\temail = t\n";
      auto sandbox = Sandbox::open(settings, folder.at(tree), {{"PATH", "/usr/bin:/bin"}}, support);
      REQUIRE(sandbox.ok());
      CAPTURE(sandbox->description());
      const auto run = [&](const std::string& script) {
        const auto result = SandboxRunner(*sandbox).run({.argv = {"sh", "-c", script}}, cancel);
        REQUIRE(result.ok());
        return result->out;
      };
      CHECK(run("touch x; git status --short; git log -1 --format=%s") == "?? x\nfirst\n");
      run("rm x; git commit -q --allow-empty -m second; git branch b; git stash; git gc -q; "
          "git config a.b c; git update-ref -d HEAD; git update-index --add --cacheinfo 160000,"
          "$(git rev-parse HEAD),evil; echo x >> .git; rm -rf .git repo.git mirror.git/objects; "
          "echo /x > repo.git/commondir");
      CHECK(git(state) == before);
    }
  }
}

TEST_CASE("sandbox: a missing protected path leaves nothing in its place") {
  Bench bench;
  for (Sandbox& sandbox : bench.sandboxes) {
    CAPTURE(sandbox.description());
    REQUIRE(bench.run(sandbox, "echo x > .pedrocli.json; mkdir -p .pedro/prompts").ok());
    CHECK_FALSE(std::filesystem::exists(bench.folder.at("tree/.pedrocli.json")));
    CHECK_FALSE(std::filesystem::exists(bench.folder.at("tree/.pedro")));
  }
}

TEST_CASE("sandbox: folders that lead to a missing protected path stay where they are") {
  Bench bench({.protect = {}});
  for (const SandboxSupport& support : supports_here()) {
    const std::string hooks = bench.folder.at("tree/.husky/_");
    auto sandbox = Sandbox::open({.protect = {hooks}}, bench.folder.at("tree"),
                                 {{"PATH", "/usr/bin:/bin"}}, support);
    REQUIRE(sandbox.ok());
    CAPTURE(sandbox->description());
    REQUIRE(bench
                .run(*sandbox,
                     "mkdir -p .husky; mv .husky x; mkdir -p .husky/_; echo evil > "
                     ".husky/_/pre-commit; rm -rf x")
                .ok());
    CHECK_FALSE(std::filesystem::exists(hooks + "/pre-commit"));
  }
}

TEST_CASE("sandbox: its scratch folder lies outside of the project") {
  TempFolder folder;
  std::filesystem::create_directories(folder.at("tree/tmp"));
  for (const std::string& parent : {folder.at("tree"), folder.at("tree/tmp"), folder.at("none")}) {
    auto sandbox = Sandbox::open(
        {}, folder.at("tree"), {{"PATH", "/usr/bin:/bin"}, {"TMPDIR", parent}}, sandbox_support());
    REQUIRE(sandbox.ok());
    CHECK(sandbox->scratch().starts_with("/tmp/"));
    CHECK_FALSE(is_below(sandbox->scratch(), folder.at("tree")));
  }
}

TEST_CASE("placeholders: only the empty ones go, and the folders made for them") {
  TempFolder folder;
  folder.write("there", "x\n");
  {
    const Placeholders placeholders({folder.at("a/b/c"), folder.at("d"), folder.at("there")});
    CHECK(placeholders.files() == std::vector<std::string>{folder.at("a/b/c"), folder.at("d")});
    folder.write("d", "the user's\n");
  }
  CHECK_FALSE(std::filesystem::exists(folder.at("a")));
  CHECK(folder.read("d") == "the user's\n");
  CHECK(folder.read("there") == "x\n");
}

TEST_CASE("placeholders: a process that removes left ones removes none of another's") {
  TempFolder folder;
  const std::string path = folder.at("a");
  std::atomic<bool> is_over = false;
  std::thread remover([&] {
    while (!is_over) remove_left_placeholders({path});
  });
  int kept = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Placeholders placeholders({path});
    kept += placeholders.files().size() == 1 && ::access(path.c_str(), F_OK) == 0 ? 1 : 0;
  }
  is_over = true;
  remover.join();
  CHECK(kept == 20'000);
}

TEST_CASE("sandbox: the next run removes a killed run's placeholder for a missing path") {
  TempFolder folder;
  folder.write("tree/.git/config", "[core]\n");
  for (const SandboxSupport& support : supports_here()) {
    folder.write("tree/.pedrocli.json", "");
    REQUIRE(Sandbox::open({}, folder.at("tree"), {{"PATH", "/usr/bin:/bin"}}, support).ok());
    CHECK(std::filesystem::exists(folder.at("tree/.pedrocli.json")));  // the user's own file
    REQUIRE(::chmod(folder.at("tree/.pedrocli.json").c_str(), 01400) == 0);
    {
      const Placeholders others({folder.at("tree/.pedro")});
      REQUIRE(Sandbox::open({}, folder.at("tree"), {{"PATH", "/usr/bin:/bin"}}, support).ok());
      CHECK(std::filesystem::exists(folder.at("tree/.pedro")));  // belongs to a living process
    }
    CHECK_FALSE(std::filesystem::exists(folder.at("tree/.pedro")));
    REQUIRE(Sandbox::open({}, folder.at("tree"), {{"PATH", "/usr/bin:/bin"}}, support).ok());
    CHECK_FALSE(std::filesystem::exists(folder.at("tree/.pedrocli.json")));
  }
}
