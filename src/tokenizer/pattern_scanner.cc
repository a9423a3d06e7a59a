#include "tokenizer/pattern_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pedro {
namespace {

// Unicode White_Space. PCRE2's \s also contains U+180E, which is no longer white space.
constexpr std::string_view kUnicodeBlanks =
    R"(\t-\r\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";

// Replaces \s and \S in the pattern by that set.
std::string with_unicode_blanks(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view two = pattern.substr(i, 2);
    if (two == "\\s") {
      out += in_class ? std::string(kUnicodeBlanks) : fmt::format("[{}]", kUnicodeBlanks);
      ++i;
    } else if (two == "\\S") {
      out += in_class ? R"(\S\x{180E})" : fmt::format("[^{}]", kUnicodeBlanks);
      ++i;
    } else if (two[0] == '\\') {
      out += two;
      ++i;
    } else if (in_class && two == "[:") {  // a named class
      const std::size_t end = std::min(pattern.find(":]", i + 2), pattern.size() - 2);
      out += pattern.substr(i, end + 2 - i);
      i = end + 1;
    } else if (!in_class && two[0] == '[') {
      in_class = true;
      out += '[';
      if (pattern.substr(i + 1, 1) == "^") out += pattern[++i];
      if (pattern.substr(i + 1, 1) == "]") out += pattern[++i];
    } else {
      in_class = in_class && two[0] != ']';
      out += two[0];
    }
  }
  return out;
}

}  // namespace

Result<PatternScanner> PatternScanner::compile(const std::vector<std::string>& patterns) {
  std::vector<TextPattern> compiled;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    auto pattern =
        TextPattern::compile(with_unicode_blanks(patterns[i]), TextPattern::Unit::kCharacter);
    if (!pattern) {
      return Error{pattern.error().kind, fmt::format("pattern {} of the pre-tokenizer, {}", i + 1,
                                                     pattern.error().message)};
    }
    compiled.push_back(std::move(*pattern));
  }
  return PatternScanner(std::move(compiled));
}

Status PatternScanner::scan(std::string_view text, std::vector<std::uint32_t>& ends) const {
  ends.clear();
  if (text.empty()) return {};
  ends.push_back(static_cast<std::uint32_t>(text.size()));
  std::vector<std::uint32_t> next;
  std::vector<TextRange> matches;
  for (const TextPattern& pattern : patterns_) {
    next.clear();
    std::uint32_t begin = 0;
    const auto cut_at = [&](std::size_t place) {
      const auto end = begin + static_cast<std::uint32_t>(place);
      if (end > 0 && (next.empty() || next.back() != end)) next.push_back(end);
    };
    for (const std::uint32_t end : ends) {
      const std::string_view part = text.substr(begin, end - begin);
      matches.clear();
      if (const Status found = pattern.find_all(part, matches); !found.ok()) {
        return Error{ErrorKind::kLimit, "the pre-tokenizer's pattern: " + found.error().message};
      }
      for (const TextRange& match : matches) {
        cut_at(match.begin);
        cut_at(match.end);
      }
      cut_at(part.size());
      begin = end;
    }
    std::swap(ends, next);
  }
  return {};
}

}  // namespace pedro
