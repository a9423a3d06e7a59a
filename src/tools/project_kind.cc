#include "tools/project_kind.h"

#include <algorithm>
#include <deque>

#include "base/json.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxMarkerBytes = 1u << 20;
constexpr int kMaxFolders = 500;
constexpr int kMaxFolderDepth = 4;

bool has(const WorkTree& tree, std::string_view name) {
  return tree.files().info(join_path(tree.root(), name)).kind == FileKind::kFile;
}

/// The file's text; "" where there is none that could be read.
std::string text_in(const WorkTree& tree, std::string_view name) {
  if (!has(tree, name)) return "";
  auto text = tree.files().read(join_path(tree.root(), name), kMaxMarkerBytes);
  return text ? std::move(*text) : "";
}

bool any_contains(const WorkTree& tree, std::string_view name, std::string_view needle) {
  return text_in(tree, name).find(needle) != std::string::npos;
}

/// True where a line is a rule for `target`: "test: all", "check test:", but not "test := x".
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

void add_make(const WorkTree& tree, std::vector<Project>& projects) {
  for (const std::string name : {"GNUmakefile", "makefile", "Makefile"}) {  // make's own order
    if (!has(tree, name)) continue;
    const std::string text = text_in(tree, name);
    for (const std::string target : {"test", "check"}) {
      if (!has_rule(text, target)) continue;
      projects.push_back({ProjectKind::kMake, name, "make " + target});
      return;
    }
    return;
  }
}

void add_compiled(const WorkTree& tree, std::vector<Project>& projects) {
  struct Row {
    ProjectKind kind;
    const char* source;
    const char* command;
  };
  const char* maven = has(tree, "mvnw") ? "./mvnw -B -q test" : "mvn -B -q test";
  const char* gradle =
      has(tree, "gradlew") ? "./gradlew --console=plain test" : "gradle --console=plain test";
  const Row rows[] = {
      {ProjectKind::kCMake, "CMakeLists.txt",
       "cmake -S . -B build && cmake --build build && "
       "ctest --test-dir build --output-on-failure --no-tests=error"},
      {ProjectKind::kMeson, "meson.build",
       "{ test -d build || meson setup build; } && meson test -C build --print-errorlogs"},
      {ProjectKind::kCargo, "Cargo.toml", "cargo test"},
      // Without -o a single main package would leave its program in the tree.
      {ProjectKind::kGo, "go.mod", "go build -o /dev/null ./... && go test ./..."},
      {ProjectKind::kMaven, "pom.xml", maven},
      {ProjectKind::kGradle, "build.gradle", gradle},
      {ProjectKind::kGradle, "build.gradle.kts", gradle},
  };
  for (const Row& row : rows) {
    if (has(tree, row.source)) projects.push_back({row.kind, row.source, row.command});
  }
}

void add_npm(const WorkTree& tree, std::vector<Project>& projects) {
  const auto package = parse_json(text_in(tree, "package.json"));
  if (!package) return;
  const std::string script = text_of(member(*package, "scripts"), "test");
  // What `npm init` writes only ever fails.
  if (script.empty() || script.find("no test specified") != std::string::npos) return;
  projects.push_back({ProjectKind::kNpm, "package.json", "npm test"});
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

/// Breadth first, bounded: true where a file is named like a test of pytest's.
bool has_python_tests(const WorkTree& tree) {
  std::deque<std::pair<std::string, int>> folders = {{tree.root(), 0}};
  for (int seen = 0; !folders.empty() && seen < kMaxFolders; ++seen) {
    const auto [folder, depth] = folders.front();
    folders.pop_front();
    const auto entries = tree.files().list(folder);
    if (!entries) continue;
    for (const FolderEntry& entry : *entries) {
      if (entry.kind == FileKind::kFile && is_test_file(entry.name)) return true;
      if (depth < kMaxFolderDepth && is_worth_looking_into(entry)) {
        folders.emplace_back(join_path(folder, entry.name), depth + 1);
      }
    }
  }
  return false;
}

/// The file that configures pytest, or "".
std::string pytest_configuration(const WorkTree& tree) {
  if (has(tree, "pytest.ini")) return "pytest.ini";
  if (any_contains(tree, "pyproject.toml", "[tool.pytest")) return "pyproject.toml";
  if (any_contains(tree, "setup.cfg", "[tool:pytest]")) return "setup.cfg";
  if (any_contains(tree, "tox.ini", "[pytest]")) return "tox.ini";
  return "";
}

void add_pytest(const WorkTree& tree, std::vector<Project>& projects) {
  std::string source = pytest_configuration(tree);
  if (source.empty()) {
    if (!projects.empty()) return;
    source = "test_*.py";
  }
  if (!has_python_tests(tree)) return;
  projects.push_back({ProjectKind::kPytest, source, "python3 -m pytest -q"});
}

}  // namespace

std::vector<Project> recognise_projects(const WorkTree& tree) {
  std::vector<Project> projects;
  add_compiled(tree, projects);
  if (projects.empty()) add_make(tree, projects);
  if (!projects.empty() && projects.back().kind == ProjectKind::kMake) return projects;
  add_npm(tree, projects);
  add_pytest(tree, projects);
  return projects;
}

}  // namespace pedro
