// Tests `build -worktree`: a job in its own work tree.
#include <set>
#include <thread>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

struct Trees : Program {
  Trees() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }

  ProcessResult build(const std::vector<std::string>& replies,
                      const std::vector<std::string>& flags = {}) {
    std::vector<std::string> args = {"build",  "-description", "Be good",   "-backend",
                                     "manual", "-worktree",    "-test-cmd", "grep -q good a.txt"};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args, typed(replies));
  }
  std::vector<std::string> trees() const {
    std::vector<std::string> found;
    const std::string all = folder.at("state/pedrocli/worktrees");
    if (!std::filesystem::exists(all)) return found;
    for (const auto& entry : std::filesystem::directory_iterator(all)) {
      found.push_back(entry.path().string());
    }
    return found;
  }
};

}  // namespace

TEST_CASE("worktree: the branch stays, the work tree goes, the user's files, index and HEAD stay") {
  Trees bench;
  bench.folder.write("project/a.txt", "mine\n");
  bench.folder.write("project/staged.txt", "mine\n");
  bench.git({"add", "staged.txt"});
  const auto before = bench.all_files();
  const ProcessResult built = bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered});
  CAPTURE(built.err);
  CHECK(built.exit_code == 0);
  CHECK(built.err.find("warning: the job does not see uncommitted changes in " + bench.project() +
                       ": a.txt and 1 more\n") != std::string::npos);
  CHECK(bench.git({"show", "pedrocli/be-good:a.txt"}) == "good\n");
  CHECK(bench.git({"show", "--stat", "--format=", "pedrocli/be-good"}).find("staged") ==
        std::string::npos);
  CHECK(bench.trees().empty());
  CHECK(bench.git({"worktree", "list"}).find("state") == std::string::npos);
  auto after = bench.all_files();
  // The additions of a commit on a new branch to a repository.
  std::erase_if(after, [](const auto& file) {
    return file.first.starts_with(".git/objects/") ||
           file.first.find("refs/heads/pedrocli/") != std::string::npos ||
           file.first.starts_with(".git/refs/pedrocli/");
  });
  auto expected = before;
  std::erase_if(expected, [](const auto& file) { return file.first.starts_with(".git/objects/"); });
  CHECK(after == expected);

  const ProcessResult undone = bench.run({"undo"});
  CHECK(undone.exit_code == 2);
  CHECK(undone.err.find(": it had its own work tree, which is removed; your files were never "
                        "touched, its work is on branch pedrocli/be-good\n") != std::string::npos);
  CHECK(bench.run({"undo", "-forget"}).out.find(": 2 refs removed; ") != std::string::npos);
  CHECK(bench.git({"for-each-ref", "refs/pedrocli"}).empty());
}

TEST_CASE("worktree: unfinished work is on the branch, and a job without work leaves nothing") {
  Trees bench;
  const ProcessResult cut = bench.build({kAnalyzed, kPlanned, kEdit});  // the model stops replying
  CAPTURE(cut.err);
  CHECK(cut.exit_code != 0);
  CHECK(bench.git({"show", "pedrocli/be-good:a.txt"}) == "good\n");
  CHECK(bench.trees().empty());

  const ProcessResult none = bench.build({kAnalyzed});
  CHECK(none.exit_code != 0);
  CHECK(bench.git({"branch", "--list", "pedrocli/*"}) == "  pedrocli/be-good\n");
  CHECK(bench.trees().empty());
  CHECK(bench.git({"worktree", "list"}).find("state") == std::string::npos);
}

TEST_CASE("worktree: uncommitted work keeps the work tree, which is named and can be undone") {
  Trees bench;
  const ProcessResult built =
      bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}, {"-no-commit"});
  CAPTURE(built.err);
  CHECK(built.exit_code == 0);
  REQUIRE(bench.trees().size() == 1);
  const std::string tree = bench.trees()[0];
  CHECK(built.err.find("pedrocli: the job's work tree " + tree +
                       " is kept: it has uncommitted work\n") != std::string::npos);
  CHECK(bench.folder.read("project/a.txt") == "bad\n");
  const RealFileSystem files;
  CHECK(*files.read(tree + "/a.txt", 100) == "good\n");
  CHECK(bench.run({"undo"}).exit_code == 0);
  CHECK(*files.read(tree + "/a.txt", 100) == "bad\n");
}

TEST_CASE("worktree: commands see git, and cannot write its settings or to other work trees") {
  Trees bench;
  bench.git({"worktree", "add", "-q", "--detach", bench.folder.at("other")});
  const std::string command =
      R"({"tool":"bash","args":{"action":"run","command":"git log --format=%s; )"
      R"(cd $(git rev-parse --git-common-dir); echo x >> config; echo x > hooks/x; )"
      R"(echo x > worktrees/other/HEAD; echo end"}})";
  const std::string config = bench.folder.read("project/.git/config");
  const ProcessResult built = bench.build({kAnalyzed, kPlanned, command, kEdit, kDone, kDelivered});
  CAPTURE(built.err);
  CHECK(built.exit_code == 0);
  CHECK(built.err.find("\ninit\n") != std::string::npos);
  CHECK(built.err.find("\nend\n") != std::string::npos);
  CHECK(bench.folder.read("project/.git/config") == config);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/.git/hooks/x")));
  CHECK(bench.folder.read("project/.git/worktrees/other/HEAD").size() == 41);
}

TEST_CASE("worktree: submodules are empty, which is said") {
  Trees bench;
  bench.folder.write("project/.gitmodules", "");
  bench.git({"add", "-A"});
  bench.git({"commit", "-qm", "modules"});
  const ProcessResult built = bench.build({kAnalyzed, kPlanned, kEdit, kDone, kDelivered});
  CHECK(built.err.find("warning: submodules are empty folders in the job's work tree\n") !=
        std::string::npos);
}

TEST_CASE("worktree: reports impossible options, and leaves nothing") {
  Trees bench;
  const ProcessResult both = bench.build({}, {"-allow-dirty"});
  CHECK(both.exit_code == 2);
  CHECK(both.err == "pedrocli: -worktree starts from the committed files: omit -allow-dirty\n");
  const ProcessResult base = bench.build({}, {"-base", "nowhere"});
  CHECK(base.exit_code == 2);
  bench.folder.write("state/pedrocli/worktrees", "a file");
  const ProcessResult blocked = bench.build({});
  CHECK(blocked.exit_code == 1);
  CHECK(blocked.err.find("-worktree: " + bench.folder.at("state/pedrocli/worktrees") +
                         ": Not a directory") != std::string::npos);
  CHECK(bench.git({"worktree", "list"}).find("state") == std::string::npos);

  Program empty;
  empty.git({"init", "-q"});
  const ProcessResult unborn = empty.run({"build", "-description", "x", "-worktree"});
  CHECK(unborn.exit_code == 2);
  CHECK(unborn.err.find(": no commits yet; commit something first") != std::string::npos);
}

TEST_CASE("worktree: jobs run concurrently, while another runs in the user's tree") {
  Trees bench;
  constexpr std::size_t kJobs = 4;
  std::vector<ProcessResult> results(kJobs + 1);
  std::vector<std::thread> jobs;
  for (std::size_t i = 0; i <= kJobs; ++i) {
    jobs.emplace_back([&, i] {
      const std::string edit = R"({"tool":"file","args":{"action":"write","path":"job)" +
                               std::to_string(i) + R"(.txt","content":"x"}})";
      std::vector<std::string> args = {
          "build",     "-description",       "Be good", "-backend", "manual",
          "-test-cmd", "grep -q good a.txt", "-quiet"};
      if (i < kJobs) args.emplace_back("-worktree");
      results[i] = bench.run(args, typed({kAnalyzed, kPlanned, edit, kEdit, kDone, kDelivered}));
    });
  }
  for (std::thread& job : jobs) job.join();
  std::set<std::string> written;
  for (std::size_t i = 0; i <= kJobs; ++i) {
    CAPTURE(results[i].err);
    CHECK(results[i].exit_code == 0);
    const std::string& report = results[i].out;
    CHECK(report.find("during the job branch") == std::string::npos);
    const std::string name = i == 0 ? "" : "-" + std::to_string(i + 1);
    const std::string files = bench.git({"diff", "--name-only", "main", "pedrocli/be-good" + name});
    CHECK(files.starts_with("a.txt\njob"));
    CHECK(split_lines(files).size() == 2);
    written.insert(files);
  }
  CHECK(written.size() == kJobs + 1);
  CHECK(bench.trees().empty());
}

}  // namespace pedro
