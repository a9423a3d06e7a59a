#include "git/delivery.h"

#include <sys/stat.h>

#include <algorithm>

#include "git/checkpoints.h"
#include "support/git_folder.h"

using namespace pedro;
using namespace std::string_literals;

TEST_CASE("delivery: a branch is named after issue and title") {
  struct Row {
    const char* name;
    int issue;
    std::string title;
    std::string expected;
  };
  const Row rows[] = {
      {"issue and title", 32, "Fix the Parser: crash!", "pedrocli/issue-32-fix-the-parser-crash"},
      {"no issue", 0, "Add --json", "pedrocli/add-json"},
      {"a title in another script", 7, "\xE4\xBF\xAE\xE5\xA4\x8D", "pedrocli/issue-7"},
      {"nothing at all", 0, "!!!", "pedrocli/task"},
      {"a long title ends with a word", 1, "one two three four five six seven eight nine ten",
       "pedrocli/issue-1-one-two-three-four-five-six-seven-eight"},
      {"a long word is cut", 1, std::string(60, 'x'), "pedrocli/issue-1-" + std::string(40, 'x')},
      {"exactly forty bytes", 0, std::string(40, 'x') + " y", "pedrocli/" + std::string(40, 'x')},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const std::string name = branch_name("pedrocli/", row.issue, row.title);
    CHECK(name == row.expected);
    CHECK(branch_problem(name) == "");
  }
}

TEST_CASE("delivery: a commit message is bounded and names the issue once") {
  struct Row {
    const char* name;
    CommitText text;
    int issue;
    std::string expected;
  };
  const std::string words = "word word word word word word word word word word word word word word";
  const Row rows[] = {
      {"subject and body",
       {"parser: accept ''", "Why.\r\nAnd how.\n"},
       32,
       "parser: accept ''\n\nWhy.\nAnd how.\n\nFixes #32\n"},
      {"no body", {"x", " "}, 32, "x\n\nFixes #32\n"},
      {"no issue", {"x", "y"}, 0, "x\n\ny\n"},
      {"the body says it", {"x", "This closes #32."}, 32, "x\n\nThis closes #32.\n"},
      {"the body says another",
       {"x", "See also: fixes #321"},
       32,
       "x\n\nSee also: fixes #321\n\nFixes #32\n"},
      {"a word that ends like one",
       {"x", "New prefix #32"},
       32,
       "x\n\nNew prefix #32\n\nFixes #32\n"},
      {"another first", {"x", "Fixes #320, fixes #32"}, 32, "x\n\nFixes #320, fixes #32\n"},
      {"no subject", {"\n", ""}, 0, "The title\n"},
      {"a subject of several lines", {"a\n\nb\tc", ""}, 0, "a b c\n"},
      {"a long subject ends with a word", {words + " word", ""}, 0, words.substr(0, 69) + "...\n"},
      {"a long word is cut", {std::string(80, 'x'), ""}, 0, std::string(69, 'x') + "...\n"},
      {"control characters", {"a\x1b[31m", "b\x07"}, 0, "a\xEF\xBF\xBD[31m\n\nb\xEF\xBF\xBD\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(commit_message(row.text, row.issue, "The title") == row.expected);
  }
  CHECK(commit_message({"x", std::string(5000, 'y')}, 0, "") ==
        "x\n\n" + std::string(4000, 'y') + "\n");
  CHECK(commit_message({}, 0, "") == "Work by pedrocli\n");
}

namespace {

/// Runs the real git, and a scripted gh.
class GitAndFakeGh : public ProcessRunner {
 public:
  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override {
    if (command.argv[0] != "gh") return real.run(command, cancel);
    asked.push_back(command);
    ProcessResult result;
    result.out = answers.empty() ? "" : answers.front();
    if (!answers.empty()) answers.erase(answers.begin());
    return result;
  }
  std::string find(const std::string& name) const override {
    return name == "gh" ? (has_gh ? "/usr/bin/gh" : "") : real.find(name);
  }

  RealProcessRunner real;
  bool has_gh = true;
  std::vector<std::string> answers;
  std::vector<Command> asked;
};

/// A repository on its branch for issue 3, in the state of a build before the model's first change.
struct DeliveryBench {
  DeliveryBench() {
    folder.init();
    folder.put("a.txt", "one\n");
    folder.put("b.txt", "two\n");
    folder.commit_all("first");
    repository = *Repository::open(files, processes, cancel, folder.tree());
    plan.base = *repository->commit_id();
    plan.base_branch = "main";
    plan.issue_number = 3;
    plan.title = "Change a";
    plan.branch = branch_name("pedrocli/", 3, plan.title);
    REQUIRE(repository->create_branch(plan.branch, plan.base).ok());
    plan.text = {"a: say 1", "Because."};
    plan.patch_path = folder.at("job.patch");
  }

  void with_remote() {
    folder.git({"init", "--quiet", "--bare", folder.at("remote.git")});
    folder.git({"remote", "add", "origin", folder.at("remote.git")});
    pushes = true;
  }

  /// Takes the checkpoint before a job.
  void begin_job() {
    REQUIRE(Checkpoints(*repository, "20260101-000000-abcd").take(plan.base, 0).ok());
  }

  /// Begins a job on the present files, with the secrets of a file ".env".
  void begin_with_secrets(const std::string& env) {
    commit_base();
    begin_job();
    secrets.add_env_file(".env", env);
    plan.secrets = &secrets;
  }

  /// Makes the committed files the base of the job.
  void commit_base() {
    folder.git({"switch", "-q", "main"});
    folder.commit_all("base");
    plan.base = *repository->commit_id();
    folder.git({"switch", "-q", "-C", plan.branch});
  }

  Delivery deliver() {
    auto delivery = pedro::deliver(plan, *repository);
    INFO((delivery.ok() ? "" : delivery.error().message));
    REQUIRE(delivery.ok());
    if (pushes && !delivery->problem && !delivery->nothing_changed) {
      const Status published = publish(plan, *repository, *delivery);
      if (!published) delivery->problem = published.error();
    }
    return *delivery;
  }

  GitFolder folder;
  RealFileSystem files;
  GitAndFakeGh processes;
  CancelToken cancel;
  std::optional<Repository> repository;
  DeliveryPlan plan;
  SecretMask secrets;
  bool pushes = false;
};

using Words = std::vector<std::string>;

// Returns the private files of a delivery, all for that reason.
Words kept(const Delivery& delivery, PrivateBy reason) {
  Words paths;
  for (const ChangedFile& file : delivery.kept_private) {
    CHECK(file.private_by == reason);
    paths.push_back(file.path);
  }
  return paths;
}

}  // namespace

TEST_CASE("delivery: exactly the changed files become one commit, and a patch") {
  DeliveryBench bench;
  bench.folder.put("a.txt", "1\n");
  bench.folder.put("new.txt", "n\n");
  bench.folder.put("build/CMakeCache.txt", "");
  std::filesystem::remove(bench.folder.at("tree/b.txt"));
  const Delivery delivery = bench.deliver();
  CHECK_FALSE(delivery.nothing_changed);
  CHECK_FALSE(delivery.problem);
  CHECK(delivery.branch == "pedrocli/issue-3-change-a");
  CHECK(delivery.files == Words{"a.txt", "b.txt", "new.txt"});
  CHECK(delivery.left_out == Words{"build/CMakeCache.txt"});
  CHECK(delivery.commit == bench.folder.git({"rev-parse", "pedrocli/issue-3-change-a"}));
  CHECK(bench.folder.git({"log", "-1", "--format=%B"}) == "a: say 1\n\nBecause.\n\nFixes #3");
  CHECK(bench.folder.git({"status", "--short"}) == "?? build/");
  CHECK(bench.folder.read("job.patch").find("Subject: [PATCH] a: say 1") != std::string::npos);
  CHECK_FALSE(delivery.pushed);
  CHECK(bench.processes.asked.empty());
}

TEST_CASE("delivery: nothing changed is an outcome of its own") {
  DeliveryBench bench;
  bench.folder.put("build/CMakeCache.txt", "");
  const Delivery delivery = bench.deliver();
  CHECK(delivery.nothing_changed);
  CHECK(delivery.commit == "");
  CHECK(delivery.left_out == Words{"build/CMakeCache.txt"});
  CHECK_FALSE(std::filesystem::exists(bench.plan.patch_path));
}

TEST_CASE("delivery: makes one commit on the branch, whatever the model did with git") {
  DeliveryBench bench;
  bench.folder.put("a.txt", "1\n");
  bench.folder.commit_all("wip");
  bench.folder.git({"checkout", "--quiet", "-b", "my-own-idea"});
  bench.folder.git({"rm", "--quiet", "--cached", "b.txt"});
  bench.folder.put("b.txt", "2\n");
  bench.folder.put("c.txt", "3\n");
  bench.folder.git({"add", "c.txt"});
  const Delivery delivery = bench.deliver();
  CHECK_FALSE(delivery.problem);
  CHECK(bench.folder.git({"rev-parse", "--abbrev-ref", "HEAD"}) == "pedrocli/issue-3-change-a");
  CHECK(bench.folder.git({"rev-parse", "HEAD~1"}) == bench.plan.base);
  CHECK(bench.folder.git({"show", "--name-status", "--format=", "HEAD"}) ==
        "M\ta.txt\nM\tb.txt\nA\tc.txt");
  CHECK(bench.folder.git({"status", "--short"}) == "");
}

TEST_CASE("delivery: files that were dirty before and are unchanged stay in place") {
  DeliveryBench bench;
  bench.folder.put("a.txt", "mine\n");
  bench.folder.put("b.txt", "mine too\n");
  const auto before = bench.repository->changed_files(bench.plan.base);
  REQUIRE(before.ok());
  bench.plan.before = *before;
  CHECK(bench.deliver().nothing_changed);
  bench.folder.put("b.txt", "mine too, and the model's\n");
  bench.folder.put("c.txt", "new\n");
  const Delivery delivery = bench.deliver();
  CHECK(delivery.files == Words{"b.txt", "c.txt"});
  CHECK(delivery.mixed == Words{"b.txt"});
  CHECK(bench.folder.git({"status", "--short"}) == "M a.txt");
}

TEST_CASE(
    "delivery: the same work at the same time is the same commit, which may be pushed again") {
  DeliveryBench bench;
  bench.with_remote();
  bench.folder.put("a.txt", "1\n");
  bench.plan.date_s = 1'700'000'000;
  bench.processes.answers = {"[]", "https://x/pull/9\n", R"([{"url": "https://x/pull/9"}])"};
  const Delivery first = bench.deliver();
  CHECK(bench.folder.git({"log", "-1", "--format=%at %ct"}) == "1700000000 1700000000");
  const Delivery again = bench.deliver();
  CHECK_FALSE(again.problem);
  CHECK(again.pushed);
  CHECK(again.commit == first.commit);
  CHECK(again.pr_existed);

  bench.plan.date_s = 1'700'000'001;
  const Delivery later = bench.deliver();
  CHECK(later.commit != first.commit);
  CHECK(later.problem);
}

TEST_CASE("delivery: push opens a draft pull request") {
  DeliveryBench bench;
  bench.with_remote();
  bench.folder.put("a.txt", "1\n");
  bench.processes.answers = {"[]", "https://x/pull/9\n"};
  const Delivery delivery = bench.deliver();
  CHECK_FALSE(delivery.problem);
  CHECK(delivery.pushed);
  CHECK(delivery.pr_url == "https://x/pull/9");
  CHECK_FALSE(delivery.pr_existed);
  CHECK(bench.folder.git({"rev-parse", "origin/" + bench.plan.branch}) == delivery.commit);
  REQUIRE(bench.processes.asked.size() == 2);
  CHECK(bench.processes.asked[0].argv == Words{"gh", "pr", "list",
                                               "--head=pedrocli/issue-3-change-a", "--state=open",
                                               "--limit=1", "--json=url"});
  CHECK(bench.processes.asked[1].argv ==
        Words{"gh", "pr", "create", "--head=pedrocli/issue-3-change-a", "--title=a: say 1",
              "--body-file=-", "--draft", "--base=main"});
  CHECK(bench.processes.asked[1].input == "Because.\n\nFixes #3");
}

TEST_CASE("delivery: a pull request that is there is not made again") {
  DeliveryBench bench;
  bench.with_remote();
  bench.folder.put("a.txt", "1\n");
  bench.processes.answers = {R"([{"url": "https://x/pull/4"}])"};
  const Delivery delivery = bench.deliver();
  CHECK(delivery.pr_url == "https://x/pull/4");
  CHECK(delivery.pr_existed);
  CHECK(bench.processes.asked.size() == 1);
}

TEST_CASE("delivery: a failure after the commit keeps the commit") {
  DeliveryBench bench;
  bench.with_remote();
  bench.folder.put("a.txt", "1\n");
  SUBCASE("the push") {
    bench.folder.git({"remote", "set-url", "origin", bench.folder.at("nowhere.git")});
    const Delivery delivery = bench.deliver();
    REQUIRE(delivery.problem);
    CHECK(delivery.problem->message.starts_with("git push: "));
    CHECK_FALSE(delivery.pushed);
    CHECK(delivery.commit != "");
    CHECK(delivery.patch_path == bench.plan.patch_path);
  }
  SUBCASE("the pull request") {
    bench.processes.has_gh = false;
    const Delivery delivery = bench.deliver();
    REQUIRE(delivery.problem);
    CHECK(delivery.problem->message ==
          "the branch is pushed, but there is no pull request: gh is not installed");
    CHECK(delivery.pushed);
  }
  SUBCASE("the patch") {
    bench.plan.patch_path = bench.folder.at("no/such/folder/job.patch");
    const Delivery delivery = bench.deliver();
    REQUIRE(delivery.problem);
    CHECK(delivery.problem->message.starts_with("git format-patch: "));
    CHECK(delivery.patch_path == "");
    CHECK(delivery.commit != "");
  }
}

TEST_CASE("delivery: a commit that git refuses leaves the files as they are") {
  DeliveryBench bench;
  bench.folder.put("a.txt", "1\n");
  bench.folder.write("tree/.git/index.lock", "");
  const auto delivery = deliver(bench.plan, *bench.repository);
  REQUIRE_FALSE(delivery.ok());
  CHECK(delivery.error().kind == ErrorKind::kUsage);
  CHECK(bench.folder.get("a.txt") == "1\n");
}

TEST_CASE("delivery: commits of the user stay, wherever they are, and are not part of the work") {
  struct Row {
    const char* what;
    std::vector<std::vector<std::string>> commands;  // the last one is a commit
    const char* branch;
  };
  const Row rows[] = {
      {"on the job's branch", {}, "pedrocli/issue-3-change-a-2"},
      {"on a new branch", {{"switch", "-qc", "mine"}}, "pedrocli/issue-3-change-a"},
      {"on main", {{"switch", "-q", "main"}}, "pedrocli/issue-3-change-a"},
      {"nowhere", {{"switch", "-q", "--detach"}}, "pedrocli/issue-3-change-a"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    DeliveryBench bench;
    bench.plan.git_is_protected = true;
    bench.folder.put("a.txt", "1\n");
    for (const auto& command : row.commands) bench.folder.git(command);
    bench.folder.put("mine.txt", "m\n");
    bench.folder.git({"add", "mine.txt"});
    bench.folder.git({"commit", "-qm", "mine"});
    const std::string mine = bench.folder.git({"rev-parse", "HEAD"});
    const std::string head = bench.folder.ask({"symbolic-ref", "-q", "--short", "HEAD"});
    const Delivery delivery = bench.deliver();
    CHECK(delivery.branch == row.branch);
    CHECK(delivery.files == Words{"a.txt"});
    CHECK(bench.folder.git({"rev-parse", "HEAD"}) == mine);
    CHECK(bench.folder.ask({"symbolic-ref", "-q", "--short", "HEAD"}) == head);
    CHECK(bench.folder.git({"rev-parse", delivery.branch + "~1"}) == bench.plan.base);
    CHECK(bench.folder.git({"show", delivery.branch + ":a.txt"}) == "1");
    CHECK(bench.folder.read("job.patch").find("Subject: [PATCH] a: say 1") != std::string::npos);
  }
}

TEST_CASE("delivery: a file that was ignored before is not committed after a change of the rules") {
  for (const char* rules : {"", "!.env\n", "# nothing\n"}) {
    CAPTURE(rules);
    DeliveryBench bench;
    bench.folder.put(".gitignore", ".env\nprivate/\n");
    bench.folder.put("sub/.gitignore", "*.key\n");
    bench.commit_base();
    bench.folder.put(".env", "PW=1\n");
    bench.folder.put("private/x", "x\n");
    bench.folder.put("sub/a.key", "k\n");
    bench.folder.put(".gitignore", rules);
    bench.folder.put("sub/.gitignore", "");
    bench.folder.put("new.txt", "n\n");
    const Delivery delivery = bench.deliver();
    CHECK(delivery.files == Words{".gitignore", "new.txt", "sub/.gitignore"});
    CHECK(kept(delivery, PrivateBy::kIgnored) == Words{".env", "private/x", "sub/a.key"});
    CHECK(bench.folder.get(".env") == "PW=1\n");
  }
}

TEST_CASE("delivery: a file that uncommitted rules ignored before is not committed") {
  // The contents of the user's rules before the job, and after it: "-" is no file.
  const std::pair<const char*, const char*> rows[] = {
      {".env\n", ""}, {".env\n", "-"}, {".env\n", "!.env\n"}, {"x\n.env\n", "x\n"}};
  for (const auto& [before, after] : rows) {
    for (const bool tracked : {false, true}) {
      CAPTURE(before);
      CAPTURE(after);
      CAPTURE(tracked);
      DeliveryBench bench;
      if (tracked) {
        bench.folder.put(".gitignore", "x\n");
        bench.commit_base();
      }
      bench.folder.put(".gitignore", before);
      bench.folder.put(".env", "PW=1\n");
      bench.plan.before = *bench.repository->uncommitted_files();
      bench.begin_job();
      bench.folder.put("new.txt", "n\n");
      if (std::string_view(after) == "-") {
        std::filesystem::remove(bench.folder.at("tree/.gitignore"));
      } else {
        bench.folder.put(".gitignore", after);
      }
      const Delivery delivery = bench.deliver();
      CHECK(kept(delivery, PrivateBy::kIgnored) == Words{".env"});
      CHECK(std::count(delivery.files.begin(), delivery.files.end(), ".env") == 0);
      CHECK(std::count(delivery.files.begin(), delivery.files.end(), "new.txt") == 1);
    }
  }
}

TEST_CASE("delivery: files that the user's uncommitted rules no longer ignore can be committed") {
  DeliveryBench bench;
  bench.folder.put(".gitignore", "*.txt\n");
  bench.commit_base();
  bench.folder.put(".gitignore", "");
  bench.begin_job();
  bench.folder.put("new.txt", "n\n");
  CHECK(bench.deliver().files == Words{".gitignore", "new.txt"});
}

TEST_CASE("delivery: a folder that ignores itself stays private without its rules") {
  for (const char* rules : {"-", "!*\n", "*.log\n"}) {
    CAPTURE(rules);
    DeliveryBench bench;
    bench.folder.put("secrets/.gitignore", "*\n");
    bench.folder.put("secrets/key", "k\n");
    Checkpoints checkpoints(*bench.repository, "20260101-000000-abcd");
    REQUIRE(checkpoints.take(bench.plan.base, 0).ok());
    bench.folder.put("new.txt", "n\n");
    const std::string path = bench.folder.at("tree/secrets/.gitignore");
    std::filesystem::remove(path);
    if (*rules != '-') bench.folder.put("secrets/.gitignore", rules);
    const Delivery delivery = bench.deliver();
    CHECK(delivery.files == Words{"new.txt"});
    const Words paths = kept(delivery, PrivateBy::kIgnored);
    CHECK(std::count(paths.begin(), paths.end(), "secrets/key") == 1);
    REQUIRE(checkpoints.restore(0).ok());
    CHECK(bench.folder.get("secrets/.gitignore") == "*\n");
    CHECK(bench.folder.get("secrets/key") == "k\n");
  }
}

TEST_CASE("delivery: new rules that ignore themselves do not reveal private files") {
  struct Row {
    const char* name;
    const char* rules;   // of the base
    const char* own;     // .git/info/exclude
    const char* secret;  // a file of the user
    const char* path;    // the `.gitignore` that the job writes
    const char* text;
  };
  for (const Row& row :
       {Row{"all but one", ".env\n", "", "a/.env", "a/.gitignore", "*\n!.env\n"},
        Row{"itself", "*.key\n", "", "a/x.key", "a/.gitignore", "!x.key\n.gitignore\n"},
        Row{"by a rule above", "a/*\n", "", "a/x", "a/.gitignore", "!x\n"},
        Row{"at the root", "", ".env\n", ".env", ".gitignore", "!.env\n.gitignore\n"}}) {
    CAPTURE(row.name);
    DeliveryBench bench;
    if (*row.rules != '\0') bench.folder.put(".gitignore", row.rules);
    bench.folder.put("b/x.txt", "x\n");
    bench.commit_base();
    bench.folder.put(".git/info/exclude", row.own);
    bench.folder.put(row.secret, "PW=1\n");
    CHECK(bench.repository->uncommitted_files()->empty());
    bench.folder.put(row.path, row.text);
    bench.folder.put("b/new.txt", "n\n");
    const Delivery delivery = bench.deliver();
    CHECK(delivery.files == Words{"b/new.txt"});
    const Words paths = kept(delivery, PrivateBy::kIgnored);
    CHECK(std::count(paths.begin(), paths.end(), row.secret) == 1);
  }
}

TEST_CASE("delivery: the rules of the user's commit count too, if the job has another base") {
  DeliveryBench bench;
  bench.folder.git({"switch", "-q", "main"});
  bench.folder.put(".gitignore", ".env\n");
  bench.folder.commit_all("rules");
  const std::string users = *bench.repository->commit_id();
  bench.folder.put(".env", "PW=1\n");
  bench.repository->add_rules_of(users);
  bench.folder.git({"switch", "-q", bench.plan.branch});
  bench.begin_job();
  bench.folder.put("new.txt", "n\n");
  const Delivery delivery = bench.deliver();
  CHECK(delivery.files == Words{"new.txt"});
  CHECK(kept(delivery, PrivateBy::kIgnored) == Words{".env"});
}

TEST_CASE("delivery: a new file with a line end in its name stays private") {
  DeliveryBench bench;
  bench.folder.put(".gitignore", "*.env\n");
  bench.commit_base();
  bench.folder.put("odd\n.env", "PW=1\n");
  bench.folder.put("\"quoted\".env", "PW=1\n");
  bench.folder.put(".gitignore", "");
  CHECK(bench.deliver().files == Words{".gitignore"});
}

TEST_CASE("delivery: a change that the user hides from git is not committed") {
  for (const char* mark : {"--skip-worktree", "--assume-unchanged"}) {
    for (const bool touched : {false, true}) {
      CAPTURE(mark);
      CAPTURE(touched);
      DeliveryBench bench;
      bench.folder.put("b.txt", "key=mine\n");
      bench.folder.git({"update-index", mark, "b.txt"});
      CHECK(bench.repository->uncommitted_files()->empty());
      bench.plan.before = *bench.repository->changed_files("HEAD");
      CHECK(bench.plan.before.size() == 1);
      bench.folder.put("a.txt", "1\n");
      if (touched) bench.folder.put("b.txt", "key=mine\nmore\n");
      const Delivery delivery = bench.deliver();
      CHECK(delivery.files == Words{"a.txt"});
      CHECK(kept(delivery, PrivateBy::kHidden) == (touched ? Words{"b.txt"} : Words{}));
      CHECK(delivery.untouched == (touched ? Words{} : Words{"b.txt"}));
      CHECK(bench.folder.get("b.txt").find("key=mine\n") == 0);
      CHECK("hS"s.find(bench.folder.git({"ls-files", "-v", "b.txt"})[0]) != std::string::npos);
    }
  }
}

TEST_CASE("delivery: a file that a filter of the repository converts is not committed as it is") {
  // As `git-crypt init` writes it. The job also removes the attribute.
  for (const char* attributes : {"*.secret filter=crypt\n", ""}) {
    CAPTURE(attributes);
    DeliveryBench bench;
    bench.folder.git({"config", "filter.crypt.clean", "tr a-z b-za"});
    bench.folder.put(".gitattributes", "*.secret filter=crypt\n");
    bench.folder.put("b.secret", "plain\n");
    bench.commit_base();
    bench.repository =
        *Repository::open(bench.files, bench.processes, bench.cancel, bench.folder.tree());
    CHECK(bench.repository->uncommitted_files()->empty());
    bench.folder.put("new.txt", "n\n");
    bench.folder.put("a.secret", "plain\n");
    bench.folder.put("b.secret", "changed\n");
    bench.folder.put(".gitattributes", attributes);
    const Delivery delivery = bench.deliver();
    CHECK(delivery.files ==
          (*attributes == '\0' ? Words{".gitattributes", "new.txt"} : Words{"new.txt"}));
    CHECK(kept(delivery, PrivateBy::kFilter) == Words{"a.secret", "b.secret"});
    CHECK(bench.folder.git({"show", delivery.commit + ":b.secret"}).find("plain") ==
          std::string::npos);
  }
}

TEST_CASE("delivery: uncommitted attributes of the user make a file private, also without them") {
  for (const char* ignored : {"", ".gitattributes\n"}) {
    CAPTURE(ignored);
    DeliveryBench bench;
    bench.folder.put(".git/info/exclude", ignored);
    bench.folder.git({"config", "filter.crypt.clean", "tr a-z b-za"});
    bench.folder.put(".gitattributes", "*.secret filter=crypt\n");
    bench.folder.put("b.secret", "plain\n");
    bench.folder.git({"add", "b.secret"});
    bench.folder.git({"commit", "-q", "-m", "secret"});
    bench.plan.base = *bench.repository->commit_id();
    bench.repository =
        *Repository::open(bench.files, bench.processes, bench.cancel, bench.folder.tree());
    bench.begin_job();
    std::filesystem::remove(bench.folder.at("tree/.gitattributes"));
    bench.folder.put("b.secret", "changed\n");
    bench.folder.put("new.txt", "n\n");
    CHECK(bench.deliver().files == Words{"new.txt"});
  }
}

TEST_CASE("delivery: rules that a sparse checkout leaves out count too") {
  DeliveryBench bench;
  bench.folder.put("in/x", "x\n");
  bench.folder.put("out/.gitignore", "*.key\n");
  bench.commit_base();
  bench.folder.git({"sparse-checkout", "set", "in"});
  bench.folder.put("out/s.key", "PW=1\n");
  CHECK(bench.repository->uncommitted_files()->empty());
  bench.folder.put("a.txt", "1\n");
  CHECK(bench.deliver().files == Words{"a.txt"});
}

TEST_CASE("delivery: a hidden change outside of a sparse checkout is not committed") {
  DeliveryBench bench;
  bench.folder.git({"config", "core.sparseCheckout", "true"});
  bench.folder.git({"config", "sparse.expectFilesOutsideOfPatterns", "true"});
  bench.folder.put(".git/info/sparse-checkout", "/a.txt\n");
  bench.folder.put("b.txt", "key=mine\n");
  bench.folder.git({"update-index", "--skip-worktree", "b.txt"});
  CHECK(bench.repository->uncommitted_files()->empty());
  bench.folder.put("b.txt", "key=mine\nmore\n");
  bench.folder.put("a.txt", "1\n");
  const Delivery delivery = bench.deliver();
  CHECK(delivery.files == Words{"a.txt"});
  CHECK(kept(delivery, PrivateBy::kHidden) == Words{"b.txt"});
}

TEST_CASE("delivery: a pipe in place of a file is a deletion") {
  DeliveryBench bench;
  bench.folder.put("a.txt", "1\n");
  std::filesystem::remove(bench.folder.at("tree/b.txt"));
  REQUIRE(::mkfifo(bench.folder.at("tree/b.txt").c_str(), 0600) == 0);
  REQUIRE(::mkfifo(bench.folder.at("tree/c.txt").c_str(), 0600) == 0);
  CHECK(bench.deliver().files == Words{"a.txt", "b.txt"});
}

TEST_CASE("delivery: files with a secret of the user are not committed") {
  DeliveryBench bench;
  bench.folder.put("settings.txt", "password=hunter2-hunter2\n");
  bench.begin_with_secrets("DB_PASSWORD=hunter2-hunter2\nAPP_NAME=my-cool-app-7\n");
  bench.folder.put("a.txt", "my-cool-app-7\n");
  bench.folder.put("copy.txt", "DB_PASSWORD=hunter2-hunter2\n");
  bench.folder.put("encoded.txt", "aHVudGVyMi1odW50ZXIy\n");
  bench.folder.put("b.txt", "login('x', 'hunter2-hunter2')\n");
  bench.folder.put("settings.txt", "password=hunter2-hunter2\nmore=1\n");  // had it before
  const Delivery delivery = bench.deliver();
  CHECK(delivery.files == Words{"a.txt", "settings.txt"});
  CHECK(kept(delivery, PrivateBy::kSecret) == Words{"b.txt", "copy.txt", "encoded.txt"});
  CHECK(bench.folder.get("copy.txt") == "DB_PASSWORD=hunter2-hunter2\n");
}

TEST_CASE("delivery: a renamed file keeps its secret, a large file is searched") {
  DeliveryBench bench;
  bench.folder.put("old.txt", "password=hunter2-hunter2\n");
  bench.begin_with_secrets("DB_PASSWORD=hunter2-hunter2\n");
  std::filesystem::rename(bench.folder.at("tree/old.txt"), bench.folder.at("tree/new.txt"));
  bench.folder.put("large.txt", std::string(3u << 20, 'x') + "\nhunter2-hunter2\n");
  Delivery delivery = bench.deliver();
  CHECK(delivery.files == Words{"large.txt", "new.txt", "old.txt"});  // the name was in the base
  bench.folder.git({"reset", "-q", "--hard", bench.plan.base});
  bench.folder.put("large.txt", std::string(3u << 20, 'x') + "\nhunter2-hunter2\n");
  delivery = bench.deliver();
  CHECK(kept(delivery, PrivateBy::kSecret) == Words{"large.txt"});
}

TEST_CASE("delivery: copies of ignored files, links and names with a secret are not committed") {
  DeliveryBench bench;
  bench.folder.put(".gitignore", "secrets.yml\n");
  bench.folder.put("secrets.yml", "api_key: 0123456789abcdef\n");
  bench.begin_with_secrets("DB_PASSWORD=hunter2-hunter2\n");
  bench.folder.put("copy.yml", "api_key: 0123456789abcdef\n");
  std::filesystem::rename(bench.folder.at("tree/secrets.yml"), bench.folder.at("tree/moved.yml"));
  bench.folder.put("other.yml", "api_key: 0123456789abcdeX\n");
  bench.folder.put("hunter2-hunter2/x.txt", "x\n");
  std::filesystem::create_symlink("hunter2-hunter2", bench.folder.at("tree/link"));
  const Delivery delivery = bench.deliver();
  CHECK(delivery.files == Words{"other.yml"});
  CHECK(kept(delivery, PrivateBy::kSecret) ==
        Words{"copy.yml", "hunter2-hunter2/x.txt", "link", "moved.yml"});
}

TEST_CASE("delivery: without a mask for secrets, all files are committed") {
  DeliveryBench bench;
  bench.folder.put("a.txt", "DB_PASSWORD=hunter2-hunter2\n");
  CHECK(bench.deliver().files == Words{"a.txt"});
}
