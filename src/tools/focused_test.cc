#include "tools/focused_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "tools/project_kind.h"

namespace pedro {
namespace {

using Built = Result<std::string>;

std::string_view stem_of(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.substr(0, name.rfind('.'));
}

Built cmake(const Project&, const TestFocus& focus) {
  if (focus.test_case.empty()) return refusal("ctest runs no files: give `case`, a regex of names");
  return "cmake -S . -B build && cmake --build build && "
         "ctest --test-dir build --output-on-failure --no-tests=error -R " +
         quoted_for_shell(focus.test_case);
}

Built meson(const Project&, const TestFocus& focus) {
  if (focus.test_case.empty()) return refusal("meson runs no files: give `case`, a test's name");
  return "{ test -d build || meson setup build; } && meson test -C build --print-errorlogs " +
         quoted_for_shell(focus.test_case);
}

Built cargo(const Project&, const TestFocus& focus) {
  std::string command = "cargo test";
  if (!focus.file.empty()) {
    if (folder_name(focus.file) != "tests") {
      return refusal("cargo runs single files only of tests/: give `case` instead");
    }
    command += " --test " + quoted_for_shell(stem_of(focus.file));
  }
  return focus.test_case.empty() ? command : command + " " + quoted_for_shell(focus.test_case);
}

Built go(const Project&, const TestFocus& focus) {
  const std::string package =
      focus.file.empty() ? "./..." : "./" + std::string(folder_name(focus.file));
  std::string command = "go test ";
  if (!focus.test_case.empty()) command += "-run " + quoted_for_shell(focus.test_case) + " ";
  return command + quoted_for_shell(package);
}

// Surefire's notation: Class#method.
Built maven(const Project& project, const TestFocus& focus) {
  const std::string type(stem_of(focus.file));
  if (type.empty() && focus.test_case.find('#') == std::string::npos) {
    return refusal("Maven takes a `file`, or a `case` written Class#method");
  }
  const std::string joint = type.empty() || focus.test_case.empty() ? "" : "#";
  return project.command + " -Dtest=" + quoted_for_shell(type + joint + focus.test_case);
}

Built gradle(const Project& project, const TestFocus& focus) {
  const std::string type(stem_of(focus.file));
  const std::string joint = type.empty() || focus.test_case.empty() ? "" : ".";
  return project.command + " --tests " + quoted_for_shell("*" + type + joint + focus.test_case);
}

Built make(const Project&, const TestFocus&) {
  return refusal("make runs all tests only: call run without file and case, or use bash");
}

Built npm(const Project&, const TestFocus& focus) {
  std::string command = "npm test --";
  if (!focus.file.empty()) command += " " + quoted_for_shell(focus.file);
  if (!focus.test_case.empty()) command += " -t " + quoted_for_shell(focus.test_case);
  return command;
}

Built pytest(const Project&, const TestFocus& focus) {
  const std::string runner = "python3 -m pytest -q ";
  if (focus.file.empty()) return runner + "-k " + quoted_for_shell(focus.test_case);
  const std::string joint = focus.test_case.empty() ? "" : "::";
  return runner + quoted_for_shell("./" + focus.file + joint + focus.test_case);
}

struct FocusForm {
  ProjectKind kind;
  Built (*build)(const Project& project, const TestFocus& focus);
  std::string_view extensions;  ///< of the files it is asked about, each with a blank behind it
};
constexpr FocusForm kFocusForms[] = {
    {ProjectKind::kCMake, cmake, ".c .cc .cpp .cxx .h .hpp "},
    {ProjectKind::kMeson, meson, ".c .cc .cpp .cxx .h .hpp "},
    {ProjectKind::kCargo, cargo, ".rs "},
    {ProjectKind::kGo, go, ".go "},
    {ProjectKind::kMaven, maven, ".java .kt .scala "},
    {ProjectKind::kGradle, gradle, ".java .kt .groovy .scala "},
    {ProjectKind::kMake, make, ""},
    {ProjectKind::kNpm, npm, ".js .jsx .ts .tsx .mjs .cjs .mts .cts .vue "},
    {ProjectKind::kPytest, pytest, ".py "},
};

const FocusForm& row_of(ProjectKind kind) {
  return *std::find_if(std::begin(kFocusForms), std::end(kFocusForms),
                       [kind](const FocusForm& row) { return row.kind == kind; });
}

bool takes(const FocusForm& row, std::string_view file) {
  const std::string_view name = base_name(file);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  return row.extensions.find(std::string(name.substr(dot)) + " ") != std::string_view::npos;
}

}  // namespace

Result<std::string> focused_test(const WorkTree& tree, const TestFocus& focus) {
  if (focus.test_case.starts_with('-')) return refusal("a `case` must not begin with '-'");
  const std::vector<Project> projects = recognise_projects(tree);
  if (projects.empty()) return refusal("no test runner is recognised here: use bash");
  // Several languages in one tree: the file says which one is meant.
  for (const Project& project : projects) {
    const FocusForm& row = row_of(project.kind);
    if (takes(row, focus.file)) return row.build(project, focus);
  }
  return row_of(projects.front().kind).build(projects.front(), focus);
}

std::string quoted_for_shell(std::string_view text) {
  return "'" + replace_all(text, "'", "'\\''") + "'";
}

}  // namespace pedro
