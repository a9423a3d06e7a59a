#include "sys/work_tree.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace pedro {
namespace {

/// A project with links, and files next to it that must not be reachable.
class WorkTreeFixture {
 public:
  WorkTreeFixture() {
    namespace fs = std::filesystem;
    folder.write("project/src/main.cc", "int main() {}\n");
    folder.write("project/.git/config", "");
    folder.write("project/.gitignore", "");
    folder.write("project/.github/ci.yml", "");
    folder.write("project-2/secret", "");
    fs::create_symlink("src", folder.at("project/inside"));
    fs::create_symlink("src/main.cc", folder.at("project/main"));
    fs::create_symlink("../project-2", folder.at("project/out"));
    fs::create_symlink("/etc/passwd", folder.at("project/passwd"));
    fs::create_symlink("../not-yet", folder.at("project/dangling"));
    fs::create_symlink(".git", folder.at("project/g"));
    fs::create_symlink("loop", folder.at("project/loop"));
    fs::create_symlink("project", folder.at("alias"));
  }

  WorkTree open() {
    Result<WorkTree> tree = WorkTree::open(files, folder.at("alias"));
    REQUIRE(tree.ok());
    return *tree;
  }

  TempFolder folder;
  RealFileSystem files;
};

}  // namespace

TEST_CASE_FIXTURE(WorkTreeFixture, "work tree: refuses paths that the repository cannot change") {
  WorkTree tree = open();
  tree.refuse({{"lib", {"is in a submodule", true}}, {"docs/d.md", {"is excluded"}}});
  const std::string end = "; leave it, and name the needed change in your answer";
  CHECK(tree.resolve("lib/a/b.txt").ok());
  CHECK(tree.resolve_to_change("lib/a/b.txt").error().message ==
        "'lib/a/b.txt' is in a submodule" + end);
  CHECK(tree.resolve_to_change("lib").error().message == "'lib' is in a submodule" + end);
  CHECK(tree.resolve("docs/d.md").error().message == "'docs/d.md' is excluded" + end);
  CHECK_FALSE(tree.resolve_to_change("docs/../docs/d.md").ok());
  CHECK(tree.resolve_to_change("docs/e.md").ok());
  CHECK(tree.resolve_to_change("library/x").ok());
  CHECK(tree.resolve_to_change("src/main.cc").ok());
}

TEST_CASE_FIXTURE(WorkTreeFixture, "work tree: the root is canonical and must be a folder") {
  CHECK(open().root() == folder.at("project"));
  const Result<WorkTree> missing = WorkTree::open(files, folder.at("none"));
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind == ErrorKind::kUsage);
  CHECK(missing.error().message == folder.at("none") + ": No such file or directory");
  const Result<WorkTree> file = WorkTree::open(files, folder.at("project/src/main.cc"));
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().message == folder.at("project/src/main.cc") + ": not a folder");
}

TEST_CASE_FIXTURE(WorkTreeFixture, "work tree: paths inside it") {
  const WorkTree tree = open();
  struct Row {
    std::string path, below;
  };
  const std::vector<Row> rows = {{"src/main.cc", "/src/main.cc"},
                                 {"./src//../src/main.cc", "/src/main.cc"},
                                 {".", ""},
                                 {"src/..", ""},
                                 {tree.root(), ""},
                                 {tree.root() + "/src/", "/src"},
                                 {"new/deep/file.txt", "/new/deep/file.txt"},
                                 {"src/main.cc/x", "/src/main.cc/x"},
                                 {"inside/main.cc", "/inside/main.cc"},
                                 {"main", "/main"},
                                 {".gitignore", "/.gitignore"},
                                 {".github/ci.yml", "/.github/ci.yml"},
                                 {"a.git", "/a.git"},
                                 {"..x/...", "/..x/..."},
                                 {"with space\nand line", "/with space\nand line"}};
  for (const Row& row : rows) {
    CAPTURE(row.path);
    const Result<std::string> path = tree.resolve(row.path);
    REQUIRE(path.ok());
    CHECK(*path == tree.root() + row.below);
  }
}

TEST_CASE_FIXTURE(WorkTreeFixture, "work tree: refused paths") {
  const WorkTree tree = open();
  const auto outside = [](const std::string& path) {
    return "'" + path + "' is outside the project; paths are relative to its root";
  };
  const auto link = [](const std::string& path) {
    return "'" + path + "' leads outside the project through a link";
  };
  const auto broken = [](const std::string& path) {
    return "'" + path + "' leads through a broken link";
  };
  const auto git = [](const std::string& path) {
    return "'" + path + "' belongs to git; nothing in .git can be used";
  };
  struct Row {
    std::string path, message;
  };
  const std::vector<Row> rows = {
      {"", "the path is empty; '.' is the project's root"},
      {std::string(4097, 'a'), "the path is 4097 bytes long; at most 4096 are allowed"},
      {std::string("a\0b", 3), "the path contains a NUL byte"},
      {"..", outside("..")},
      {"../x", outside("../x")},
      {"../project/src", outside("../project/src")},
      {"src/../../x", outside("src/../../x")},
      {"/etc/passwd", outside("/etc/passwd")},
      {tree.root() + "-2/secret", outside(tree.root() + "-2/secret")},
      {tree.root() + "/../project-2", outside(tree.root() + "/../project-2")},
      {"/../" + std::string(300, 'a'), outside("/../" + std::string(196, 'a') + "...")},
      {"../\x1b[2J", outside("../\xEF\xBF\xBD[2J")},
      {"out", link("out")},
      {"out/secret", link("out/secret")},
      {"out/new/file", link("out/new/file")},
      {"passwd", link("passwd")},
      {"dangling", broken("dangling")},
      {"dangling/x", broken("dangling/x")},
      {"loop", broken("loop")},
      {".git", git(".git")},
      {".git/config", git(".git/config")},
      {".GIT/hooks/post-commit", git(".GIT/hooks/post-commit")},
      {"vendor/lib/.git/config", git("vendor/lib/.git/config")},
      {"src/../.git", git("src/../.git")},
      {"g", git("g")},
      {"g/new", git("g/new")},
  };
  for (const Row& row : rows) {
    CAPTURE(row.path);
    const Result<std::string> path = tree.resolve(row.path);
    REQUIRE_FALSE(path.ok());
    CHECK(path.error().kind == ErrorKind::kRefused);
    CHECK(path.error().message == row.message);
  }
}

TEST_CASE_FIXTURE(WorkTreeFixture, "work tree: pedrocli's own settings are read, not changed") {
  namespace fs = std::filesystem;
  folder.write("project/conf/pedrocli.json", "{}\n");
  folder.write("project/.pedro/issues/1.md", "# One\n");
  fs::create_symlink("conf/pedrocli.json", folder.at("project/.pedrocli.json"));
  fs::create_symlink(".pedro", folder.at("project/settings"));
  const WorkTree tree = open();
  for (const std::string path : {".pedro", ".pedro/issues/1.md", ".pedro/prompts/new/deep.md",
                                 ".Pedro/prompts/system.md", "settings/x", "src/../.pedro/x",
                                 ".pedrocli.json", ".PEDROCLI.json", "conf/pedrocli.json"}) {
    CAPTURE(path);
    CHECK(tree.resolve(path).ok());
    const Result<std::string> changed = tree.resolve_to_change(path);
    REQUIRE_FALSE(changed.ok());
    CHECK(changed.error().kind == ErrorKind::kRefused);
    CHECK(changed.error().message ==
          "'" + path +
              "' belongs to pedrocli's settings, which only the user changes; leave it, and name "
              "the needed change in your answer");
  }
  for (const char* path : {"conf/other.json", "src/.pedrocli.json", ".pedrocli.json.example",
                           ".pedrocli", "src/main.cc", "new"}) {
    CAPTURE(path);
    CHECK(tree.resolve_to_change(path).ok());
  }
  CHECK_FALSE(tree.resolve_to_change(".git/config").ok());
}

TEST_CASE("work tree: the model sees relative paths") {
  FakeFileSystem files;
  files.files["/home/me/proj/a"] = "";
  Result<WorkTree> tree = WorkTree::open(files, "/home/me/proj");
  REQUIRE(tree.ok());
  CHECK(tree->display("/home/me/proj/src/a.cc") == "src/a.cc");
  CHECK(tree->display("/home/me/proj") == ".");
  CHECK(tree->display("/home/me/project") == "/home/me/project");

  struct Row {
    std::string_view text, expected;
  };
  for (const Row& row : {
           Row{"/home/me/proj/src/a.cc:3:1: error", "src/a.cc:3:1: error"},
           Row{"in /home/me/proj: done", "in .: done"},
           Row{"cd /home/me/proj", "cd ."},
           Row{"cd /home/me/proj/", "cd ./"},
           Row{"cd '/home/me/proj/' && x", "cd './' && x"},
           Row{"It is /home/me/proj.", "It is .."},
           Row{"/home/me/proj//a", "a"},
           Row{"/home/me/proj/[id].ts", "./[id].ts"},
           Row{"/home/me/proj/.github", ".github"},
           Row{"g++ -I/home/me/proj/include -L/home/me/proj", "g++ -Iinclude -L."},
           Row{"--prefix=/home/me/proj/out", "--prefix=out"},
           Row{"PATH=/bin:/home/me/proj/bin:/home/me/proj", "PATH=/bin:bin:."},
           Row{"\"/home/me/proj/a\",\"/home/me/proj/b\"", "\"a\",\"b\""},
           Row{"/home/me/project/a", "/home/me/project/a"},
           Row{"/home/me/proj-2 /home/me/proj.bak", "/home/me/proj-2 /home/me/proj.bak"},
           Row{"/home/me/proj./x", "/home/me/proj./x"},
           Row{"/mnt/home/me/proj/a", "/mnt/home/me/proj/a"},
           Row{"/mnt/-x/home/me/proj/a", "/mnt/-x/home/me/proj/a"},
           Row{"//home/me/proj/a", "//home/me/proj/a"},
           Row{"", ""},
       }) {
    CAPTURE(row.text);
    CHECK(tree->without_root(row.text) == row.expected);
  }
}

TEST_CASE("work tree: the root folder of the machine can be one") {
  FakeFileSystem files;
  files.files["/a/b"] = "";
  Result<WorkTree> tree = WorkTree::open(files, "/");
  REQUIRE(tree.ok());
  CHECK(*tree->resolve("a/b") == "/a/b");
  CHECK(*tree->resolve("/a/new") == "/a/new");
  CHECK(tree->display("/a/b") == "a/b");
  CHECK(tree->display("/") == ".");
  CHECK(tree->without_root("see /a/b") == "see /a/b");
}

}  // namespace pedro
