#include "agent/check_files.h"

#include <algorithm>
#include <vector>

#include "agent/task_files.h"
#include "base/json.h"
#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxScripts = 64;

// Names of files that define builds, tests and test runs, in lower case.
constexpr std::string_view kDefinitions =
    "|makefile|gnumakefile|cmakecache.txt|cmakelists.txt|cmakepresets.json|cmakeuserpresets.json"
    "|dartconfiguration.tcl|meson.build|meson_options.txt|meson.options|configure|configure.ac"
    "|build.ninja|sconstruct|sconscript|wscript|build.bazel|module.bazel|workspace|.bazelrc"
    "|justfile|.justfile|rakefile|gemfile|.rspec|phpunit.xml|phpunit.xml.dist|composer.json"
    "|package.json|package-lock.json|pnpm-workspace.yaml|lerna.json|nx.json|turbo.json|deno.json"
    "|deno.jsonc|bunfig.toml|.npmrc|.yarnrc|.yarnrc.yml|.pnp.cjs|.babelrc|.swcrc"
    "|conftest.py|pytest.ini|.pytest.ini|pytest.toml|.pytest.toml|tox.ini|setup.cfg|setup.py"
    "|pyproject.toml|noxfile.py|sitecustomize.py|usercustomize.py|.coveragerc|unittest.cfg|.noserc"
    "|build.gradle|settings.gradle|gradle.properties|pom.xml|build.sbt|build.xml"
    "|cargo.toml|cargo.lock|build.rs|rust-toolchain|rust-toolchain.toml|clippy.toml"
    "|go.mod|go.work|modules.txt|mix.exs|stack.yaml|dune-project|dune|package.swift|pubspec.yaml"
    "|directory.build.props|directory.build.targets|.runsettings|global.json"
    "|.gitattributes|.gitignore|.gitmodules|.env|.python-version|.node-version|.nvmrc"
    "|.ruby-version|.tool-versions|";
constexpr std::string_view kDefinitionStarts =
    "|makefile.|jest.config.|vitest.config.|vitest.workspace.|vite.config.|karma.conf."
    "|playwright.config.|cypress.config.|ava.config.|wdio.conf.|babel.config.|webpack.config."
    "|.mocharc.|.taprc|.env.|.jestrc|tsconfig|";
constexpr std::string_view kDefinitionEnds =
    "|.cmake|.mk|.gradle|.gradle.kts|.bazel|.bzl|.csproj|.fsproj|.sln|.cabal|.pth|";
constexpr std::string_view kDefinitionFolders =
    "|.github|.gitlab|.circleci|.cargo|.mvn|.config|node_modules|.yarn|";

// Names that shadow a test runner or a make target.
constexpr std::string_view kShadows[] = {"pytest.py", "unittest.py", "nose.py", "test",
                                         "check",     "all",         "pytest",  "unittest"};
// Modules that Python's test runners import. A new file in the root comes before them.
constexpr std::string_view kRunnerModules =
    "|_pytest|argparse|ast|atexit|attr|collections|contextlib|copy|coverage|dataclasses|difflib"
    "|doctest|enum|exceptiongroup|faulthandler|fnmatch|functools|gc|glob|hypothesis|importlib"
    "|iniconfig|inspect|io|itertools|json|linecache|locale|logging|mock|nose|nose2|nox|os|packaging"
    "|pathlib|pdb|pkgutil|platform|pluggy|pprint|py|pygments|pytest|pytest_asyncio|re|runpy|shlex"
    "|shutil|signal|site|string|subprocess|sys|sysconfig|tempfile|textwrap|threading|time|tokenize"
    "|tomli|tomllib|tox|traceback|types|typing|unittest|uuid|warnings|weakref|xdist|zipfile|";

// Files of the root that define checks and may run other files.
constexpr std::string_view kStarts[] = {
    "GNUmakefile", "makefile",   "Makefile",     "justfile",    "Justfile",       ".justfile",
    "tox.ini",     "noxfile.py", "package.json", "meson.build", "CMakeLists.txt", "Rakefile"};

bool is_definition(std::string_view path) {
  const std::string name = to_lower(base_name(path));
  if (is_listed(kDefinitions, name) || path.starts_with(".pedrocli")) return true;
  if (any_listed(kDefinitionStarts, [&](auto word) { return name.starts_with(word); })) return true;
  if (any_listed(kDefinitionEnds, [&](auto word) { return name.ends_with(word); })) return true;
  const auto folders = split(folder_name(path), '/');
  return std::any_of(folders.begin(), folders.end(),
                     [](auto folder) { return is_listed(kDefinitionFolders, to_lower(folder)); });
}

bool is_shadow(std::string_view path) {
  // A folder can be a module too: "pytest/__init__.py".
  const std::string_view first = path.substr(0, path.find('/'));
  return is_one_of(to_lower(base_name(path)), kShadows) ||
         (first != "test" && first != "check" && first != "all" && is_one_of(first, kShadows));
}

bool shadows_module(std::string_view path) {
  const std::string_view first = path.substr(0, path.find('/'));
  const bool is_code = path.ends_with(".py") || path.ends_with(".so") || path.ends_with(".pyc");
  return is_code && is_listed(kRunnerModules, first.substr(0, first.find('.')));
}

constexpr std::string_view kInterpreters =
    "|sh|bash|dash|zsh|ksh|python|python3|node|perl|ruby|php|lua|Rscript|env|exec|time|nice|command"
    "|.|source|include|-include|sinclude|xvfb-run|";

// Returns the words that a shell text runs: each first word, and the first argument of an
// interpreter. Quotes are removed.
std::vector<std::string> words_run(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\"'";
  std::vector<std::string> words;
  bool is_next = true;  // the word may be a program
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\"'\n;&|(){}", at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (is_next && (word.starts_with('@') || word.starts_with('+'))) word.remove_prefix(1);
    const bool is_assignment = is_next && word.find('=') != word.npos;
    if (is_listed(kInterpreters, base_name(word))) {
      if (is_next) words.emplace_back(word);  // a file may have that name
      is_next = true;
    } else if (!word.empty() && !word.starts_with('-') && !is_assignment) {
      if (is_next) words.emplace_back(word);
      is_next = false;
    }
    if (end < text.size() && kBlanks.find(text[end]) == kBlanks.npos) is_next = true;
    at = end + 1;
  }
  return words;
}

// Returns true if a file that a definition runs is a script of the checks, not the program.
bool is_check_script(std::string_view path) {
  const std::string name = to_lower(base_name(path));
  const std::size_t dot = name.rfind('.');
  const std::string_view ending = dot == name.npos ? "" : std::string_view(name).substr(dot);
  if (is_listed("|.sh|.bash|.zsh|.ksh|.bats|.inc|.exp|.awk|", ending) || ending.empty())
    return true;
  if (!is_listed("|.py|.js|.mjs|.cjs|.ts|.pl|.rb|.php|.lua|.r|", ending)) return false;
  constexpr std::string_view kWords = "|test|check|spec|verify|valid|lint|suite|runner|";
  const std::string_view folder = path.substr(0, path.find('/'));
  return any_listed(kWords, [&](auto word) { return name.find(word) != name.npos; }) ||
         (folder.size() < path.size() && is_listed("|scripts|script|ci|.ci|hack|", folder));
}

// The scripts that checks run, found in their commands and in the definitions of the base.
class ScriptSearch {
 public:
  ScriptSearch(std::span<const Check> checks, const TextOfBase& base) : base_(base) {
    for (const Check& check : checks) follow(check.command, "");
    if (!base) return;
    for (const std::string_view name : kStarts) {
      const std::string path(name);
      if (std::string text = base(path); !text.empty()) follow(commands_of(path, text), "");
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      follow(base(found_[i]), std::string(folder_name(found_[i])));
    }
  }

  bool contains(const std::string& path) const {
    return std::find(found_.begin(), found_.end(), path) != found_.end();
  }

 private:
  // Returns the scripts of a package.json, one per line.
  static std::string commands_of(const std::string& path, const std::string& text) {
    if (path != "package.json") return text;
    const auto package = parse_json(text);
    if (!package) return "";
    std::string lines;
    for (const auto& [name, script] : member(*package, "scripts").items()) {
      if (script.is_string()) lines += script.get<std::string>() + "\n";
    }
    return lines;
  }

  void follow(std::string_view text, const std::string& folder) {
    for (std::string_view word : std::vector<std::string>(words_run(text))) {
      if (word.starts_with('$')) word.remove_prefix(std::min(word.find('/'), word.size()));
      while (word.starts_with('/')) word.remove_prefix(1);  // after "${folder}"
      while (word.starts_with("./")) word.remove_prefix(2);
      if (word.empty() || !is_check_script(word)) continue;
      add(std::string(word));
      if (!folder.empty()) add(join_path(folder, word));
    }
  }

  // A file that the base lacks is the work, not a script of its checks.
  void add(const std::string& path) {
    if (found_.size() >= kMaxScripts || contains(path)) return;
    if (!base_ || !base_(path).empty()) found_.push_back(path);
  }

  const TextOfBase& base_;
  std::vector<std::string> found_;
};

}  // namespace

std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks, const TextOfBase& base) {
  const ScriptSearch scripts(checks, base);
  std::set<std::string> files;
  for (const std::string& path : changed) {
    const bool is_new_module = base && shadows_module(path) && base(path).empty();
    if (is_test_path(path) || is_definition(path) || is_shadow(path) || is_new_module ||
        scripts.contains(path)) {
      files.insert(path);
    }
  }
  return files;
}

}  // namespace pedro
