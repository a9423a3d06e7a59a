#include "tokenizer/pattern_scanner.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <utility>

namespace pedro {

template <auto free>
struct Freed {
  template <typename T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};

using Code = std::unique_ptr<pcre2_code, Freed<pcre2_code_free>>;
using Match = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;

namespace {

constexpr std::uint32_t kMaxSteps = 10'000'000;

std::string message_of(int error) {
  PCRE2_UCHAR text[200] = {};
  pcre2_get_error_message(error, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

// White space as Unicode has it. PCRE2's \s has U+180E as well, which was white space once.
constexpr std::string_view kUnicodeBlanks =
    R"(\t-\r\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";

// The pattern with that for \s and \S.
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
    } else if (in_class && two == "[:") {  // a class by name
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

PCRE2_SPTR units_of(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

}  // namespace

struct PatternScanner::Pattern {
  Code code;
  MatchContext context;
};

PatternScanner::PatternScanner(std::vector<std::unique_ptr<Pattern>> patterns)
    : patterns_(std::move(patterns)) {}
PatternScanner::PatternScanner(PatternScanner&&) noexcept = default;
PatternScanner::~PatternScanner() = default;

Result<PatternScanner> PatternScanner::compile(const std::vector<std::string>& patterns) {
  std::vector<std::unique_ptr<Pattern>> compiled;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    int error = 0;
    std::size_t offset = 0;
    const std::string pattern = with_unicode_blanks(patterns[i]);
    Code code(pcre2_compile(units_of(pattern), pattern.size(),
                            PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF, &error, &offset,
                            nullptr));
    if (!code) {
      return Error{ErrorKind::kUsage, fmt::format("pattern {} of the pre-tokenizer, at byte {}: {}",
                                                  i + 1, offset, message_of(error))};
    }
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // where it cannot, it is interpreted
    MatchContext context(pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(context.get(), kMaxSteps);
    compiled.push_back(std::make_unique<Pattern>(Pattern{std::move(code), std::move(context)}));
  }
  return PatternScanner(std::move(compiled));
}

Status PatternScanner::scan(std::string_view text, std::vector<std::uint32_t>& ends) const {
  ends.clear();
  if (text.empty()) return {};
  ends.push_back(static_cast<std::uint32_t>(text.size()));
  std::vector<std::uint32_t> next;
  for (const auto& pattern : patterns_) {
    const Match match(pcre2_match_data_create(1, nullptr));
    next.clear();
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends) {
      const std::string_view part = text.substr(begin, end - begin);
      for (std::size_t at = 0; at < part.size();) {
        int found = pcre2_match(pattern->code.get(), units_of(part), part.size(), at, 0,
                                match.get(), pattern->context.get());
        if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
          found = pcre2_match(pattern->code.get(), units_of(part), part.size(), at, PCRE2_NO_JIT,
                              match.get(), pattern->context.get());
        }
        if (found == PCRE2_ERROR_NOMATCH) break;
        if (found < 0) {
          return Error{ErrorKind::kLimit, "the pre-tokenizer's pattern: " + message_of(found)};
        }
        const std::size_t* place = pcre2_get_ovector_pointer(match.get());
        if (place[1] <= place[0]) {  // an empty match cuts nothing
          at = place[0] + 1;
          continue;
        }
        if (place[0] > 0 && (next.empty() || next.back() != begin + place[0])) {
          next.push_back(begin + static_cast<std::uint32_t>(place[0]));
        }
        next.push_back(begin + static_cast<std::uint32_t>(place[1]));
        at = place[1];
      }
      if (next.empty() || next.back() != end) next.push_back(end);
      begin = end;
    }
    std::swap(ends, next);
  }
  return {};
}

}  // namespace pedro
