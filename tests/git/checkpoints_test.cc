#include "git/checkpoints.h"

#include <sys/stat.h>

#include <filesystem>
#include <random>

#include "support/git_folder.h"

using namespace pedro;
namespace fs = std::filesystem;

namespace {

const std::string kJob = "20261121-214500-build-7f3a";

struct CheckpointsBench {
  CheckpointsBench() {
    folder.init();
    folder.put("a.txt", "one\n");
    folder.put("src/b.txt", "two\n");
    folder.put(".gitignore", "*.log\n");
    folder.commit_all("first");
    auto opened = Repository::open(files, processes, cancel, folder.tree());
    REQUIRE(opened.ok());
    repository = std::make_unique<Repository>(*std::move(opened));
    base = *repository->commit_id();
    checkpoints = std::make_unique<Checkpoints>(*repository, kJob);
  }

  std::string take(int rounds) {
    const auto commit = checkpoints->take(base, rounds);
    INFO((commit ? "" : commit.error().message));
    REQUIRE(commit.ok());
    return *commit;
  }
  Restored restore(int rounds) {
    const auto restored = checkpoints->restore(rounds);
    INFO((restored ? "" : restored.error().message));
    REQUIRE(restored.ok());
    return *restored;
  }
  std::string refusal(int rounds) {
    const auto restored = checkpoints->restore(rounds);
    REQUIRE_FALSE(restored.ok());
    return restored.error().message;
  }
  fs::path at(const std::string& name) const { return fs::path(folder.tree()) / name; }

  /// Every file, link and folder of the work tree, with its contents.
  std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> found;
    for (auto entry = fs::recursive_directory_iterator(folder.tree()); entry != fs::end(entry);
         ++entry) {
      const std::string path = entry->path().lexically_relative(folder.tree()).string();
      if (path == ".git") {
        entry.disable_recursion_pending();
      } else if (entry->is_symlink()) {
        found[path] = "link " + fs::read_symlink(entry->path()).string();
      } else if (entry->is_directory()) {
        found[path] = "folder";
      } else {
        const bool runs = (entry->status().permissions() & fs::perms::owner_exec) != fs::perms();
        found[path] = (runs ? "program " : "file ") + folder.get(path);
      }
    }
    return found;
  }
  /// The parts of the repository that a user sees: everything except our refs.
  std::string users_git() const {
    std::string text = folder.git({"symbolic-ref", "HEAD"});
    text += folder.git({"for-each-ref", "refs/heads", "refs/tags", "refs/stash", "refs/remotes"});
    text += folder.git({"ls-files", "--stage"}) + folder.git({"stash", "list"});
    text += folder.git({"reflog", "--all"});
    return text;
  }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
  std::unique_ptr<Repository> repository;
  std::string base;
  std::unique_ptr<Checkpoints> checkpoints;
};

}  // namespace

TEST_CASE("checkpoints: the files come back as they were after a round") {
  CheckpointsBench bench;
  CHECK_FALSE(bench.take(0).empty());
  bench.folder.put("a.txt", "changed\n");
  bench.folder.put("new/deep/c.txt", "three\n");
  fs::remove(bench.at("src/b.txt"));
  CHECK_FALSE(bench.take(2).empty());
  const auto after_two = bench.all();
  bench.folder.put("a.txt", "changed again\n");
  CHECK_FALSE(bench.take(3).empty());

  const Restored two = bench.restore(2);
  CHECK(two.rounds == 2);
  CHECK(two.files == 1);
  CHECK(two.kept == "refs/pedrocli/" + kJob + "/kept/1");
  CHECK(bench.folder.git({"show", two.kept + ":a.txt"}) == "changed again");
  auto expected = after_two;
  expected.erase("src");  // git does not record empty folders, so the folder may exist or not
  auto got = bench.all();
  got.erase("src");
  CHECK(got == expected);

  const Restored zero = bench.restore(0);
  CHECK(zero.files == 3);
  CHECK(bench.folder.get("a.txt") == "one\n");
  CHECK(bench.folder.get("src/b.txt") == "two\n");
  CHECK_FALSE(fs::exists(bench.at("new")));
  CHECK(bench.restore(0).kept.empty());
}

TEST_CASE("checkpoints: a round without its own goes back to the one before it") {
  CheckpointsBench bench;
  bench.take(0);
  CHECK(bench.take(1).empty());
  bench.folder.put("a.txt", "changed\n");
  bench.take(2);
  bench.folder.put("a.txt", "later\n");
  CHECK(bench.restore(7).rounds == 2);
  CHECK(bench.folder.get("a.txt") == "changed\n");
  CHECK(bench.restore(1).rounds == 0);
  CHECK(bench.folder.get("a.txt") == "one\n");
}

TEST_CASE("checkpoints: HEAD, branches, index, stash and reflogs stay as they are") {
  CheckpointsBench bench;
  bench.folder.put("a.txt", "stashed\n");
  bench.folder.git({"stash", "--quiet"});
  bench.folder.git({"config", "core.logAllRefUpdates", "always"});
  bench.folder.put("a.txt", "staged\n");
  bench.folder.git({"add", "a.txt"});
  const std::string before = bench.users_git();
  bench.take(0);
  bench.folder.put("a.txt", "staged, then changed\n");
  bench.take(1);
  bench.restore(0);
  CHECK(bench.folder.get("a.txt") == "staged\n");
  CHECK(bench.users_git() == before);
}

TEST_CASE("checkpoints: keeps ignored files, also files ignored since the checkpoint") {
  CheckpointsBench bench;
  bench.folder.put("build.log", "noise\n");
  bench.folder.put("notes", "first\n");
  bench.take(0);
  bench.folder.put("notes", "second\n");
  bench.folder.put(".gitignore", "*.log\nnotes\n");
  bench.take(1);
  const Restored restored = bench.restore(0);
  CHECK(bench.folder.get("notes") == "first\n");
  CHECK(bench.folder.get("build.log") == "noise\n");
  CHECK(bench.folder.git({"show", restored.kept + ":notes"}) == "second");
}

TEST_CASE("checkpoints: a pipe in place of a file goes, and its diff is no error") {
  CheckpointsBench bench;
  bench.take(0);
  bench.folder.put("a.txt", "changed\n");
  fs::remove(bench.at("src/b.txt"));
  REQUIRE(::mkfifo(bench.at("src/b.txt").c_str(), 0600) == 0);
  bench.take(1);
  const auto diff = bench.repository->diff(bench.base);
  REQUIRE(diff.ok());
  CHECK(diff->find("+changed") != std::string::npos);
  CHECK(bench.restore(0).files == 2);
  CHECK(bench.folder.get("src/b.txt") == "two\n");
  fs::remove_all(bench.at("src"));
  REQUIRE(::mkfifo(bench.at("src").c_str(), 0600) == 0);
  CHECK(bench.restore(0).files == 1);
  CHECK(bench.folder.get("src/b.txt") == "two\n");
}

TEST_CASE("checkpoints: files that only the user changed stay, if they are asked to") {
  for (const bool only_jobs : {false, true}) {
    CAPTURE(only_jobs);
    CheckpointsBench bench;
    bench.take(0);
    bench.folder.put("a.txt", "by the job\n");
    bench.folder.put("by-job.txt", "x\n");
    bench.take(1);
    fs::remove(bench.at("by-job.txt"));
    bench.take(2);
    bench.folder.put("by-job.txt", "by the user, too\n");
    bench.folder.put("src/b.txt", "by the user\n");
    bench.folder.put("mine.txt", "hours\n");
    const auto restored = bench.checkpoints->restore(0, only_jobs);
    REQUIRE(restored.ok());
    CHECK(restored->files == (only_jobs ? 2 : 4));
    CHECK(bench.folder.get("a.txt") == "one\n");
    CHECK_FALSE(fs::exists(bench.at("by-job.txt")));
    CHECK(bench.folder.git({"show", restored->kept + ":by-job.txt"}) == "by the user, too");
    CHECK(bench.folder.get("src/b.txt") == (only_jobs ? "by the user\n" : "two\n"));
    CHECK(fs::exists(bench.at("mine.txt")) == only_jobs);
    CHECK(bench.folder.git({"show", restored->kept + ":mine.txt"}) == "hours");
  }
}

TEST_CASE("checkpoints: files that only rules of the job hide are the job's") {
  for (const bool only_jobs : {false, true}) {
    CheckpointsBench bench;
    bench.folder.put("mine.log", "ignored before\n");
    bench.folder.put("mine.txt", "mine\n");
    bench.take(0);
    bench.folder.put("hide/.gitignore", "*\n");
    bench.folder.put("hide/junk", "x\n");
    bench.folder.put(".gitignore", "*.log\n*.tmp\nmine.txt\n");
    bench.folder.put("junk.tmp", "x\n");
    bench.folder.put("mine.txt", "evil\n");
    bench.folder.put("by-job.log", "x\n");  // a file that was ignored before is in no checkpoint
    const std::string after = bench.take(1);
    const long long ended_ns = bench.files.link_info(bench.at("by-job.log")).changed_ns;
    do {
      fs::remove(bench.at("users.tmp"));
      bench.folder.put("users.tmp", "mine\n");
    } while (bench.files.link_info(bench.at("users.tmp")).changed_ns == ended_ns);
    // As in a later process, which knows nothing from before the job.
    const auto later =
        Repository::open(bench.files, bench.processes, bench.cancel, bench.folder.tree());
    REQUIRE(later.ok());
    const Checkpoints undone(*later, kJob, {{0, *bench.checkpoints->at(0)}, {1, after}});
    const auto restored = undone.restore(0, only_jobs, ended_ns);
    REQUIRE(restored.ok());
    CHECK(bench.folder.get("mine.log") == "ignored before\n");
    CHECK(bench.folder.get("mine.txt") == "mine\n");
    CHECK(bench.folder.get("users.tmp") == "mine\n");
    CHECK(bench.folder.get("by-job.log") == "x\n");
    CHECK(bench.folder.get(".gitignore") == "*.log\n");
    CHECK_FALSE(fs::exists(bench.at("hide")));
    CHECK_FALSE(fs::exists(bench.at("junk.tmp")));
    CHECK(bench.folder.git({"show", restored->kept + ":hide/junk"}) == "x");
  }
}

TEST_CASE("checkpoints: before the job, files that only look generated are the user's") {
  CheckpointsBench bench;
  const std::vector<std::string> names = {"node_modules/x.js", "__pycache__/n.txt", "data.o"};
  for (const std::string& name : names) bench.folder.put(name, "mine\n");
  bench.take(0);
  for (const std::string& name : names) fs::remove(bench.at(name));
  bench.folder.put("a.txt", "changed\n");
  bench.take(1);
  bench.restore(0);
  for (const std::string& name : names) CHECK_MESSAGE(bench.folder.get(name) == "mine\n", name);
  bench.folder.put("data.o", "built again\n");
  REQUIRE(bench.checkpoints->restore(0, true).ok());
  CHECK(bench.folder.get("data.o") == "built again\n");  // the job need not have built it
  fs::remove(bench.at("data.o"));
  REQUIRE(bench.checkpoints->restore(0, true).ok());
  CHECK(bench.folder.get("data.o") == "mine\n");
  bench.folder.put("data.o", "built again\n");
  const Restored again = bench.restore(0);
  CHECK(bench.folder.get("data.o") == "mine\n");
  CHECK(bench.folder.git({"show", again.kept + ":data.o"}) == "built again");
}

TEST_CASE(
    "checkpoints: a folder with ignored files is not removed for a file, and nothing else is") {
  CheckpointsBench bench;
  bench.take(0);
  fs::remove(bench.at("a.txt"));
  bench.folder.put("a.txt/mine.log", "hours\n");
  bench.folder.put("src/b.txt", "changed\n");
  bench.take(1);
  CHECK(bench.refusal(0) ==
        bench.at("a.txt").string() +
            ": a folder with files that git ignores has replaced a file; move it away first");
  CHECK(bench.folder.get("a.txt/mine.log") == "hours\n");
  CHECK(bench.folder.get("src/b.txt") == "changed\n");
}

TEST_CASE("checkpoints: an ignored file in a folder's place is kept") {
  CheckpointsBench bench;
  bench.folder.put("out/c.txt", "three\n");
  bench.take(0);
  fs::remove_all(bench.at("out"));
  bench.folder.put("out", "mine\n");
  bench.folder.put(".gitignore", "*.log\nout\n");
  const Restored restored = bench.restore(0);
  CHECK(bench.folder.get("out/c.txt") == "three\n");
  CHECK(bench.folder.git({"show", restored.kept + ":out"}) == "mine");
}

TEST_CASE("checkpoints: they outlive commits, and go when they are dropped") {
  CheckpointsBench bench;
  bench.take(0);
  bench.folder.put("a.txt", "changed\n");
  bench.take(1);
  bench.folder.commit_all("by the model");
  bench.folder.git({"gc", "--quiet", "--prune=now"});
  bench.folder.put("a.txt", "one\n");  // equal to the base, but not to HEAD
  bench.folder.put("c.txt", "three\n");
  bench.take(2);
  bench.folder.put("a.txt", "changed\n");
  bench.restore(2);
  CHECK(bench.folder.get("a.txt") == "one\n");
  bench.restore(1);
  CHECK(bench.folder.get("a.txt") == "changed\n");
  bench.restore(0);
  CHECK(bench.folder.get("a.txt") == "one\n");
  CHECK(bench.folder.git({"log", "-1", "--format=%s"}) == "by the model");
  const auto dropped = bench.checkpoints->drop(Checkpoints::KeptRefs::kStay);
  REQUIRE(dropped.ok());
  CHECK(dropped->refs == 3);
  CHECK(dropped->kept == "refs/pedrocli/" + kJob + "/kept/");
  CHECK(bench.folder.git({"show", dropped->kept + "2:c.txt"}) == "three");
  CHECK(bench.checkpoints->drop(Checkpoints::KeptRefs::kGo)->refs == 3);
  CHECK(bench.folder.git({"for-each-ref", "refs/pedrocli"}).empty());
  bench.folder.git({"gc", "--quiet", "--prune=now"});
  CHECK(bench.refusal(0) == kJob + ": no checkpoint of this job is in " + bench.folder.tree());
}

TEST_CASE("checkpoints: forged refs have no effect") {
  CheckpointsBench bench;
  bench.folder.put(".pedrocli.json", "{}\n");
  bench.folder.put(".pedro/rules", "ours\n");
  const std::string before = bench.take(0);
  bench.folder.put("a.txt", "changed\n");
  bench.take(1);
  // A model's command can do the same.
  bench.folder.put("a.txt", "evil\n");
  bench.folder.put(".pedrocli.json", R"({"checks": ["evil"]})");
  bench.folder.commit_all("evil");
  const std::string evil(trim(bench.folder.git({"rev-parse", "HEAD"})));
  bench.folder.git({"reset", "-q", "--hard", "HEAD~1"});
  bench.folder.git({"update-ref", "refs/pedrocli/" + kJob + "/checkpoint/0", evil});
  bench.folder.git({"replace", before, evil});
  CHECK(bench.restore(0).rounds == 0);
  CHECK(bench.folder.get("a.txt") == "one\n");
  bench.folder.git({"replace", "-d", before});
  bench.folder.git({"update-ref", "-d", "refs/pedrocli/" + kJob + "/checkpoint/1"});
  CHECK(bench.restore(1).rounds == 1);
  CHECK(bench.folder.get("a.txt") == "changed\n");
}

TEST_CASE("checkpoints: a submodule keeps its state, and is named") {
  CheckpointsBench bench;
  const auto in_sub = [&bench](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", bench.at("sub").string()});
    return bench.folder.git(std::move(arguments));
  };
  bench.folder.git({"init", "-q", "sub"});
  bench.folder.put("sub/x", "one\n");
  in_sub({"add", "x"});
  in_sub({"commit", "-qm", "one"});
  bench.folder.git({"-c", "advice.addEmbeddedRepo=false", "add", "sub"});
  bench.folder.git({"commit", "-qm", "with sub"});
  bench.base = *bench.repository->commit_id();
  bench.take(0);
  bench.folder.put("a.txt", "changed\n");
  in_sub({"commit", "-q", "--allow-empty", "-m", "two"});
  const std::string two = in_sub({"rev-parse", "HEAD"});
  bench.take(1);
  const Restored restored = bench.restore(0);
  CHECK(restored.files == 1);
  CHECK(restored.submodules == std::vector<std::string>{"sub"});
  CHECK(bench.folder.get("a.txt") == "one\n");
  CHECK(in_sub({"rev-parse", "HEAD"}) == two);
  CHECK(bench.restore(0).files == 0);
}

TEST_CASE("checkpoints: restoring does not touch the settings that control a job") {
  CheckpointsBench bench;
  bench.folder.put(".pedrocli.json", "{}\n");
  bench.folder.put(".pedro/rules", "first\n");
  bench.folder.put(".pedro/gone", "first\n");
  bench.take(0);
  bench.folder.put("a.txt", "changed\n");
  bench.folder.put(".pedrocli.json", "{\"max_rounds\": 3}\n");
  bench.folder.put(".pedro/rules", "second\n");
  bench.folder.put(".pedro/new \xc3\xa4\n", "second\n");
  fs::remove(bench.at(".pedro/gone"));
  const auto settings = [&] {
    auto all = bench.all();
    std::erase_if(all, [](const auto& one) { return !one.first.starts_with(".pedro"); });
    return all;
  };
  const auto before = settings();
  CHECK(bench.restore(0).files == 1);
  CHECK(bench.folder.get("a.txt") == "one\n");
  CHECK(settings() == before);
  fs::remove_all(bench.at(".pedro"));
  CHECK(bench.restore(0).files == 0);
  CHECK_FALSE(fs::exists(bench.at(".pedro")));
}

TEST_CASE("checkpoints: a killed process's leftover index does no harm") {
  CheckpointsBench bench;
  bench.take(0);
  bench.folder.put("a.txt", "changed\n");
  const std::string index = ".git/pedrocli-" + kJob + ".index";
  bench.folder.put(index, "torn");
  bench.folder.put(index + ".lock", "");
  bench.take(1);
  bench.folder.put(index + ".lock", "");
  bench.restore(0);
  CHECK(bench.folder.get("a.txt") == "one\n");
  bench.folder.put(".git/pedrocli.index.lock", "");
  bench.folder.put("a.txt", "changed\n");
  const auto files = bench.repository->changed_files("HEAD");
  REQUIRE(files.ok());
  CHECK(bench.repository->commit(*files, "after a kill").ok());
}

TEST_CASE("checkpoints: any tree comes back from any other") {
  CheckpointsBench bench;
  std::mt19937 random(7);  // NOLINT: the same trees each time
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::vector<std::string> names = {"a.txt", "src/b.txt",  "d",  "d/e", "d/e/f",
                                          "g h",   "\xc3\xa4\n", "-x", "src", "src/\"q\""};
  std::vector<std::map<std::string, std::string>> trees;
  const auto without_folders = [&] {
    auto all = bench.all();
    std::erase_if(all, [](const auto& one) { return one.second == "folder"; });
    return all;
  };
  constexpr int kTrees = 25;
  for (int round = 0; round < kTrees; ++round) {
    for (int change = pick(4); change >= 0; --change) {
      const fs::path path = bench.at(names[static_cast<std::size_t>(pick(10))]);
      std::error_code none;
      for (fs::path part = path; part != fs::path(bench.folder.tree()); part = part.parent_path()) {
        if (part != path && !fs::is_directory(fs::symlink_status(part))) fs::remove(part, none);
      }
      fs::remove_all(path, none);
      const int what = pick(5);
      if (what == 0) continue;
      fs::create_directories(path.parent_path());
      if (what == 1) {
        fs::create_symlink("../outside", path);
        continue;
      }
      bench.folder.write("tree/" + path.lexically_relative(bench.folder.tree()).string(),
                         "bytes " + std::to_string(pick(3)) + "\n");
      if (what == 2) fs::permissions(path, fs::perms::owner_all);
    }
    trees.push_back(without_folders());
    bench.take(round);
  }
  for (int back = 0; back < 2 * kTrees; ++back) {
    const int round = pick(kTrees);
    CAPTURE(round);
    bench.restore(round);
    CHECK(without_folders() == trees[static_cast<std::size_t>(round)]);
  }
}

TEST_CASE("checkpoints: a job resumed from one takes the next at the next file change") {
  CheckpointsBench bench;
  const std::string zero = bench.take(0);
  bench.folder.put("a.txt", "1\n");
  const std::string one = bench.take(1);
  bench.folder.put("a.txt", "2, and killed\n");
  Checkpoints later(*bench.repository, kJob);
  const auto resumed = later.resume(bench.base, 1, {{0, zero}, {1, one}});
  REQUIRE(resumed.ok());
  CHECK(resumed->rounds == 1);
  CHECK(bench.folder.get("a.txt") == "1\n");
  CHECK(*later.take(bench.base, 1) == "");  // already taken
  bench.folder.put("a.txt", "2\n");
  CHECK(*later.take(bench.base, 2) != "");
}
