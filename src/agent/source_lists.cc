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
constexpr std::string_view kNoLists = "|#|add_test|COMMAND|test(|$(shell|!=|";

std::string_view source_stem(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.substr(0, name.rfind('.'));
}

SourceWords source_words(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r,'\"()[]";
  SourceWords words;
  for (std::size_t at = line.find_first_not_of(kBetween); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return words;
}

// Joins the lines of a list: continued ones of make, and those up to the closing bracket of others.
std::vector<std::string> whole_lines(std::string_view text, bool is_make) {
  std::vector<std::string> lines;
  std::ptrdiff_t open = 0;
  bool is_continued = false;
  for (const std::string_view line : split_lines(text)) {
    if (is_continued) {
      lines.back() += " " + std::string(trim(line));
    } else {
      lines.emplace_back(line);
    }
    const std::string_view code = line.substr(0, line.find('#'));
    for (const char c : {'(', '['}) open += std::ranges::count(code, c);
    for (const char c : {')', ']'}) open -= std::ranges::count(code, c);
    is_continued = is_make ? line.ends_with('\\') : open > 0;
    if (is_make && is_continued) lines.back().pop_back();
  }
  return lines;
}

/// The changes of a build file.
class SourceLists {
 public:
  SourceLists(bool is_make, std::string_view before, const std::set<std::string>& sources)
      : is_make_(is_make), old_words_(source_words(before)), sources_(sources) {}

  bool grow(const std::vector<std::string>& before, const std::vector<std::string>& now) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (at < before.size() && (now[i] == before[at] || grows(before[at], now[i]))) {
        ++at;
      } else if (!is_addition(now[i], i + 1 < now.size() ? now[i + 1] : "")) {
        return false;
      }
    }
    return at == before.size();
  }

 private:
  bool is_source(std::string_view word) const {
    if (word.find_first_of("-@") == 0 || word.find('=') != word.npos) return false;  // options
    const std::string_view end = word.substr(std::min(word.rfind('.'), word.size()));
    return std::ranges::any_of(sources_, [&](const std::string& source) {
      return base_name(source) == base_name(word) ||
             (is_listed("|.o|.obj|.lo|", end) && source_stem(source) == source_stem(word));
    });
  }

  bool are_sources(const SourceWords& words) const {
    return !words.empty() &&
           std::ranges::all_of(words, [this](auto word) { return is_source(word); });
  }

  // Returns true if `now` has the words of `before` in order, the same brackets, and more sources.
  bool grows(std::string_view before, std::string_view now) const {
    if (any_listed(kNoLists, [now](auto word) { return now.find(word) != now.npos; })) return false;
    if (is_make_ && (now.starts_with('\t') || now.find('=') == now.npos)) return false;
    for (const char mark : {'(', ')', '[', ']', '{', '}'}) {
      if (std::ranges::count(now, mark) != std::ranges::count(before, mark)) return false;
    }
    for (const char mark : {'\'', '"'}) {
      if (std::ranges::count(now, mark) % 2 != 0) return false;
    }
    SourceWords added = source_words(now);
    for (auto word = added.begin(); const std::string_view old : source_words(before)) {
      word = std::find(word, added.end(), old);
      if (word == added.end()) return false;
      word = added.erase(word);
    }
    return are_sources(added);
  }

  // Returns true for a new line that makes a target: a rule of make for sources, or a call.
  bool is_addition(std::string_view line, std::string_view next) const {
    const std::string_view text = trim(line);
    if (text.empty()) return true;
    const SourceWords words = source_words(text);
    if (is_make_) {  // "b.o: b.c b.h"
      const std::size_t colon = text.find(": ");
      return !line.starts_with('\t') && !next.starts_with('\t') && colon != text.npos &&
             are_sources(source_words(text.substr(0, colon))) &&
             are_sources(source_words(text.substr(colon + 2)));
    }
    const bool is_call = text.ends_with(')') && std::ranges::count(text, '(') == 1 &&
                         std::ranges::count(text, ')') == 1 &&
                         text.find_first_of("#\"[]") == text.npos;
    if (words.size() < 2 || !is_listed(kTargetCalls, words[0]) || !is_call) return false;
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
  return !before.empty() && lists.grow(whole_lines(before, is_make), whole_lines(now, is_make));
}

}  // namespace pedro
