// Attacks on the user's next git command: a job leaves something that git runs or obeys. Without
// the sandbox, each must succeed; otherwise the case would prove nothing.
#include <doctest/doctest.h>

#include <cstdlib>

#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

struct NextGitAttack {
  const char* name;
  const char* before;  // the user's preparation, in a repository that ignores `local`
  const char* work;    // the job's command. @HOOK PATH@ writes a program, @EVIL@ is its command
  const char* next;    // the user's next command
};

enum class Sandboxed { kNo, kYes };

struct NextGitBench : Program {
  NextGitBench() {
    folder.write("project/a.txt", "bad\n");
    folder.write("project/Makefile", "test:\n\tgrep -q good a.txt\n");
    folder.write("project/.gitignore", "local\n");
    folder.write("project/src/x.c", "");
    commit_project();
    extra_environment["PATH"] =
        folder.at("project/local/bin") + ":" + folder.at("project/src") + ":" + std::getenv("PATH");
    extra_environment["GIT_CONFIG_COUNT"] = "1";
    extra_environment["GIT_CONFIG_KEY_0"] = "core.hooksPath";
    extra_environment["GIT_CONFIG_VALUE_0"] = "local/variable";
  }

  std::string filled(std::string script) const {
    constexpr std::string_view kHook = "@HOOK ";
    for (std::size_t at = script.find(kHook); at != script.npos; at = script.find(kHook)) {
      const std::size_t end = script.find('@', at + 1);
      const std::string path = script.substr(at + kHook.size(), end - at - kHook.size());
      script.replace(at, end + 1 - at,
                     "mkdir -p $(dirname " + path + "); printf '#!/bin/sh\\n@EVIL@\\n' > " + path +
                         "; chmod +x " + path);
    }
    return replace_all(script, "@EVIL@", "touch " + folder.at("evil"));
  }

  void as_user(const std::string& script) {
    Command command{.argv = {"sh", "-c", filled(script)}, .folder = project()};
    command.environment = environment();
    for (const auto& [name, value] : extra_environment) command.environment[name] = value;
    command.environment["GIT_CONFIG_COUNT"] = "0";
    for (const char* name : {"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"}) {
      command.environment[name] = "t";
    }
    for (const char* name : {"GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"}) {
      command.environment[name] = "t@localhost";
    }
    REQUIRE(processes.run(command, cancel).ok());
  }

  // Returns true if the user's next git command runs a program of the job.
  bool succeeds(const NextGitAttack& attack, Sandboxed sandboxed) {
    as_user(attack.before);
    const std::string work = filled(attack.work);
    if (sandboxed == Sandboxed::kYes) {
      const std::string reply =
          call("bash", {{"action", "run"}, {"command", work + "; echo good > a.txt"}});
      const ProcessResult job = run({"build", "-description", "Say good", "-backend", "manual"},
                                    typed({kAnalyzed, kPlanned, reply, kDone, kDelivered}));
      CAPTURE(job.err);
      CHECK((job.exit_code == 0 || job.exit_code == 5));
      CHECK_FALSE(std::filesystem::exists(folder.at("evil")));
    } else {
      as_user(work);
    }
    as_user(attack.next);
    return std::filesystem::exists(folder.at("evil"));
  }
};

constexpr const char* kCommit = "git commit -q --allow-empty -m next";
constexpr const char* kMonitor = "config core.fsmonitor '@EVIL@; false'";

const std::vector<NextGitAttack>& attacks() {
  static const std::string monitor = kMonitor;
  static const std::string in_lib = "git -C lib " + monitor;
  static const std::string in_src = "git init -q src; git -C src " + monitor;
  static const std::string in_linked =
      "cd local/linked; rm .git; git init -q; git " + monitor + "; cd ../..";
  static const std::string in_new =
      "git init -q new; cd new; git -c user.name=t -c user.email=t@localhost commit -q "
      "--allow-empty -m x; git " +
      monitor + "; cd ..";
  static const std::vector<NextGitAttack> all = {
      {"an ignored hook in a tracked folder",
       "mkdir hooks; touch hooks/x; git add hooks; git commit -qm x; git config core.hooksPath "
       "hooks",
       "@HOOK hooks/pre-commit@; echo '*' > hooks/.gitignore", kCommit},
      {"a program that husky's hook runs",
       "mkdir -p .husky/_; printf '#!/bin/sh\\n. .husky/pre-commit\\n' > .husky/_/pre-commit; "
       "chmod +x .husky/_/pre-commit; echo '*' > .husky/_/.gitignore; echo true > .husky/x; git "
       "add .husky; git commit -qm x; git config core.hooksPath .husky/_",
       "@HOOK .husky/pre-commit@", kCommit},
      {"a hook's missing target", "ln -s ../../local/hook .git/hooks/pre-commit",
       "@HOOK local/hook@", kCommit},
      {"a hook's program",
       "mkdir local; echo true > local/x; printf '#!/bin/sh\\nsh local/x\\n' > "
       ".git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
       "@HOOK local/x@", kCommit},
      {"hooks of a variable", "true", "@HOOK local/variable/pre-commit@",
       "GIT_CONFIG_COUNT=1 git commit -q --allow-empty -m next"},
      {"hooks below the home folder",
       "git config core.hooksPath \"~/$(realpath --relative-to=$HOME .)/local/h\"",
       "@HOOK local/h/pre-commit@", kCommit},
      {"hooks through a link",
       "mkdir -p local/real; ln -s real local/way; git config core.hooksPath local/way/h",
       "rm local/way; @HOOK local/way/h/pre-commit@", kCommit},
      {"an alias in another folder", "git config alias.x '!cd local && ./x'; mkdir local",
       "@HOOK local/x@", "git x"},
      {"a separate git folder", "git init -q --separate-git-dir local",
       "@HOOK local/hooks/pre-commit@", kCommit},
      {"a repository in the index",
       "git init -q lib; git -C lib commit -q --allow-empty -m x; git add lib; git commit -qm x",
       in_lib.c_str(), "git status"},
      {"a linked work tree", "git worktree add -q local/linked -b linked", in_linked.c_str(),
       "git -C local/linked status"},
      {"a repository in a tracked folder", "true", in_src.c_str(), "git -C src status"},
      {"a new repository", "true", in_new.c_str(), "git add -A; git status"},
      {"a program in a folder of PATH", "mkdir -p local/bin", "@HOOK local/bin/git@", "git status"},
      {"git in a tracked folder of PATH", "true",
       "@HOOK src/git@; printf 'git\\n.gitignore\\n' > src/.gitignore", "git status"},
      {"a remote", "git clone -q --bare . local; git remote add x ./local",
       "@HOOK local/hooks/post-receive@", "git push -q x main:y"},
  };
  return all;
}

bool comes_off(const NextGitAttack& attack, Sandboxed sandboxed) {
  NextGitBench bench;
  return bench.succeeds(attack, sandboxed);
}

}  // namespace

TEST_CASE("next git: nothing that a job leaves runs") {
  for (const NextGitAttack& attack : attacks()) {
    CAPTURE(attack.name);
    CHECK(comes_off(attack, Sandboxed::kNo));
    CHECK_FALSE(comes_off(attack, Sandboxed::kYes));
  }
}

TEST_CASE("next git: the user learns of a repository that a job created") {
  NextGitBench bench;
  const std::string work =
      call("bash", {{"action", "run"}, {"command", "git init -q src; echo good > a.txt"}});
  const ProcessResult job = bench.run({"build", "-description", "Say good", "-backend", "manual"},
                                      typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  const std::string git = bench.folder.at("project/src/.git");
  CAPTURE(job.err);
  CHECK(job.err.find("warning: " + git +
                     " was created during the job; git would run programs it names, so it is now " +
                     git + ".disabled") != std::string::npos);
}

TEST_CASE("next git: a job's commands have the user's settings, and ignore the same files") {
  Program bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.commit_project();
  bench.folder.write("ignored", "*.log\n");
  bench.folder.write("gitconfig",
                     "[alias]\n\tsay = \"!echo \\\"a  b\\\"\"\n"
                     "[core]\n\texcludesFile = none\n\texcludesFile = ~/ignored\n");
  bench.extra_environment["GIT_CONFIG_GLOBAL"] = bench.folder.at("gitconfig");
  const ProcessResult result =
      bench.run({"build", "-description", "Be good", "-backend", "manual", "-test-cmd",
                 "grep -q good a.txt && test \"$(git say)\" = 'a  b' && touch n.log && "
                 "test -z \"$(git status --porcelain n.log)\""},
                typed({kAnalyzed, kPlanned,
                       call("bash", {{"action", "run"}, {"command", "echo good > a.txt"}}), kDone,
                       kDone, kDone, kDone, kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
}

}  // namespace pedro
