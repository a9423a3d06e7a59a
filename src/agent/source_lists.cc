#include "agent/source_lists.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "sys/file_system.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using SourceWords = std::vector<std::string_view>;

// Calls of CMake and Meson that make or configure one target.
constexpr std::string_view kTargetCalls =
    "|add_executable|add_library|add_test|target_link_libraries|target_include_directories"
    "|target_sources|";

std::string_view source_stem(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.substr(0, name.rfind('.'));
}

// Returns the words between blanks and punctuation.
SourceWords source_words(std::string_view line) {
  SourceWords words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(" \t\r,'\"()[]", at);
    if (begin == line.npos) break;
    at = std::min(line.find_first_of(" \t\r,'\"()[]", begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

// Compares the lines of a build file with those before.
class SourceLists {
 public:
  SourceLists(bool is_make, std::string_view before, const std::set<std::string>& sources)
      : is_make_(is_make), old_words_(source_words(before)), sources_(sources) {}

  bool grow(const SourceWords& before, const SourceWords& now) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const std::string_view line = now[i];
      const std::string_view next = i + 1 < now.size() ? now[i + 1] : "";
      if (at < before.size() && line == before[at]) {
        ++at;
      } else if (at < before.size() && grows(before[at], line, next)) {
        ++at;
      } else if (trim(line).ends_with('\\')) {
        // It must stay inside a list.
        const bool is_in_list = at > 0 && before[at - 1].ends_with('\\');
        if (!is_in_list || !has_sources_only(line.substr(0, line.rfind('\\')))) return false;
      } else if (!is_addition(line, i > 0 ? now[i - 1] : "", next)) {
        return false;
      }
    }
    return at == before.size();
  }

 private:
  bool is_source(std::string_view word) const {
    constexpr std::string_view kObjects = "|.o|.obj|.lo|";
    const std::string_view end = word.substr(std::min(word.rfind('.'), word.size()));
    return std::ranges::any_of(sources_, [&](const std::string& source) {
      return base_name(source) == base_name(word) ||
             (is_listed(kObjects, end) && source_stem(source) == source_stem(word));
    });
  }

  bool has_sources_only(std::string_view line) const {
    const SourceWords words = source_words(line);
    return !words.empty() &&
           std::ranges::all_of(words, [this](auto word) { return is_source(word); });
  }

  // Returns true if a line has the words of the one before and further sources.
  bool grows(std::string_view before, std::string_view now, std::string_view next) const {
    const auto calls_test = [&](auto word) { return now.find(word) != now.npos; };
    if (any_listed("|#|add_test|COMMAND|test(|$(shell|", calls_test)) return false;
    if (is_make_ && (now.starts_with('\t') || now.find('=') == now.npos)) return false;
    for (const char mark : {'(', ')', '[', ']', '{', '}', '\'', '"'}) {
      const bool is_quote = mark == '\'' || mark == '"';
      const auto added = std::ranges::count(now, mark) - std::ranges::count(before, mark);
      if (is_quote ? added % 2 != 0 : added != 0) return false;
    }
    const SourceWords old_words = source_words(before);
    std::size_t at = 0;
    bool is_grown = false;
    for (const std::string_view word : source_words(now)) {
      if (at < old_words.size() && word == old_words[at]) {
        ++at;
      } else if (word == "\\" && now.ends_with('\\') && has_sources_only(next)) {
        is_grown = true;
      } else if (is_source(word)) {
        is_grown = true;
      } else {
        return false;
      }
    }
    return is_grown && at == old_words.size();
  }

  // Returns true for a new line that adds to the list above it, or makes a new target.
  bool is_addition(std::string_view line, std::string_view above, std::string_view next) const {
    const std::string_view text = trim(line);
    if (text.empty()) return true;
    if (line.starts_with('\t') && is_make_ && !above.ends_with('\\')) return false;
    if (is_make_ && next.starts_with('\t') && !next.ends_with('\\')) return false;
    if (has_sources_only(text)) return true;
    const SourceWords words = source_words(text);
    if (is_make_) {  // "b.o: b.c b.h"
      const std::size_t colon = text.find(": ");
      return colon != text.npos && has_sources_only(text.substr(0, colon)) &&
             has_sources_only(text.substr(colon + 2));
    }
    if (words.size() < 2 || !is_listed(kTargetCalls, words[0]) || !text.ends_with(')'))
      return false;
    const std::string_view target = words[1] == "NAME" && words.size() > 2 ? words[2] : words[1];
    return std::ranges::find(old_words_, target) == old_words_.end();
  }

  bool is_make_;
  SourceWords old_words_;
  const std::set<std::string>& sources_;
};

}  // namespace

bool only_adds_sources(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& sources) {
  const std::string name = to_lower(base_name(path));
  const bool is_make = is_listed("|makefile|gnumakefile|", name) || name.ends_with(".mk");
  if (!is_make && !is_listed("|cmakelists.txt|meson.build|", name)) return false;
  const SourceLists lists(is_make, before, sources);
  return !before.empty() && lists.grow(split_lines(before), split_lines(now));
}

}  // namespace pedro
