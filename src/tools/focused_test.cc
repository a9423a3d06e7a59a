#include "tools/focused_test.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/tool.h"

namespace pedro {
namespace {

using Built = Result<std::string>;

std::string_view stem_of(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.substr(0, name.rfind('.'));
}

Built ctest(std::string_view command, const TestFocus& focus) {
  if (focus.test_case.empty())
    return refusal("ctest cannot run files: give `case`, a regex of names");
  return fmt::format("{} -R {}", command, quoted_for_shell(focus.test_case));
}

Built meson(std::string_view command, const TestFocus& focus) {
  if (focus.test_case.empty()) return refusal("meson cannot run files: give `case`, a test's name");
  return fmt::format("{} {}", command, quoted_for_shell(focus.test_case));
}

Built cargo(std::string_view command, const TestFocus& focus) {
  std::string line(command);
  if (!focus.file.empty()) {
    if (folder_name(focus.file) != "tests") {
      return refusal("cargo runs single files only from tests/: give `case` instead");
    }
    line += " --test " + quoted_for_shell(stem_of(focus.file));
  }
  return focus.test_case.empty() ? line : line + " " + quoted_for_shell(focus.test_case);
}

Built go(std::string_view, const TestFocus& focus) {
  const std::string package =
      focus.file.empty() ? "./..." : "./" + std::string(folder_name(focus.file));
  std::string line = "go test ";
  if (!focus.test_case.empty()) line += "-run " + quoted_for_shell(focus.test_case) + " ";
  return line + quoted_for_shell(package);
}

// Uses Surefire's notation: Class#method.
Built maven(std::string_view command, const TestFocus& focus) {
  const std::string type(stem_of(focus.file));
  if (type.empty() && focus.test_case.find('#') == std::string::npos) {
    return refusal("Maven takes a `file`, or a `case` written Class#method");
  }
  const std::string joint = type.empty() || focus.test_case.empty() ? "" : "#";
  return fmt::format("{} -Dtest={}", command, quoted_for_shell(type + joint + focus.test_case));
}

Built gradle(std::string_view command, const TestFocus& focus) {
  const std::string type(stem_of(focus.file));
  const std::string joint = type.empty() || focus.test_case.empty() ? "" : ".";
  return fmt::format("{} --tests {}", command,
                     quoted_for_shell("*" + type + joint + focus.test_case));
}

Built npm(std::string_view command, const TestFocus& focus) {
  std::string line = std::string(command) + " --";
  if (!focus.file.empty()) line += " " + quoted_for_shell(focus.file);
  if (!focus.test_case.empty()) line += " -t " + quoted_for_shell(focus.test_case);
  return line;
}

Built pytest(std::string_view command, const TestFocus& focus) {
  if (focus.file.empty())
    return fmt::format("{} -k {}", command, quoted_for_shell(focus.test_case));
  const std::string joint = focus.test_case.empty() ? "" : "::";
  return fmt::format("{} {}", command,
                     quoted_for_shell("./" + focus.file + joint + focus.test_case));
}

// A file replaces the discovery.
Built unittest(std::string_view command, const TestFocus& focus) {
  constexpr std::string_view kRunner = "unittest";
  std::string line(command);
  if (!focus.file.empty()) {
    line = fmt::format("{} -q {}", command.substr(0, command.find(kRunner) + kRunner.size()),
                       quoted_for_shell(focus.file));
  }
  return focus.test_case.empty() ? line : line + " -k " + quoted_for_shell(focus.test_case);
}

// A test runner that accepts a subset at the end of its command.
struct Runner {
  std::string_view words;  // in the command of a check
  Built (*build)(std::string_view command, const TestFocus& focus);
  std::string_view extensions;  // of its test files, each followed by a blank
};
constexpr Runner kRunners[] = {
    {"ctest ", ctest, ".c .cc .cpp .cxx .h .hpp "},
    {"meson test", meson, ".c .cc .cpp .cxx .h .hpp "},
    {"cargo test", cargo, ".rs "},
    {"go test", go, ".go "},
    {"mvn", maven, ".java .kt .scala "},
    {"gradle", gradle, ".java .kt .groovy .scala "},
    {"npm test", npm, ".js .jsx .ts .tsx .mjs .cjs .mts .cts .vue "},
    {"pytest", pytest, ".py "},
    {"unittest", unittest, ".py "},
};

// Finds the runner that a command ends with; only arguments may follow it.
const Runner* runner_of(std::string_view command) {
  for (const Runner& runner : kRunners) {
    const std::size_t at = command.rfind(runner.words);
    if (at == command.npos) continue;
    if (command.find_first_of("|;&<>\n", at) == command.npos) return &runner;
  }
  return nullptr;
}

bool takes(const Runner& runner, std::string_view file) {
  const std::string_view name = base_name(file);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  return runner.extensions.find(std::string(name.substr(dot)) + " ") != std::string_view::npos;
}

}  // namespace

Result<std::string> focused_test(const std::vector<Check>& checks, const TestFocus& focus) {
  if (focus.test_case.starts_with('-')) return refusal("a `case` must not begin with '-'");
  if (checks.empty()) return refusal("no checks are known for this project: use bash");
  const Check* first = nullptr;
  for (const Check& check : checks) {
    const Runner* runner = runner_of(check.command);
    if (runner == nullptr) continue;
    // With several languages in a tree, the file selects the runner.
    if (takes(*runner, focus.file)) return runner->build(check.command, focus);
    if (first == nullptr) first = &check;
  }
  if (first != nullptr) return runner_of(first->command)->build(first->command, focus);
  return refusal(fmt::format(
      "`{}` runs all tests only: call run without file and case, or run a part of it with bash",
      checks.front().command));
}

}  // namespace pedro
