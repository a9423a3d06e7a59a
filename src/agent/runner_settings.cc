#include "agent/runner_settings.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
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

}  // namespace

std::span<const std::string_view> runner_settings_files() {
  return kRunnerSettings;
}

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

}  // namespace pedro
