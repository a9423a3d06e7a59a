#include "agent/asked_changes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/check_names.h"
#include "agent/word_index.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Words = std::vector<std::string>;
using Lines = std::vector<std::string_view>;

// Returns the folders and the name of a path, without its extension.
Words parts_of(const std::string& path) {
  Words parts;
  for (const std::string_view part : split(path, '/')) parts.emplace_back(part);
  parts.back().resize(std::min(parts.back().find('.'), parts.back().size()));
  return parts;
}

// Removes the parts that two paths have in common at both ends.
void drop_common(Words& old_parts, Words& new_parts) {
  while (!old_parts.empty() && !new_parts.empty() && old_parts.back() == new_parts.back()) {
    old_parts.pop_back();
    new_parts.pop_back();
  }
  const auto [old_end, new_end] = std::ranges::mismatch(old_parts, new_parts);
  old_parts.erase(old_parts.begin(), old_end);
  new_parts.erase(new_parts.begin(), new_end);
}

bool are_in(std::string_view task, const Words& parts) {
  return std::ranges::all_of(parts,
                             [task](const auto& part) { return has_whole_words(task, part); });
}

bool is_whole_at(std::string_view text, std::size_t at, std::size_t size) {
  return (at == 0 || !is_word_byte(text[at - 1])) &&
         (at + size == text.size() || !is_word_byte(text[at + size]));
}

// Splits at all bytes that cannot be in a path or a version.
Words path_words(std::string_view line) {
  const auto words = runs_of(line, [](char c) { return is_path_byte(c) || c == '+' || c == '@'; });
  return {words.begin(), words.end()};
}

bool is_version(std::string_view word) {
  if (word.starts_with('v')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789.") == word.npos;
}

std::vector<int> numbers_of(std::string_view version) {
  std::vector<int> numbers;
  for (const std::string_view part : split(version, '.')) {
    numbers.push_back(number_from<int>(part).value_or(0));
  }
  return numbers;
}

// Returns true if a line only raises the version of a language or of the project.
bool raises_version(std::string_view before, std::string_view now, std::string_view task) {
  const Words old_words = path_words(before);
  const Words new_words = path_words(now);
  if (old_words.size() != new_words.size() || old_words.empty()) return false;
  const std::string key = to_lower(old_words.front());
  const bool is_key = is_listed("|go|toolchain|edition|channel|", key) ||
                      has_any(key, "|version|requires-python|python_requires|");
  bool is_stated = has_whole_words(task, "version");
  for (std::size_t i = 0; i < old_words.size(); ++i) {
    if (old_words[i] == new_words[i]) continue;
    if (!is_version(old_words[i]) || !is_version(new_words[i])) return false;
    if (numbers_of(old_words[i]) > numbers_of(new_words[i])) return false;
    is_stated = is_stated || has_whole_words(task, new_words[i]);
  }
  return is_key && is_stated;
}

// Returns true if the words are those of a new folder that the task names, and at least one is.
bool are_of_folders(const Words& words, std::string_view task,
                    const std::set<std::string>& folders) {
  constexpr std::string_view kKeys =
      "|path|version|use|require|replace|file|members|workspace|workspaces|dependencies|";
  bool has_name = false;
  for (const std::string& word : words) {
    const bool is_name = std::ranges::any_of(folders, [&](const std::string& folder) {
      return base_name(word) == base_name(folder) && has_whole_words(task, base_name(folder));
    });
    has_name = has_name || is_name;
    if (!is_name && !is_listed(kKeys, word) && !is_version(word)) return false;
  }
  return has_name;
}

// Returns the words that `now` has in addition; nothing if it lacks one of `before`.
Words added_words(std::string_view before, std::string_view now) {
  Words added = path_words(now);
  for (auto word = added.begin(); const std::string& old : path_words(before)) {
    word = std::find(word, added.end(), old);
    if (word == added.end()) return {};
    word = added.erase(word);
  }
  return added;
}

Lines without(const Lines& lines, Lines others) {
  Lines left;
  for (const std::string_view line : lines) {
    const auto other = std::ranges::find(others, line);
    if (other == others.end()) {
      left.push_back(line);
    } else {
      others.erase(other);
    }
  }
  return left;
}

bool is_source_word(std::string_view word) {
  const std::string_view ending = extension_of(word);
  return word.find_first_of("-@") != 0 &&
         (language_of(word) != Language::kUnknown || is_listed("|.o|.obj|.lo|", ending));
}

std::string_view stem_of_source(std::string_view word) {
  const std::string_view name = base_name(word);
  return name.substr(0, name.rfind('.'));
}

bool compiles(std::string_view line) {
  const Words words = path_words(line);
  return std::ranges::count(words, "-o") + std::ranges::count(words, "-c") > 0;
}

/// The new sources of a Makefile.
class NewSources {
 public:
  NewSources(std::string_view before, const std::set<std::string>& sources)
      : before_(split_lines(before)) {
    for (const std::string& source : sources) stems_.emplace(stem_of_source(source));
    for (const std::string_view line : before_) {
      for (const std::string& word : path_words(line)) {
        if (is_source_word(word)) old_stems_.emplace(stem_of_source(word));
      }
    }
  }

  bool is_old(std::string_view line) const {
    return std::ranges::find(before_, line) != before_.end();
  }

  // Returns a rule or a compiler's command without new sources that follow other ones.
  std::string shortened(std::string_view line) const {
    const std::size_t colon = line.find(':');
    const bool is_rule =
        !line.starts_with('\t') && colon != line.npos && line.find('=') == line.npos;
    if (!is_rule && !(line.starts_with('\t') && compiles(line))) return std::string(line);
    std::string kept;
    std::string_view last;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t begin = std::min(line.find_first_not_of(" \t", at), line.size());
      const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
      const std::string_view word = line.substr(begin, end - begin);
      if (!is_source_word(word) || !stems_.contains(std::string(stem_of_source(word))) ||
          !is_source_word(last)) {
        kept += line.substr(at, end - at);
        last = word;
      }
      at = end;
    }
    return kept;
  }

  // Returns true for a line of the base with another source in it.
  bool is_copy(std::string_view line) const {
    if (line.starts_with('\t') && !compiles(line)) return false;
    return std::ranges::any_of(stems_, [&](const std::string& stem) {
      return has_whole_words(line, stem) &&
             std::ranges::any_of(old_stems_, [&](const std::string& old) {
               return std::ranges::any_of(before_, [&](std::string_view known) {
                 return has_whole_words(known, old) && replace_all(known, old, stem) == line;
               });
             });
    });
  }

 private:
  Lines before_;
  std::set<std::string> stems_;
  std::set<std::string> old_stems_;
};

}  // namespace

Moves::Moves(std::string_view task, const std::set<std::string>& deleted,
             const std::set<std::string>& added) {
  constexpr std::size_t kMaxPairs = 100'000;
  if (deleted.size() * added.size() > kMaxPairs) return;
  for (const std::string& from : deleted) {
    for (const std::string& to : added) {
      Words old_parts = parts_of(from);
      Words new_parts = parts_of(to);
      const bool is_same_name = old_parts.back() == new_parts.back();
      if (extension_of(base_name(from)) != extension_of(base_name(to))) continue;
      if (!is_same_name && folder_name(from) != folder_name(to)) continue;
      drop_common(old_parts, new_parts);
      if (old_parts.empty() && new_parts.empty()) continue;
      if (old_parts.empty() || new_parts.empty()) {
        old_parts.push_back(parts_of(from).back());
        new_parts.push_back(parts_of(to).back());
      }
      if (!are_in(task, old_parts) || !are_in(task, new_parts)) continue;
      if (old_parts.size() > new_parts.size()) std::swap(old_parts, new_parts);
      paths_.emplace(from, to);
      paths_.emplace(to, from);
      for (const std::string_view separator : {"/", ".", "::"}) {
        names_[join(new_parts, separator)] = join(old_parts, separator);
      }
    }
  }
}

std::string Moves::other_path(const std::string& path) const {
  const auto other = paths_.find(path);
  return other == paths_.end() ? "" : other->second;
}

std::string Moves::unified(std::string_view text) const {
  std::string changed(text);
  for (const auto& [name, old] : names_) {
    for (std::size_t at = changed.find(name); at != changed.npos; at = changed.find(name, at + 1)) {
      if (!is_whole_at(changed, at, name.size())) continue;
      changed.replace(at, name.size(), old);
      at += old.size() - 1;
    }
  }
  return changed;
}

std::string without_new_sources(std::string_view before, std::string_view now,
                                const std::set<std::string>& sources) {
  const NewSources added(before, sources);
  std::string text;
  bool follows_copy = false;
  for (const std::string_view line : split_lines(now)) {
    if (!added.is_old(line) && added.is_copy(line)) {
      if (line.starts_with('\t') && !follows_copy) return std::string(now);
      follows_copy = true;
      continue;
    }
    // The copied rule would take this command.
    if (follows_copy && line.starts_with('\t')) return std::string(now);
    follows_copy = false;
    const std::string shorter = added.is_old(line) ? std::string(line) : added.shortened(line);
    text += (added.is_old(shorter) ? shorter : std::string(line)) + "\n";
  }
  return text;
}

bool only_asked_lines(std::string_view path, std::string_view before, std::string_view now,
                      std::string_view task, const std::set<std::string>& folders) {
  constexpr std::string_view kManifests =
      "|cargo.toml|go.mod|go.work|package.json|pyproject.toml|setup.cfg|rust-toolchain.toml|"
      ".python-version|.nvmrc|.node-version|.ruby-version|";
  if (!is_listed(kManifests, to_lower(base_name(path)))) return false;
  if (before.empty()) {
    const std::string folder(folder_name(path));
    return folders.contains(folder) && has_whole_words(task, base_name(folder));
  }
  const Lines old_lines = split_lines(before);
  const Lines new_lines = split_lines(now);
  const Lines removed = without(old_lines, new_lines);
  Lines added = without(new_lines, old_lines);
  if (without(old_lines, removed) != without(new_lines, added)) return false;  // in another order
  for (const std::string_view line : removed) {
    const auto other = std::ranges::find_if(added, [&](std::string_view one) {
      return raises_version(line, one, task) ||
             are_of_folders(added_words(line, one), task, folders);
    });
    if (other == added.end()) return false;
    added.erase(other);
  }
  return std::ranges::all_of(added, [&](std::string_view line) {
    return trim(line).empty() || are_of_folders(path_words(line), task, folders);
  });
}

}  // namespace pedro
