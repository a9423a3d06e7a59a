#include "agent/check_files.h"

#include <algorithm>

#include "agent/task_files.h"
#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Names of files that define builds, tests and test runs, in lower case.
constexpr std::string_view kDefinitions[] = {
    "makefile",         "gnumakefile",       "cmakelists.txt",   "ctesttestfile.cmake",
    "meson.build",      "meson_options.txt", "package.json",     "conftest.py",
    "pytest.ini",       "tox.ini",           "setup.cfg",        "setup.py",
    "pyproject.toml",   "noxfile.py",        "justfile",         ".justfile",
    "build.gradle",     "build.gradle.kts",  "pom.xml",          "build.rs",
    ".gitattributes",   ".gitignore",        ".npmrc",           "sitecustomize.py",
    "usercustomize.py", "jest.config.js",    "vitest.config.js", "vitest.config.ts",
    ".mocharc.json",    ".coveragerc"};

// Names that shadow a test runner or a make target.
constexpr std::string_view kShadows[] = {"pytest.py", "unittest.py", "nose.py", "test",
                                         "check",     "all",         "pytest",  "unittest"};

bool is_definition(std::string_view path) {
  const std::string name = to_lower(base_name(path));
  return is_one_of(name, kDefinitions) || name.ends_with(".cmake") || name.ends_with(".mk") ||
         path.starts_with(".github/") || path.starts_with(".cargo/") ||
         path.starts_with(".pedrocli");
}

bool is_shadow(std::string_view path) {
  // A folder can be a module too: "pytest/__init__.py".
  const std::string_view first = path.substr(0, path.find('/'));
  return is_one_of(to_lower(base_name(path)), kShadows) ||
         (first != "test" && first != "check" && first != "all" && is_one_of(first, kShadows));
}

constexpr std::string_view kInterpreters[] = {"sh",   "bash", "dash", "zsh", "python", "python3",
                                              "node", "perl", "ruby", "php", "lua",    "Rscript"};

// Returns true if a command runs the file: as its first word or as the first argument of an
// interpreter.
bool runs(std::string_view command, std::string_view path) {
  bool is_next = true;  // the word may be a program
  std::size_t at = 0;
  while (at < command.size()) {
    const std::size_t end = std::min(command.find_first_of(" \t\n;&|(){}", at), command.size());
    std::string_view word = command.substr(at, end - at);
    if (word.starts_with("./")) word.remove_prefix(2);
    if (is_next && word == path) return true;
    if (!word.empty() && !word.starts_with('-'))
      is_next = is_one_of(base_name(word), kInterpreters);
    if (end < command.size() &&
        std::string_view(" \t").find(command[end]) == std::string_view::npos) {
      is_next = true;
    }
    at = end + 1;
  }
  return false;
}

bool is_run(std::string_view path, std::span<const Check> checks) {
  return std::any_of(checks.begin(), checks.end(),
                     [&](const Check& check) { return runs(check.command, path); });
}

}  // namespace

std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks) {
  std::set<std::string> files;
  for (const std::string& path : changed) {
    if (is_test_path(path) || is_definition(path) || is_shadow(path) || is_run(path, checks)) {
      files.insert(path);
    }
  }
  return files;
}

}  // namespace pedro
