#include "agent/check_files.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/check_names.h"
#include "agent/check_programs.h"
#include "agent/script_words.h"
#include "agent/task_files.h"
#include "base/json.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/glob.h"
#include "tools/language.h"
#include "tools/test_names.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kRunnerSettings[] = {
    "pytest.ini",       ".pytest.ini",       "pytest.toml",      ".pytest.toml",
    "tox.ini",          "setup.cfg",         "pyproject.toml",   "conftest.py",
    "package.json",     ".mocharc.json",     ".mocharc.yml",     ".mocharc.yaml",
    ".mocharc.js",      ".mocharc.cjs",      "jest.config.js",   "jest.config.cjs",
    "jest.config.mjs",  "jest.config.ts",    "jest.config.json", "vitest.config.js",
    "vitest.config.ts", "vitest.config.mts", "ava.config.js",    "deno.json",
    "phpunit.xml",      "phpunit.xml.dist",  "codeception.yml",  "jasmine.json",
    ".rspec",           ".busted",           ".proverc",         "dart_test.yaml"};

// Keys whose values are files, folders or patterns of tests.
constexpr std::string_view kPlaceKeys =
    "|python_files|testpaths|testMatch|spec|spec_dir|spec_files|--pattern|";
constexpr std::string_view kPluginKeys = "|addopts|pytest_plugins|-p|";
constexpr std::size_t kMaxValueLines = 100;

// Returns the key and the values of a setting, without punctuation.
std::vector<std::string> setting_words(std::string_view line) {
  std::string text(line);
  for (char& c : text) {
    if (std::string_view("\"'`[](){}<>,=:\t\r").find(c) != std::string_view::npos) c = ' ';
  }
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

bool has_open_list(std::string_view text) {
  return std::count(text.begin(), text.end(), '[') > std::count(text.begin(), text.end(), ']');
}

// Joins a setting with its other lines: indented ones, or those of an open list.
std::string setting_at(const std::vector<std::string_view>& lines, std::size_t first) {
  std::string text(lines[first]);
  const std::size_t end = std::min(lines.size(), first + kMaxValueLines);
  for (std::size_t i = first + 1; i < end; ++i) {
    const bool is_indented = lines[i].starts_with(' ') || lines[i].starts_with('\t');
    if (!has_open_list(text) && (!is_indented || lines[first].starts_with(' '))) break;
    text += " ";
    text += lines[i];
  }
  return text;
}

void add_plugins(const std::vector<std::string>& values, ScriptWords& words) {
  const bool are_options = std::any_of(values.begin(), values.end(),
                                       [](const auto& value) { return value.starts_with('-'); });
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string name = values[i];
    if (are_options && name.size() > 2 && name.starts_with("-p")) {
      name.erase(0, 2);
    } else if (are_options && (i == 0 || values[i - 1] != "-p")) {
      continue;
    }
    words.plugins.push_back(replace_all(name, ".", "/"));
  }
}

// Names of files in the root with settings of test runners that name tests.
std::span<const std::string_view> runner_settings_files() {
  return kRunnerSettings;
}

// Adds the tests and plugins in settings of pytest, Jest, Mocha, Vitest, PHPUnit and similar
// runners to `words`. Examples: `python_files`, `testpaths`, `-p` of `addopts`, `testMatch`. `text`
// is the file at `path`, in INI, TOML, JSON, YAML or XML.
void add_runner_settings(std::string_view path, std::string_view text, ScriptWords& words) {
  const bool has_includes = path.starts_with("vitest") || path.starts_with("deno");
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> values = setting_words(setting_at(lines, i));
    if (values.size() < 2) continue;
    const std::string key = values.front();
    values.erase(values.begin());
    if (is_listed(kPluginKeys, key)) add_plugins(values, words);
    if (!is_listed(kPlaceKeys, key) && !(has_includes && key == "include")) continue;
    for (const std::string& value : values)
      words.places.push_back(replace_all(value, "rootDir/", ""));
  }
}

constexpr std::size_t kMaxScripts = 256;
constexpr std::size_t kMaxFolders = 16;
constexpr int kMaxFollowed = 8;

// Files that define checks and may run other files, in the root and in folders of `make -C`.
constexpr std::string_view kMakefiles[] = {"GNUmakefile", "makefile", "Makefile"};
constexpr std::string_view kStartFiles[] = {
    "justfile",      "Justfile",      ".justfile",      "tox.ini",  "noxfile.py",
    "package.json",  "meson.build",   "CMakeLists.txt", "Rakefile", "Taskfile.yml",
    "Taskfile.yaml", "composer.json", "deno.json",      "dune",     "build.ninja"};

// Folders of sources, never of tests alone.
constexpr std::string_view kSourceFolders =
    "|src|lib|app|source|sources|pkg|packages|cmd|internal|include|doc|docs|";

// Returns "" for the root and for a path outside of it.
std::string in_root(std::string_view path) {
  std::string normal = normal_path(path);
  const bool is_inside =
      normal != "." && normal != ".." && !normal.starts_with("../") && !normal.starts_with('/');
  return is_inside ? normal : "";
}

std::string in_folder(std::string_view folder, std::string_view path) {
  return in_root(join_path(folder, path));
}

// Returns true if `pattern` matches; without a folder, it matches only files of the root.
bool matches_at(const std::string& pattern, const std::string& path) {
  if (pattern.find('/') == pattern.npos && path.find('/') != path.npos) return false;
  const auto glob = Glob::parse(pattern);
  return glob && glob->matches(path);
}

// Returns the folder in front of the first wildcard.
std::string fixed_folder(const std::string& pattern) {
  const std::size_t star = pattern.find_first_of("*?[{");
  if (star == pattern.npos) return pattern;
  const std::size_t slash = pattern.rfind('/', star);
  return slash == pattern.npos ? "" : pattern.substr(0, slash);
}

bool has_letters(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

// Returns true if a script compares something or starts tests, as tests and their libraries do.
// Programs with functions search texts too.
bool compares(std::string_view text) {
  constexpr std::string_view kWords =
      "|assert|expect|FAIL|not ok|diff |cmp |pytest|unittest|go test|cargo test|npm test|make test"
      "|make check|node --test|ctest|prove |";
  return has_any(text, kWords) ||
         (text.find("grep -q") != text.npos && text.find("()") == text.npos);
}

// Returns the scripts of a package.json, one per line.
std::string commands_of(const std::string& text) {
  const auto package = parse_json(text);
  if (!package) return "";
  std::string lines;
  for (const char* key : {"scripts", "tasks"}) {
    for (const auto& [name, script] : member(*package, key).items()) {
      if (script.is_string()) lines += script.get<std::string>() + "\n";
      for (const auto& part : script.is_array() ? script : Json::array()) {
        if (part.is_string()) lines += part.get<std::string>() + "\n";
      }
    }
  }
  return lines;
}

// The files that checks run, found in their commands and in the definitions of the base. Follows
// scripts, included files, sub-makes and settings of test runners. After 256 files, every file
// that looks like a script counts. Borrows the arguments. Without `base`, reads only the commands.
//
//     CheckScripts scripts(checks, base, links);
//     scripts.contains("ci/run.sh")  // true for the Makefile "test:\n\tcd ci && ./run.sh"
class CheckScripts {
 public:
  CheckScripts(std::span<const Check> checks, const TextOfBase& base, const LinksOfBase& links,
               const std::set<std::string>& paths);

  bool contains(const std::string& path) const;

 private:
  struct Found {
    std::string path;
    std::string text;
    bool is_make = false;
  };
  // kOfTest: a test runs or sources it, or compares its output, so it may be the program.
  enum class Kind { kScript, kMake, kOfTest };

  void follow(const std::string& path, const std::string& text, bool is_make);
  void take(const ScriptWords& words, const std::string& folder, Kind kind, Kind sourced);
  void take_includes(const std::string& text, const std::string& folder);
  void take_settings();
  void add_word(std::string word, const std::vector<std::string>& folders, Kind kind);
  void add_programs(const std::string& path, Kind kind);
  void add(const std::string& path, Kind kind);
  bool compares_programs(const std::string& path, const std::string& text) const;
  std::string resolved(const std::string& path) const;
  bool is_place(const std::string& place) const;
  bool is_in_place(const std::string& path) const;
  bool is_link_target(const std::string& path) const;

  const TextOfBase& base_;
  const LinksOfBase& links_;
  const std::set<std::string>& files_;  // of the base
  SourceNames sources_;
  std::vector<Found> found_;
  std::set<std::string> paths_;        // of found_
  std::set<std::string> tried_;        // paths that add() has seen
  std::vector<std::string> includes_;  // patterns of any file
  std::vector<std::string> loops_;     // patterns of scripts
  std::vector<std::string> places_;    // patterns of tests, and their folders
  bool is_cut_ = false;                // found_ lacks files
};

CheckScripts::CheckScripts(std::span<const Check> checks, const TextOfBase& base,
                           const LinksOfBase& links, const std::set<std::string>& paths)
    : base_(base), links_(links), files_(paths) {
  if (!paths.empty()) sources_ = source_names(paths, base_("Cargo.toml"));
  for (const Check& check : checks) follow("", check.command, false);
  if (!base_) return;
  for (const std::string_view name : kMakefiles) add(std::string(name), Kind::kMake);
  for (const std::string_view name : kStartFiles) add(std::string(name), Kind::kScript);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Found found = found_[i];
    follow(found.path, found.text, found.is_make);
  }
  take_settings();
}

bool CheckScripts::contains(const std::string& path) const {
  if (paths_.contains(path) || is_in_place(path) || is_link_target(path)) return true;
  const auto matches = [&path](const std::string& pattern) { return matches_at(pattern, path); };
  if (std::any_of(includes_.begin(), includes_.end(), matches)) return true;
  if (!is_check_script(path)) return false;
  return is_cut_ || std::any_of(loops_.begin(), loops_.end(), matches);
}

void CheckScripts::follow(const std::string& path, const std::string& text, bool is_make) {
  const std::string folder(folder_name(path));
  const bool is_json = path.ends_with(".json");
  // A program that starts others mostly compares their outputs.
  const bool is_program = language_of(path) != Language::kUnknown && !is_check_definition(path);
  const Kind kind = is_test_name(path) || is_program ? Kind::kOfTest : Kind::kScript;
  const Kind sourced = is_named_check(path) ? Kind::kOfTest : kind;
  take(script_words(is_json ? commands_of(text) : with_values(text)), folder, kind, sourced);
  if (is_make) take_includes(text, folder);
}

void CheckScripts::take(const ScriptWords& words, const std::string& folder, Kind kind,
                        Kind sourced) {
  std::vector<std::string> folders = {""};
  add_once(folders, folder);
  for (const std::string& entered : words.folders) {
    if (folders.size() >= kMaxFolders) break;
    for (const std::string& from : {std::string(), folder}) {
      const std::string inside = in_folder(from, entered);
      if (inside.empty()) continue;
      add_once(folders, inside);
      for (const std::string_view name : kMakefiles) add(in_folder(inside, name), Kind::kMake);
      for (const std::string_view name : kStartFiles) add(in_folder(inside, name), Kind::kScript);
    }
  }
  for (const std::string& in : folders) {
    for (const std::string& makefile : words.makefiles) add(in_folder(in, makefile), Kind::kMake);
  }
  for (const std::string& word : words.programs) add_word(word, folders, kind);
  for (const std::string& word : words.sourced) add_word(word, folders, sourced);
  for (const std::string& word : words.compared) add_word(word, folders, Kind::kOfTest);
  for (const std::string& module : words.modules) {
    add_word(module + ".py", folders, kind);
    for (const std::string& in : folders) {
      const std::string main = in_folder(in, module + "/__main__.py");
      if (is_check_script(module + ".py")) add(main, Kind::kScript);
      add_programs(main, kind);
    }
  }
  for (const std::string& in : folders) {
    for (const std::string& plugin : words.plugins) {
      add(in_folder(in, plugin + ".py"), Kind::kScript);
      add(in_folder(in, plugin + "/__init__.py"), Kind::kScript);
    }
    for (const std::string& loop : words.loops) add_once(loops_, in_folder(in, loop));
    for (const std::string& place : words.places) {
      if (is_place(in_folder(in, place))) add_once(places_, in_folder(in, place));
    }
  }
}

void CheckScripts::take_includes(const std::string& text, const std::string& folder) {
  for (const std::string& pattern : included_patterns(text)) {
    for (const std::string& in : {std::string(), folder}) {
      const std::string path = in_folder(in, pattern);
      if (path.empty()) continue;
      add_once(includes_, path);
      add(path, Kind::kMake);
    }
  }
}

void CheckScripts::take_settings() {
  ScriptWords words;
  for (const std::string_view name : runner_settings_files()) {
    add_runner_settings(name, base_(std::string(name)), words);
  }
  if (is_runner_plugin(base_)) words.plugins.clear();
  take(words, "", Kind::kScript, Kind::kScript);
}

void CheckScripts::add_word(std::string word, const std::vector<std::string>& folders, Kind kind) {
  if (word.starts_with('$')) word.erase(0, std::min(word.find('/'), word.size()));
  while (word.starts_with('/')) word.erase(0, 1);  // after "${folder}"
  while (word.starts_with("./")) word.erase(0, 2);
  if (word.empty()) return;
  for (const std::string& folder : folders) {
    if (is_check_script(word)) add(in_folder(folder, word), kind);
    add_programs(in_folder(folder, word), kind);
  }
}

// Adds a program that tests others, or those of a Go package in a folder.
void CheckScripts::add_programs(const std::string& path, Kind kind) {
  if (!base_ || path.empty()) return;
  std::vector<std::string> programs = {path};
  const std::string folder = path + "/";
  for (auto file = files_.lower_bound(folder); file != files_.end(); ++file) {
    if (!file->starts_with(folder)) break;
    if (file->ends_with(".go") && folder_name(*file) == path) programs.push_back(*file);
  }
  for (const std::string& program : programs) {
    const bool is_known = tried_.contains(program) || !has_program_extension(program);
    if (is_known || !files_.contains(program)) continue;
    if (tests_sources(program, base_(resolved(program)), sources_, kind == Kind::kScript)) {
      add(program, Kind::kScript);
    }
  }
}

// A file that the base lacks is the work, not a script of its checks.
void CheckScripts::add(const std::string& path, Kind kind) {
  if (path.empty() || is_cut_ || tried_.contains(path)) return;
  const std::string real = resolved(path);
  std::string text = base_ ? base_(real) : "";
  if (kind == Kind::kOfTest && !is_named_check(path) && !compares(text) &&
      !compares_programs(real, text)) {
    return;
  }
  tried_.insert(path);
  if (base_ && text.empty()) return;
  is_cut_ = found_.size() >= kMaxScripts;
  paths_.insert(path);
  paths_.insert(real);
  found_.push_back({real, std::move(text), kind == Kind::kMake});
}

// Returns true if a script compares the output of a file of the base.
bool CheckScripts::compares_programs(const std::string& path, const std::string& text) const {
  return base_ && std::ranges::any_of(script_words(with_values(text)).compared,
                                      [&](const std::string& word) {
                                        return files_.contains(in_root(word)) ||
                                               files_.contains(in_folder(folder_name(path), word));
                                      });
}

// Follows the links of the base in a path.
std::string CheckScripts::resolved(const std::string& path) const {
  std::string now = path;
  for (int i = 0; i < kMaxFollowed && !links_.empty(); ++i) {
    bool is_link = false;
    for (std::size_t end = now.find('/'); !is_link; end = now.find('/', end + 1)) {
      const auto link = links_.find(now.substr(0, end));
      is_link = link != links_.end();
      if (is_link) {
        const std::string target = in_folder(folder_name(link->first), link->second);
        now = in_root(target + (end == now.npos ? "" : now.substr(end)));
      }
      if (end == now.npos || is_link) break;
    }
    if (!is_link) break;
  }
  return now;
}

// Returns true if a file, folder or pattern that a runner gets has tests, not sources.
bool CheckScripts::is_place(const std::string& place) const {
  const std::string_view name = base_name(place);
  const std::size_t dot = name.rfind('.');
  const bool has_wildcard = place.find_first_of("*?[{") != place.npos;
  if (has_wildcard && has_letters(name.substr(0, dot))) return true;
  if (!has_wildcard && language_of(place) != Language::kUnknown) return is_check_script(place);
  const std::string folder = fixed_folder(place);
  if (!base_ || folder.empty()) return false;
  return !is_listed(kSourceFolders, folder.substr(0, folder.find('/'))) &&
         base_(folder + "/__init__.py").empty();
}

bool CheckScripts::is_in_place(const std::string& path) const {
  return std::any_of(places_.begin(), places_.end(), [&path](const std::string& place) {
    if (path == place || path.starts_with(place + "/")) return true;
    const auto glob = Glob::parse(place);
    return place.find('*') != place.npos && glob && glob->matches(path);
  });
}

// Returns true for the target of a link that is a test or a definition by its own name.
bool CheckScripts::is_link_target(const std::string& path) const {
  return std::any_of(links_.begin(), links_.end(), [&](const auto& link) {
    const std::string target = resolved(link.first);
    const bool is_tests = !is_test_name(link.first) && is_test_name(link.first + "/x.txt");
    if (is_tests && path.starts_with(target + "/")) {
      return !is_listed(kSourceFolders, target.substr(0, target.find('/')));
    }
    return path == target && (is_test_name(link.first) || is_check_definition(link.first) ||
                              is_expected_output(link.first) || paths_.contains(link.first));
  });
}

// Returns true if a path below one of its folders is that of a library module.
bool may_hide_module(std::string_view path) {
  for (std::size_t at = 0; at != path.npos; at = path.find('/', at)) {
    if (at > 0) ++at;
    if (shadows_module(path.substr(at))) return true;
  }
  return false;
}

// Returns true for a new Python module that hides a library module. It is in the root, or in a
// folder that checks or conventions put before the libraries.
bool is_new_module(const std::string& path, std::span<const std::string> changed,
                   std::span<const Check> checks, const TextOfBase& base) {
  if (!base || !may_hide_module(path)) return false;
  for (std::size_t at = 0; at != path.npos;) {
    if (shadows_module(std::string_view(path).substr(at))) return base(path).empty();
    const std::size_t slash = path.find('/', at);
    if (slash == path.npos) return false;
    const std::string package = path.substr(0, slash) + "/__init__.py";
    const bool is_made = std::ranges::find(changed, package) != changed.end() &&
                         !is_listed(kSourceFolders, path.substr(at, slash - at));
    const std::string folder = path.substr(at, slash - at);
    const bool is_root = is_listed("|src|lib|", folder) || is_test_path(path) ||
                         std::ranges::any_of(checks, [&folder](const Check& check) {
                           return has_whole_words(check.command, folder);
                         });
    if (is_made || !base(package).empty() || !is_root) return false;
    at = slash + 1;
  }
  return false;
}

// Returns true for a new program with the name of a command that checks use.
bool is_new_command(const std::string& path, const TextOfBase& base) {
  constexpr std::string_view kCommands =
      "|diff|cmp|grep|egrep|fgrep|test|cat|sed|awk|sort|uniq|wc|tr|cut|head|tail|expr|env|sh|bash"
      "|make|cc|gcc|g++|python|python3|node|npm|npx|go|cargo|prove|pytest|timeout|";
  return base && is_listed(kCommands, base_name(path)) && base(path).empty();
}

}  // namespace

std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks, const TextOfBase& base,
                                  const LinksOfBase& links, const std::set<std::string>& paths,
                                  const std::set<std::string>& products) {
  const CheckScripts scripts(checks, base, links, paths);
  std::set<std::string> files;
  for (const std::string& path : changed) {
    const bool is_named = is_test_path(path) && !products.contains(path);
    if (is_named || is_check_definition(path) || is_expected_output(path) || shadows_runner(path) ||
        is_new_module(path, changed, checks, base) || is_new_command(path, base) ||
        scripts.contains(path)) {
      files.insert(path);
    }
  }
  return files;
}

bool is_runner_plugin(const TextOfBase& base) {
  constexpr const char* kFiles[] = {"pyproject.toml", "setup.cfg", "setup.py"};
  return std::any_of(std::begin(kFiles), std::end(kFiles), [&](const char* path) {
    return base(path).find("pytest11") != std::string::npos;
  });
}

}  // namespace pedro
