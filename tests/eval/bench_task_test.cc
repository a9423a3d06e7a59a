#include "eval/bench_task.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

const std::string kTask =
    R"({"title":"t","language":"python","kind":"line","sets":["tiny","small"],)"
    R"("check":"c","hidden":"h","files":["a.py"],"needs":["python3"]})";

// Three tasks in three combinations of sets. "README.md" is not a task.
FakeFileSystem bench() {
  FakeFileSystem files;
  files.files["/b/README.md"] = "";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"aa", R"(["tiny","small"])"}, {"bb", R"(["small"])"}, {"cc", "[]"}};
  for (const auto& [name, sets] : rows) {
    files.files["/b/" + name + "/task.json"] = replace_all(kTask, R"(["tiny","small"])", sets);
    files.files["/b/" + name + "/issue.md"] = "# T\n";
    files.files["/b/" + name + "/repo/a.py"] = "1\n";
    files.files["/b/" + name + "/hidden/h.py"] = "2\n";
  }
  return files;
}

std::string names_of(const Result<std::vector<BenchTask>>& tasks) {
  if (!tasks) return tasks.error().message;
  std::string names;
  for (const BenchTask& task : *tasks) names += task.name + " ";
  return names;
}

}  // namespace

TEST_CASE("bench task: task.json is read whole") {
  const auto task = read_bench_task("t", kTask);
  REQUIRE(task.ok());
  CHECK(task->title == "t");
  CHECK(task->language == "python");
  CHECK(task->kind == "line");
  CHECK(task->sets == std::vector<std::string>{"tiny", "small"});
  CHECK(task->check == "c");
  CHECK(task->hidden == "h");
  CHECK(task->files == std::vector<std::string>{"a.py"});
  CHECK(task->needs == std::vector<std::string>{"python3"});
}

TEST_CASE("bench task: a mistake is named with its key") {
  struct Row {
    const char* from;
    const char* to;
    const char* message;
  };
  for (const Row& row : {
           Row{R"("title":"t")", R"("title":7)", "t: title: expected a string"},
           Row{R"("check":"c")", R"("check":" ")", "t: check: expected a string"},
           Row{R"("hidden":"h",)", "", "t: hidden: expected a string"},
           Row{R"("line")", R"("lines")",
               "t: kind: expected one of line, function, file, feature, got 'lines'"},
           Row{R"("small"])", R"("large"])", "t: sets: expected tiny or small, got 'large'"},
           Row{R"(["tiny","small"])", R"("tiny")", "t: sets: expected a list of strings"},
           Row{R"(["a.py"])", R"([""])", "t: files: expected a list of strings"},
           Row{R"(["a.py"])", "[]", "t: files: expected at least one file"},
           Row{R"(["a.py"])", R"(["/a.py"])", "t: files: expected a path below repo/, got '/a.py'"},
           Row{R"(["a.py"])", R"(["x/../../a.py"])",
               "t: files: expected a path below repo/, got 'x/../../a.py'"},
           Row{R"(["a.py"])", R"([".git/config"])",
               "t: files: expected a path below repo/, got '.git/config'"},
           Row{R"(["python3"])", "7", "t: needs: expected a list of strings"},
           Row{R"("needs")", R"("need")",
               "t: unknown key 'need' (did you mean 'needs'?); there are: title, language, kind, "
               "sets, check, hidden, files, needs"},
           Row{R"({"title")", R"(["title")",
               "t: 1:9: syntax error while parsing array - unexpected ':'; expected ']'"},
       }) {
    const std::string text = replace_all(kTask, row.from, row.to);
    const auto task = read_bench_task("t", text);
    REQUIRE_FALSE(task.ok());
    CHECK(task.error().kind == ErrorKind::kConfig);
    CHECK(task.error().message == row.message);
  }
  CHECK(read_bench_task("t", "[]").error().message == "t: expected an object");
}

TEST_CASE("bench task: a folder's tasks, by set and by name") {
  const FakeFileSystem files = bench();
  struct Row {
    BenchChoice choice;
    const char* expected;
  };
  for (const Row& row : {
           Row{{}, "aa bb cc "},
           Row{{"small", {}}, "aa bb "},
           Row{{"tiny", {}}, "aa "},
           Row{{"full", {"cc", "aa"}}, "aa cc "},
           Row{{"tiny", {"cc"}}, "/b: no such task in the set 'tiny'"},
           Row{{"full", {"c"}}, "-task: no task 'c' (did you mean 'cc'?) in /b"},
       }) {
    CHECK(names_of(load_bench_tasks(files, "/b", row.choice)) == row.expected);
  }
  const auto all = load_bench_tasks(files, "/b", {});
  CHECK(all->front().folder == "/b/aa");
}

TEST_CASE("bench task: a broken folder is named with the file") {
  struct Row {
    const char* path;
    const char* text;  // null: the file does not exist
    const char* message;
  };
  for (const Row& row : {
           Row{"/b/bb/issue.md", nullptr, "/b/bb/issue.md: expected a file here"},
           Row{"/b/bb/repo/a.py", nullptr, "/b/bb/repo: expected a folder here"},
           Row{"/b/bb/hidden/h.py", nullptr, "/b/bb/hidden: expected a folder here"},
           Row{"/b/bb/task.json", "{}", "/b/bb/task.json: title: expected a string"},
           Row{"/b/bb/task.json", nullptr, "/b/bb/task.json: No such file or directory"},
       }) {
    FakeFileSystem files = bench();
    if (row.text == nullptr) {
      files.files.erase(row.path);
    } else {
      files.files[row.path] = row.text;
    }
    CHECK(names_of(load_bench_tasks(files, "/b", {})) == row.message);
    CHECK(names_of(load_bench_tasks(files, "/b", {"full", {"aa"}})) == "aa ");
  }
}

TEST_CASE("bench task: the hash is of all that decides, and of nothing else") {
  const auto hash = [](const FakeFileSystem& files, const BenchChoice& choice) {
    return *hash_of_tasks(files, *load_bench_tasks(files, "/b", choice));
  };
  const FakeFileSystem files = bench();
  const std::string before = hash(files, {});
  CHECK(before.size() == 16);
  CHECK(hash(files, {"small", {}}) != before);
  for (const char* path :
       {"/b/aa/issue.md", "/b/aa/repo/a.py", "/b/cc/hidden/h.py", "/b/bb/repo/new.py"}) {
    CAPTURE(path);
    FakeFileSystem other = bench();
    other.files[path] += "x";
    CHECK(hash(other, {}) != before);
  }
  FakeFileSystem same = bench();
  same.files["/b/aa/solution/a.py"] = "x";
  CHECK(hash(same, {}) == before);
}

}  // namespace pedro
