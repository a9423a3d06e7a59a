#include "tools/project_checks.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "base/json.h"
#include "base/text.h"
#include "tools/focused_test.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxMarkerBytes = 1u << 20;
constexpr int kMaxFolders = 500;
constexpr int kMaxFolderDepth = 4;
constexpr std::size_t kMaxCandidates = 3;  // of CI workflows

bool has(const WorkTree& tree, std::string_view name) {
  return tree.files().info(join_path(tree.root(), name)).kind == FileKind::kFile;
}

// Returns "" for a missing or unreadable file.
std::string text_in(const WorkTree& tree, std::string_view name) {
  if (!has(tree, name)) return "";
  auto text = tree.files().read(join_path(tree.root(), name), kMaxMarkerBytes);
  return text ? std::move(*text) : "";
}

bool any_contains(const WorkTree& tree, std::string_view name, std::string_view needle) {
  return text_in(tree, name).find(needle) != std::string::npos;
}

// True if a line is a rule for `target`: "test: all", "check test:", but not "test := x".
bool has_rule(std::string_view makefile, std::string_view target) {
  for (const std::string_view line : split_lines(makefile)) {
    if (line.empty() || line.front() == '\t' || line.front() == '#') continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || line.find('=') < colon) continue;
    const std::string_view after = line.substr(colon + 1);
    if (after.starts_with('=') || after.starts_with(":=")) continue;
    for (const std::string_view word : split(line.substr(0, colon), ' ')) {
      if (trim(word) == target) return true;
    }
  }
  return false;
}

using Candidates = std::vector<Check>;

void add(Candidates& candidates, const std::string& source, const std::string& command) {
  candidates.push_back({"test", command, source, {}, true});
}

// Skips a Makefile that CMake has generated.
void add_make(const WorkTree& tree, Candidates& candidates) {
  for (const std::string name : {"GNUmakefile", "makefile", "Makefile"}) {  // make's own order
    if (!has(tree, name)) continue;
    const std::string text = text_in(tree, name);
    if (text.find("CMAKE generated file") != text.npos) return;
    for (const std::string target : {"test", "check"}) {
      if (has_rule(text, target)) return add(candidates, name, "make " + target);
    }
    return;
  }
}

void add_just(const WorkTree& tree, Candidates& candidates) {
  for (const std::string name : {"justfile", "Justfile", ".justfile"}) {
    const std::string text = text_in(tree, name);
    for (const std::string target : {"test", "check"}) {
      if (has_rule(text, target)) return add(candidates, name, "just " + target);
    }
  }
}

// Adds the build as the last candidate: some projects run their tests in it.
void add_c(const WorkTree& tree, Candidates& candidates) {
  const std::string build = "cmake -S . -B build && cmake --build build";
  if (has(tree, "CMakeLists.txt")) {
    add(candidates, "CMakeLists.txt",
        build + " && ctest --test-dir build --output-on-failure --no-tests=error");
  }
  if (has(tree, "meson.build")) {
    add(candidates, "meson.build",
        "{ test -d build || meson setup build; } && meson test -C build --print-errorlogs");
  }
  if (has(tree, "CMakeLists.txt")) add(candidates, "CMakeLists.txt", build);
}

void add_java(const WorkTree& tree, Candidates& candidates) {
  const std::string gradle =
      has(tree, "gradlew") ? "./gradlew --console=plain test" : "gradle --console=plain test";
  if (has(tree, "pom.xml")) {
    add(candidates, "pom.xml", has(tree, "mvnw") ? "./mvnw -B -q test" : "mvn -B -q test");
  }
  for (const std::string name : {"build.gradle", "build.gradle.kts"}) {
    if (has(tree, name)) add(candidates, name, gradle);
  }
}

void add_npm(const WorkTree& tree, Candidates& candidates) {
  const auto package = parse_json(text_in(tree, "package.json"));
  if (!package) return;
  const std::string script = text_of(member(*package, "scripts"), "test");
  // `npm init` writes a script that always fails.
  if (script.empty() || script.find("no test specified") != std::string::npos) return;
  add(candidates, "package.json", "npm test");
}

bool is_test_file(std::string_view name) {
  return name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
}

bool is_worth_looking_into(const FolderEntry& entry) {
  static constexpr std::string_view kSkipped[] = {"build",  "dist",   "node_modules",
                                                  "target", "vendor", "venv"};
  return entry.kind == FileKind::kFolder && !entry.name.starts_with('.') &&
         std::find(std::begin(kSkipped), std::end(kSkipped), entry.name) == std::end(kSkipped);
}

// Searches breadth first. Returns the path of a test below the root.
std::optional<std::string> python_test(const WorkTree& tree) {
  std::deque<std::pair<std::string, int>> folders = {{"", 0}};
  for (int seen = 0; !folders.empty() && seen < kMaxFolders; ++seen) {
    const auto [folder, depth] = folders.front();
    folders.pop_front();
    const auto entries = tree.files().list(join_path(tree.root(), folder));
    if (!entries) continue;
    for (const FolderEntry& entry : *entries) {
      const std::string path = folder.empty() ? entry.name : join_path(folder, entry.name);
      if (entry.kind == FileKind::kFile && is_test_file(entry.name)) return path;
      if (depth < kMaxFolderDepth && is_worth_looking_into(entry)) {
        folders.emplace_back(path, depth + 1);
      }
    }
  }
  return std::nullopt;
}

/// The file that configures pytest, or "".
std::string pytest_configuration(const WorkTree& tree) {
  if (has(tree, "pytest.ini")) return "pytest.ini";
  if (any_contains(tree, "pyproject.toml", "[tool.pytest")) return "pyproject.toml";
  if (any_contains(tree, "setup.cfg", "[tool:pytest]")) return "setup.cfg";
  if (any_contains(tree, "tox.ini", "[pytest]")) return "tox.ini";
  return "";
}

// Returns the command that finds tests like this one without pytest.
std::string unittest_command(const WorkTree& tree, const std::string& test) {
  const std::string folder(folder_name(test));
  const bool is_suffixed = test.ends_with("_test.py");
  const bool is_package = has(tree, join_path(folder, "__init__.py"));
  std::string command = "python3 -m unittest";
  const bool is_root = folder == ".";
  if (is_root && !is_suffixed) return command + " -q";
  command += " discover -q";
  if (!is_root) command += " -s " + quoted_for_shell(folder);
  if (!is_root && is_package) command += " -t .";
  if (is_suffixed) command += " -p '*_test.py'";
  return command;
}

void add_python(const WorkTree& tree, bool is_alone, Candidates& candidates) {
  std::string source = pytest_configuration(tree);
  if (source.empty() && !is_alone) return;
  if (source.empty()) source = "test_*.py";
  const std::optional<std::string> test = python_test(tree);
  if (!test) return;
  add(candidates, source, "python3 -m pytest -q");
  if (any_contains(tree, *test, "unittest")) add(candidates, *test, unittest_command(tree, *test));
}

// True for a line of a workflow that runs tests, and installs nothing.
bool runs_tests(std::string_view line) {
  if (line.find("test") == line.npos) return false;
  for (const std::string_view other : {"${{", "sudo", "apt", "install", "npm ci", "curl", "upload",
                                       "docker", "name:", "uses:", "#"}) {
    if (line.find(other) != line.npos) return false;
  }
  for (const std::string_view start : {"./", "sh ", "bash ", "make ", "python", "cd ", "tests/"}) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

// Reads no YAML: a workflow's commands are lines of their own, some after "run:".
void add_workflows(const WorkTree& tree, Candidates& candidates) {
  const std::string folder = ".github/workflows";
  const auto entries = tree.files().list(join_path(tree.root(), folder));
  if (!entries) return;
  for (const FolderEntry& entry : *entries) {
    if (!entry.name.ends_with(".yml") && !entry.name.ends_with(".yaml")) continue;
    const std::string source = join_path(folder, entry.name);
    const std::string text = text_in(tree, source);
    for (std::string_view line : split_lines(text)) {
      line = trim(line);
      for (const std::string_view mark : {"- ", "run: "}) {
        if (line.starts_with(mark)) line = trim(line.substr(mark.size()));
      }
      if (!runs_tests(line) || candidates.size() >= kMaxCandidates) continue;
      add(candidates, source, std::string(line));
    }
  }
}

void add_scripts(const WorkTree& tree, Candidates& candidates) {
  for (const std::string name :
       {"run-tests.sh", "run_tests.sh", "runtests.sh", "test.sh", "tests.sh", "check.sh",
        "scripts/test", "script/test", "scripts/test.sh", "tests/run.sh", "test/run.sh"}) {
    const FileInfo info = tree.files().info(join_path(tree.root(), name));
    if (info.kind != FileKind::kFile) continue;
    const std::string text = text_in(tree, name);
    const bool is_bash = text.substr(0, text.find('\n')).find("bash") != text.npos;
    const bool is_program = (info.mode & 0111) != 0 && text.starts_with("#!");
    add(candidates, name, (is_program ? "./" : is_bash ? "bash " : "sh ") + name);
  }
}

// Joins candidates for one check.
void add_group(std::vector<Check>& checks, Candidates candidates) {
  if (candidates.empty()) return;
  Check first = std::move(candidates.front());
  first.instead.assign(candidates.begin() + 1, candidates.end());
  checks.push_back(std::move(first));
}

}  // namespace

std::vector<Check> detect_checks(const WorkTree& tree) {
  Candidates entry, npm, c, cargo, go, java, python, workflows;
  add_make(tree, entry);
  add_just(tree, entry);
  add_npm(tree, npm);
  add_c(tree, c);
  if (has(tree, "Cargo.toml")) add(cargo, "Cargo.toml", "cargo test");
  // Without -o a single main package would leave its program in the tree.
  if (has(tree, "go.mod")) add(go, "go.mod", "go build -o /dev/null ./... && go test ./...");
  add_java(tree, java);
  add_workflows(tree, workflows);
  add_scripts(tree, workflows);
  const bool has_others =
      !npm.empty() || !c.empty() || !cargo.empty() || !go.empty() || !java.empty();
  add_python(tree, !has_others, python);
  std::vector<Check> checks;
  if (!entry.empty()) {
    for (const Candidates* group : {&npm, &python, &c, &cargo, &go, &java, &workflows}) {
      entry.insert(entry.end(), group->begin(), group->end());
    }
    add_group(checks, std::move(entry));
    return checks;
  }
  for (Candidates* group : {&npm, &python, &c, &cargo, &go, &java}) {
    if (!group->empty()) group->insert(group->end(), workflows.begin(), workflows.end());
    add_group(checks, std::move(*group));
  }
  if (checks.empty()) add_group(checks, std::move(workflows));
  return checks;
}

}  // namespace pedro
