#include "agent/check_data.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "agent/check_names.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/glob.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kSourceRoots = "|src|lib|app|pkg|cmd|internal|include|";

// Returns true if a text has a folder's name in a path. Keys and variables do not count.
bool names_folder(std::string_view text, std::string_view folder, bool are_commands) {
  for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder, at + 1)) {
    const std::size_t end = at + folder.size();
    const char before = at > 0 ? text[at - 1] : ' ';
    const char after = end < text.size() ? text[end] : ' ';
    if (is_word_byte(before) || is_word_byte(after) || before == '-' || after == '-') continue;
    const bool is_quoted = (before == '"' || before == '\'' || before == '`') && after == before;
    const char outer = at > 1 ? text[at - 2] : ' ';
    const bool is_key = is_quoted && (outer == '[' || text.substr(end + 1, 1) == ":");
    if ((is_quoted && !is_key) || before == '/' || after == '/' || are_commands) return true;
  }
  return false;
}

bool names_ending(std::string_view text, std::string_view ending) {
  for (std::size_t at = text.find(ending); at != text.npos; at = text.find(ending, at + 1)) {
    const std::size_t end = at + ending.size();
    if (end == text.size() || !is_word_byte(text[end])) return true;
  }
  return false;
}

std::set<std::string_view> words_of(std::string_view text) {
  const auto words = runs_of(
      text, [](char c) { return is_word_byte(c) || static_cast<unsigned char>(c) >= 0x80; });
  return {words.begin(), words.end()};
}

bool is_plain_name(std::string_view word) {
  constexpr std::size_t kShortestName = 3;  // bytes
  return word.size() >= kShortestName && std::ranges::none_of(word, is_digit);
}

}  // namespace

Naming naming_of(std::string_view text, std::string_view path, bool are_commands) {
  if (has_whole_words(text, base_name(path))) return Naming::kName;
  const auto folders = split(folder_name(path), '/');
  if (std::ranges::any_of(folders, [&](std::string_view folder) {
        return folder.size() > 1 && !is_listed(kSourceRoots, folder) &&
               names_folder(text, folder, are_commands);
      })) {
    return Naming::kFolder;
  }
  const std::string_view ending = extension_of(base_name(path));
  return ending.size() > 1 && names_ending(text, ending) ? Naming::kEnding : Naming::kNone;
}

bool is_stated_edit(std::string_view before, std::string_view now, std::string_view task) {
  const auto old_lines = split_lines(before);
  const auto new_lines = split_lines(now);
  if (old_lines.size() != new_lines.size()) return false;
  if (before == now) return false;
  const auto stated = words_of(task);
  for (std::size_t i = 0; i < old_lines.size(); ++i) {
    if (old_lines[i] == new_lines[i]) continue;
    const auto old_words = words_of(old_lines[i]);
    bool has_name = false;
    for (const std::string_view word : words_of(new_lines[i])) {
      const bool is_stated = stated.contains(word);
      if (!is_stated && !old_words.contains(word)) return false;
      has_name = has_name || (is_stated && old_words.contains(word) && is_plain_name(word));
    }
    if (!has_name) return false;
  }
  return true;
}

bool only_feeds_program(std::string_view commands, std::string_view name,
                        const std::function<bool(std::string_view)>& names_program) {
  bool feeds = false;
  std::string separated(commands);
  std::ranges::replace_if(
      separated, [](char c) { return std::string_view("|;&").find(c) != std::string_view::npos; },
      '\n');
  for (const std::string_view command : split_lines(separated)) {
    if (!has_whole_words(command, name)) continue;
    if (!names_program(command)) return false;
    feeds = true;
  }
  return feeds;
}

bool searches(std::string_view commands, std::string_view path) {
  constexpr std::string_view kSearchers =
      "|grep|egrep|fgrep|rg|ack|ruff|flake8|pylint|mypy|black|bandit|eslint|prettier|shellcheck"
      "|semgrep|cppcheck|";
  const auto is_part = [](char c) {
    return is_path_byte(c) || std::string_view("*?[]").find(c) != std::string_view::npos;
  };
  const auto covers = [path](std::string_view word) {
    while (word.starts_with("./")) word.remove_prefix(2);
    while (word.ends_with('/')) word.remove_suffix(1);
    if (word.empty() || word == path) return word.empty();
    if (word == "." || path.starts_with(std::string(word) + "/")) return true;
    const bool is_pattern = word.find('*') != word.npos;
    const bool is_in_root = word.find('/') == word.npos && path.find('/') != path.npos;
    if (!is_pattern || is_in_root) return false;
    const auto glob = Glob::parse(word);
    return glob && glob->matches(path);
  };
  return std::ranges::any_of(split_lines(commands), [&](std::string_view line) {
    return any_listed(kSearchers, [line](auto name) { return has_whole_words(line, name); }) &&
           std::ranges::any_of(runs_of(line, is_part), covers);
  });
}

bool moves_code(std::string_view before, std::string_view now, std::string_view other) {
  constexpr std::size_t kShortestCode = 8;  // bytes
  const auto lines_of = [](std::string_view text) {
    std::set<std::string_view> lines;
    for (const std::string_view line : split_lines(text)) {
      const bool is_import = has_any(line, "|import |include|require|use |package |");
      if (!is_import && trim(line).size() >= kShortestCode) lines.insert(trim(line));
    }
    return lines;
  };
  const auto left = lines_of(now);
  const auto moved = lines_of(other);
  return std::ranges::any_of(lines_of(before), [&](std::string_view line) {
    return !left.contains(line) && moved.contains(line);
  });
}

}  // namespace pedro
