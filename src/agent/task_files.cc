#include "agent/task_files.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "agent/check_files.h"
#include "agent/word_index.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tools/file_list.h"
#include "tools/imports.h"
#include "tools/language.h"
#include "tools/line_table.h"
#include "tools/source_outline.h"
#include "tools/test_names.h"
#include "tools/text_file.h"
#include "tools/text_search.h"
#include "tools/tree_path.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// The limits of likely_files() and the points per clue. A named file outweighs many mentions.
constexpr double kSmallShare = 0.2;  // of the best score
constexpr std::size_t kFewBytes = 6 * 1024;
constexpr double kNamedPath = 100;
constexpr double kNamedFile = 60;
constexpr double kNamedStem = 12;
constexpr double kInOutput = 30;
constexpr double kImportedByTest = 35;
constexpr double kDefines = 20;
constexpr double kMentions = 4;
constexpr double kBesideTest = 5;

constexpr std::size_t kMaxIdentifiers = 40;
constexpr std::size_t kFewFiles = 24;  // up to this size, all files are shown

bool is_camel_case(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (word[i] >= 'A' && word[i] <= 'Z' && word[i - 1] >= 'a' && word[i - 1] <= 'z') return true;
  }
  return false;
}

// Returns true if `name` occurs in `text` as a whole name or path.
bool names(std::string_view text, std::string_view name) {
  const auto goes_on = [](char c) { return is_word_byte(c) || c == '-'; };
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !goes_on(text[at - 1]);
    if (begins && (end == text.size() || !goes_on(text[end]))) return true;
  }
  return false;
}

// Returns true for build files and docs. Tasks rarely change them without naming them.
bool is_beside_code(std::string_view path) {
  static constexpr std::string_view kNames[] = {"makefile",      "cmakelists.txt", "go.mod",
                                                "package.json",  "cargo.toml",     "license",
                                                "pyproject.toml"};
  const std::string name = to_lower(base_name(path));
  return name.starts_with(".") || name.ends_with(".md") || name.ends_with(".rst") ||
         name.ends_with(".lock") || is_one_of(name, kNames);
}

std::string_view stem_of(std::string_view path) {
  const std::string_view base = base_name(path);
  const std::size_t dot = base.rfind('.');
  return dot == base.npos || dot == 0 ? base : base.substr(0, dot);
}

double score_of_names(std::string_view path, const TaskClues& clues) {
  const std::string_view base = base_name(path);
  const std::string_view stem = stem_of(path);
  double score = 0;
  if (names(clues.issue, path)) {
    score += kNamedPath;
  } else if (base.find('.') != base.npos && names(clues.issue, base)) {
    score += kNamedFile;
  } else if (stem.size() > 3 && names(clues.issue, stem)) {
    score += kNamedStem;
  }
  if (names(clues.output, path) || (base != stem && names(clues.output, base))) score += kInOutput;
  return score;
}

/// Computes the scores of candidate files.
class Ranking {
 public:
  Ranking(ToolContext& tools, const TaskClues& clues) : tools_(tools), clues_(clues) {}

  Result<std::vector<TaskFile>> find() {
    PEDRO_TRY(const TreePath root, existing_folder(tools_.tree, ""));
    Result<FileList> list = list_files(tools_, root);
    if (!list) {
      return list.error().kind == ErrorKind::kInterrupted
                 ? Result<std::vector<TaskFile>>(list.error())
                 : std::vector<TaskFile>();
    }
    for (const std::string& path : list->paths) {
      const double score = score_of_names(path, clues_);
      if (score > 0 || list->paths.size() <= kFewFiles) scores_[path] = score;
    }
    PEDRO_RETURN_IF_ERROR(score_identifiers());
    score_tests(list->paths);
    return read();
  }

 private:
  // Adds points for identifiers. Rare identifiers have a higher weight.
  Status score_identifiers() {
    std::vector<std::string> identifiers = identifiers_in(clues_.issue, kMaxIdentifiers);
    for (std::string& name : identifiers_in(clues_.output, kMaxIdentifiers / 2)) {
      identifiers.push_back(std::move(name));
    }
    if (identifiers.empty()) return {};
    std::sort(identifiers.begin(), identifiers.end());
    identifiers.erase(std::unique(identifiers.begin(), identifiers.end()), identifiers.end());
    TextQuery query;
    query.pattern = "\\b(" + join(identifiers, "|") + ")\\b";
    const Result<TextMatches> found = search_text(tools_, query, {"."});
    if (!found) {
      return found.error().kind == ErrorKind::kInterrupted ? Status(found.error()) : Status();
    }
    std::map<std::string, std::set<std::string>> mentions;  // files by identifier
    std::map<std::string, std::set<std::string>> definitions;
    for (const TextMatch& match : found->matches) {
      const auto defined = defined_name(language_of(match.path), match.text);
      for (const std::string_view word : identifiers_of(match.text)) {
        const std::string name(word);
        if (!std::binary_search(identifiers.begin(), identifiers.end(), name)) continue;
        mentions[name].insert(match.path);
        if (defined && *defined == word) definitions[name].insert(match.path);
      }
    }
    for (const auto& [name, paths] : mentions) {
      const double weight = 1 / (1 + std::log2(static_cast<double>(paths.size())));
      for (const std::string& path : paths) scores_[path] += kMentions * weight;
    }
    for (const auto& [name, paths] : definitions) {
      for (const std::string& path : paths) {
        scores_[path] += kDefines / static_cast<double>(paths.size());
      }
    }
    return {};
  }

  // Adds points for files that failing tests import, and for files in the folders of these tests.
  void score_tests(const std::vector<std::string>& paths) {
    std::set<std::string, std::less<>> imported;
    std::set<std::string_view> folders;
    std::size_t tests = 0;
    for (const std::string& path : paths) {
      if (!is_test_path(path) || tests == kMaxTaskFiles) continue;
      const bool failed = names(clues_.output, path) || names(clues_.output, base_name(path)) ||
                          names(clues_.output, stem_of(path));
      const std::optional<std::string> text = failed ? text_of(path) : std::nullopt;
      if (!text) continue;
      ++tests;
      folders.insert(folder_name(path));
      for (const Import& import : find_imports(language_of(path), *text)) {
        for (const std::string_view word : identifiers_of(import.text)) imported.emplace(word);
      }
    }
    for (const std::string& path : paths) {
      if (is_test_path(path) || language_of(path) == Language::kUnknown) continue;
      if (imported.contains(stem_of(path))) scores_[path] += kImportedByTest;
      if (folders.contains(folder_name(path))) scores_[path] += kBesideTest;
    }
  }

  std::optional<std::string> text_of(const std::string& path) const {
    const Result<TreePath> file = existing_file(tools_.tree, path);
    if (!file || file->info.bytes > kMaxTaskFileBytes) return std::nullopt;
    Result<std::string> text = read_text(tools_.tree, *file, kMaxTaskFileBytes);
    if (!text || !is_valid_utf8(*text) || text->find('\0') != text->npos) return std::nullopt;
    return *std::move(text);
  }

  std::vector<TaskFile> read() const {
    std::vector<TaskFile> files;
    for (const auto& [path, score] : scores_) {
      if (!path.starts_with(".")) files.push_back({path, "", is_test_path(path), score});
    }
    std::stable_sort(files.begin(), files.end(),
                     [](const TaskFile& a, const TaskFile& b) { return a.score > b.score; });
    if (files.size() > kMaxTaskFiles) files.resize(kMaxTaskFiles);
    std::erase_if(files, [this](TaskFile& file) {
      std::optional<std::string> text = text_of(file.path);
      if (!text) return true;
      const auto lines = std::count(text->begin(), text->end(), '\n');
      std::string bare = replace_all(*text, "\r\n", "\n");
      file.crlf = lines > 0 && text->size() - bare.size() == static_cast<std::size_t>(lines);
      file.text = file.crlf ? std::move(bare) : *std::move(text);
      return false;
    });
    return files;
  }

  ToolContext& tools_;
  const TaskClues& clues_;
  std::map<std::string, double> scores_;
};

// Returns false for data that no likely file names: probably the cases of a test.
bool may_be_source(const TaskFile& file, const std::vector<const TaskFile*>& likely) {
  const bool has_extension = base_name(file.path).find('.') != std::string_view::npos;
  return !has_extension || has_program_extension(file.path) ||
         std::ranges::any_of(likely, [&](const TaskFile* source) {
           return names(source->text, base_name(file.path));
         });
}

}  // namespace

bool is_test_path(std::string_view path) {
  return is_test_name(path);
}

std::vector<const TaskFile*> likely_files(const std::vector<TaskFile>& files,
                                          std::string_view issue) {
  std::vector<const TaskFile*> likely;
  std::size_t bytes = 0;
  for (const TaskFile& file : files) {
    if (file.is_test || trim(file.text).empty()) continue;
    if (is_beside_code(file.path) && !names_file(issue, file.path)) continue;
    const double best = likely.empty() ? file.score : likely.front()->score;
    const bool is_weak = file.score < kSmallShare * best;
    if (is_weak && (bytes + file.text.size() > kFewBytes || !may_be_source(file, likely))) continue;
    bytes += file.text.size();
    likely.push_back(&file);
  }
  return likely;
}

void mark_check_files(std::vector<TaskFile>& files, std::span<const Check> checks,
                      std::string_view issue) {
  std::vector<std::string> paths;
  for (const TaskFile& file : files) paths.push_back(file.path);
  const std::set<std::string> found = check_files(paths, checks);
  std::vector<TaskFile> marked = files;
  for (TaskFile& file : marked) {
    file.is_test = file.is_test || (found.contains(file.path) && !is_beside_code(file.path));
  }
  if (!likely_files(marked, issue).empty()) files = std::move(marked);
}

const TaskFile* file_at(const std::vector<TaskFile>& files, std::string_view path) {
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const TaskFile& one) { return one.path == path; });
  return file == files.end() ? nullptr : &*file;
}

std::string with_line_ends_of(const TaskFile& file, std::string_view text) {
  return file.crlf ? replace_all(text, "\n", "\r\n") : std::string(text);
}

bool names_file(std::string_view text, std::string_view path) {
  return names(text, path) || names(text, base_name(path));
}

std::vector<std::string> identifiers_in(std::string_view text, std::size_t most) {
  std::vector<std::string> found;
  std::set<std::string_view> seen;
  bool quoted = false;
  std::size_t at = 0;
  while (at < text.size() && found.size() < most) {
    if (text[at] == '`') quoted = !quoted;
    std::size_t end = at;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const bool called = end < text.size() && text[end] == '(';
    const bool fits = word.size() > 2 && word.size() <= 64 && !is_digit(word[0]);
    const bool named = quoted || called || is_camel_case(word) || word.find('_', 1) != word.npos;
    if (fits && named && seen.insert(word).second) found.emplace_back(word);
    at = std::max(end, at + 1);
  }
  return found;
}

Result<std::vector<TaskFile>> find_task_files(ToolContext& tools, const TaskClues& clues) {
  return Ranking(tools, clues).find();
}

}  // namespace pedro
