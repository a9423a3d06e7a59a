#include "git/work_tree_shape.h"

#include <sys/stat.h>

#include <filesystem>

#include "git/checkpoints.h"
#include "support/git_folder.h"

using namespace pedro;
namespace fs = std::filesystem;

namespace {

struct ShapeBench {
  ShapeBench() {
    ::umask(022);
    folder.init();
    folder.put("a.txt", "one\n");
    folder.put("b.txt", "one\n");
    folder.put("src/c.txt", "one\n");
    folder.put("secret", "key\n");
    mode("secret", 0600);
    folder.put("run.sh", "#!/bin/sh\n");
    mode("run.sh", 0755);
    folder.commit_all("first");
  }
  void begin() {
    auto opened = Repository::open(files, processes, cancel, folder.tree());
    REQUIRE(opened.ok());
    repository = std::make_unique<Repository>(*std::move(opened));
    base = *repository->commit_id();
    checkpoints = std::make_unique<Checkpoints>(*repository, "20261121-214500-build-7f3a");
    REQUIRE(checkpoints->take(base, 0).ok());
  }
  Restored undo(long long ended_ns = std::numeric_limits<long long>::max()) {
    REQUIRE(checkpoints->take(base, 1).ok());
    const auto restored = checkpoints->restore(0, true, ended_ns);
    INFO((restored ? "" : restored.error().message));
    REQUIRE(restored.ok());
    return *restored;
  }
  std::string at(const std::string& name) const { return folder.tree() + "/" + name; }
  void mode(const std::string& name, mode_t mode) const {
    REQUIRE(::chmod(at(name).c_str(), mode) == 0);
  }
  int mode(const std::string& name) const {
    return static_cast<int>(files.link_info(at(name)).mode);
  }
  // Returns after the clock of the disk has moved on.
  void wait_for_tick() const {
    const auto now = [this] {
      std::filesystem::remove(folder.at("tick"));
      folder.write("tick", "");
      return files.link_info(folder.at("tick")).changed_ns;
    };
    for (const long long first = now(); now() == first;) continue;
  }
  long long changed_ns(const std::string& name) const {
    return files.link_info(at(name)).changed_ns;
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

TEST_CASE("work tree shape: an undo restores permissions of files and folders") {
  ShapeBench bench;
  bench.folder.put("private/key", "mine\n");
  bench.mode("private/key", 0600);
  bench.mode("private", 0700);
  bench.folder.put("shared/x", "mine\n");
  bench.mode("shared", 02775);
  bench.begin();
  bench.folder.put("secret", "changed\n");
  bench.mode("secret", 0666);
  bench.mode("run.sh", 0777);
  bench.mode("b.txt", 0664);
  bench.mode("src", 0700);
  bench.mode("shared", 0755);
  fs::remove_all(bench.at("private"));
  const Restored restored = bench.undo();
  CHECK(restored.files == 2);
  CHECK(bench.folder.get("secret") == "key\n");
  CHECK(bench.mode("secret") == 0600);
  CHECK(bench.mode("run.sh") == 0755);
  CHECK(bench.mode("b.txt") == 0644);
  CHECK(bench.mode("src") == 0755);
  CHECK(bench.mode("shared") == 02775);
  CHECK(bench.folder.get("private/key") == "mine\n");
  CHECK(bench.mode("private/key") == 0600);
  CHECK(bench.mode("private") == 0700);
}

TEST_CASE("work tree shape: permissions alone are an undo, and later ones are the user's") {
  ShapeBench bench;
  bench.begin();
  bench.mode("a.txt", 0666);
  const long long ended_ns = bench.changed_ns("a.txt");
  bench.wait_for_tick();
  bench.mode("b.txt", 0600);
  REQUIRE(bench.changed_ns("b.txt") > ended_ns);
  const Restored restored = bench.undo(ended_ns);
  CHECK(restored.files == 0);
  CHECK(restored.kept.empty());
  CHECK(restored.shape == 1);
  CHECK(bench.mode("a.txt") == 0644);
  CHECK(bench.mode("b.txt") == 0600);
}

TEST_CASE("work tree shape: empty folders come back, and those of the job go") {
  ShapeBench bench;
  fs::create_directories(bench.at("empty"));
  fs::create_directories(bench.at("d/two \"words\"\n"));
  fs::create_directories(bench.at("stays"));
  bench.mode("empty", 0700);
  bench.begin();
  fs::remove(bench.at("empty"));
  fs::remove_all(bench.at("d"));
  fs::create_directories(bench.at("job/made"));
  bench.folder.put("job-file/x", "x\n");
  bench.undo();
  CHECK(bench.mode("empty") == 0700);
  CHECK(fs::is_directory(bench.at("d/two \"words\"\n")));
  CHECK(fs::is_directory(bench.at("stays")));
  CHECK_FALSE(fs::exists(bench.at("job")));
  CHECK_FALSE(fs::exists(bench.at("job-file")));
}

TEST_CASE("work tree shape: folders of the user, after the job or of a build, stay") {
  ShapeBench bench;
  bench.begin();
  fs::create_directories(bench.at("src/job"));
  fs::create_directories(bench.at("node_modules/x"));
  const long long ended_ns = bench.changed_ns("src/job");
  bench.wait_for_tick();
  fs::create_directories(bench.at("src/users"));
  REQUIRE(bench.changed_ns("src/users") > ended_ns);
  bench.undo(ended_ns);
  CHECK_FALSE(fs::exists(bench.at("src/job")));
  CHECK(fs::is_directory(bench.at("src/users")));
  CHECK(fs::is_directory(bench.at("node_modules/x")));
}

TEST_CASE("work tree shape: hard links are links again, unless the user changed one") {
  ShapeBench bench;
  for (const char* name : {"h1", "k1"}) bench.folder.put(name, "linked\n");
  fs::create_hard_link(bench.at("h1"), bench.at("h2"));
  fs::create_hard_link(bench.at("h1"), bench.at("src/h3"));
  fs::create_hard_link(bench.at("k1"), bench.at("k2"));
  bench.begin();
  bench.folder.put("h1", "the job's\n");  // in place: h2 and h3 change too
  fs::remove(bench.at("k2"));
  bench.folder.put("k2", "linked\n");
  bench.undo();
  for (const char* name : {"h1", "h2", "src/h3", "k1", "k2"}) {
    CHECK(bench.folder.get(name) == "linked\n");
  }
  CHECK(fs::hard_link_count(bench.at("h1")) == 3);
  CHECK(fs::hard_link_count(bench.at("k1")) == 2);
  CHECK(fs::equivalent(bench.at("h1"), bench.at("src/h3")));
}

TEST_CASE("work tree shape: a text has all parts, and any text is a shape") {
  ShapeBench bench;
  fs::create_directories(bench.at("e\xc3\xa9\xff"));
  fs::create_hard_link(bench.at("a.txt"), bench.at("link"));
  bench.begin();
  const std::string text = WorkTreeShape::of(bench.repository->git()).text();
  CHECK(text ==
        "Modes: 644 755 755\nMode: 600 secret\nEmpty folder: \"e\\303\\251\\377\"\n"
        "Hard link: 0 a.txt\nHard link: 0 link\n");
  CHECK(WorkTreeShape::parse("a message\n\n" + text).text() == text);
  CHECK(WorkTreeShape::parse("Modes: x\nMode: 9 a\nHard link: a\nMode:").text() ==
        "Modes: 0 0 0\n");
}
