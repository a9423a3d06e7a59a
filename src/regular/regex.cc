#include "regular/regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "regular/text_set.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPatternBytes = 4096;
constexpr int kMaxGroupDepth = 50;
constexpr int kMaxAheads = 16;  // each requires an automaton
constexpr std::size_t kMaxBound = 100'000;

using Ranges = std::vector<CharRange>;

const Ranges& digits() {
  static const Ranges kRanges = {{'0', '9'}};
  return kRanges;
}

const Ranges& word_characters() {
  static const Ranges kRanges = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
  return kRanges;
}

// WhiteSpace and LineTerminator of ECMA-262.
const Ranges& spaces() {
  static const Ranges kRanges = {
      {0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
      {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
  return kRanges;
}

const Ranges& line_ends() {
  static const Ranges kRanges = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
  return kRanges;
}

Ranges sorted(Ranges ranges) {
  const Expr merged = one_of(std::move(ranges));
  return std::get<CharClass>(merged.node).ranges;
}

// Returns the scalar values that are in none of the sorted ranges.
Ranges outside_of(const Ranges& ranges) {
  Ranges holes = ranges;
  holes.push_back({0xD800, 0xDFFF});
  Ranges out;
  char32_t from = 0;
  for (const CharRange& hole : sorted(std::move(holes))) {
    if (hole.first > from) out.push_back({from, hole.first - 1});
    from = hole.last + 1;
  }
  if (from <= kLastCodePoint) out.push_back({from, kLastCodePoint});
  return out;
}

Regex of_class(Ranges ranges) {
  Regex regex;
  regex.kind = Regex::Kind::kClass;
  regex.ranges = std::move(ranges);
  return regex;
}

Regex of_kind(Regex::Kind kind) {
  Regex regex;
  regex.kind = kind;
  return regex;
}

class RegexParser {
 public:
  explicit RegexParser(std::string_view pattern) : text_(pattern) {}

  Result<Regex> parse() {
    if (text_.size() > kMaxPatternBytes) return wrong("a pattern of more than 4096 bytes");
    Result<Regex> regex = choice(0);
    if (regex && at_ < text_.size()) return wrong("')' without '('");
    return regex;
  }

 private:
  Error wrong(std::string_view what) const {
    return Error{ErrorKind::kConfig, fmt::format("{} at byte {}", what, at_ + 1)};
  }
  Error unsupported(std::string_view what) const {
    return wrong(fmt::format("not supported: {}", what));
  }

  bool next_is(std::string_view text) const { return text_.substr(at_).starts_with(text); }
  bool take(std::string_view text) {
    if (!next_is(text)) return false;
    at_ += text.size();
    return true;
  }
  bool done() const { return at_ >= text_.size(); }

  char32_t take_point() {
    std::string_view rest = text_.substr(at_);
    const char32_t point = take_code_point(rest);
    at_ = text_.size() - rest.size();
    return point;
  }

  Result<Regex> choice(int depth) {
    if (depth > kMaxGroupDepth) return wrong("groups nested more than 50 deep");
    std::vector<Regex> options;
    do {
      PEDRO_TRY(Regex option, sequence(depth));
      options.push_back(std::move(option));
    } while (take("|"));
    if (options.size() == 1) return std::move(options.front());
    Regex regex = of_kind(Regex::Kind::kChoice);
    regex.children = std::move(options);
    return regex;
  }

  Result<Regex> sequence(int depth) {
    Regex regex;
    while (!done() && !next_is("|") && !next_is(")")) {
      PEDRO_TRY(Regex item, term(depth));
      const bool assertion = item.kind == Regex::Kind::kBegin || item.kind == Regex::Kind::kEnd ||
                             item.kind == Regex::Kind::kAhead;
      PEDRO_TRY(Regex counted, quantified(std::move(item), assertion));
      if (counted.kind == Regex::Kind::kSequence) {  // a group without a quantifier
        std::move(counted.children.begin(), counted.children.end(),
                  std::back_inserter(regex.children));
      } else {
        regex.children.push_back(std::move(counted));
      }
    }
    return regex;
  }

  Result<Regex> quantified(Regex item, bool assertion) {
    const std::size_t before = at_;
    Regex regex = of_kind(Regex::Kind::kRepeat);
    if (take("*")) {
    } else if (take("+")) {
      regex.min = 1;
    } else if (take("?")) {
      regex.max = 1;
    } else if (!braces(regex)) {
      return item;
    }
    if (assertion) {
      at_ = before;
      return wrong("nothing to repeat");
    }
    take("?");  // lazy: matches the same texts
    if (regex.max && *regex.max < regex.min) return wrong("{m,n} with m > n");
    Regex another;
    if (next_is("*") || next_is("+") || next_is("?") || braces(another)) {
      return wrong("nothing to repeat");
    }
    regex.children.push_back(std::move(item));
    return regex;
  }

  // Parses "{2}", "{2,}" or "{2,5}"; any other brace is literal.
  bool braces(Regex& regex) {
    const std::size_t before = at_;
    const auto number = [&](std::size_t& value) {
      const std::size_t begin = at_;
      for (; !done() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        value = std::min(kMaxBound, value * 10 + static_cast<std::size_t>(text_[at_] - '0'));
      }
      return at_ > begin;
    };
    std::size_t min = 0;
    std::size_t max = 0;
    if (take("{") && number(min)) {
      const bool comma = take(",");
      const bool bounded = comma && number(max);
      if (take("}")) {
        regex.min = min;
        if (!comma) regex.max = min;
        if (bounded) regex.max = max;
        return true;
      }
    }
    at_ = before;
    return false;
  }

  Result<Regex> term(int depth) {
    if (take("^")) return of_kind(Regex::Kind::kBegin);
    if (take("$")) return of_kind(Regex::Kind::kEnd);
    if (take(".")) return of_class(outside_of(line_ends()));
    if (take("[")) return bracket();
    if (take("(")) return group(depth);
    if (next_is("*") || next_is("+") || next_is("?")) return wrong("nothing to repeat");
    if (take("\\")) {
      PEDRO_TRY(Ranges escaped, escape(false));
      return of_class(std::move(escaped));
    }
    const char32_t point = take_point();
    return of_class({{point, point}});
  }

  Result<Regex> group(int depth) {
    const std::size_t before = at_;
    const bool ahead = take("?=");
    const bool not_ahead = !ahead && take("?!");
    if (next_is("?<=") || next_is("?<!")) return unsupported("look-behind");
    if (!ahead && !not_ahead && !take("?:") && !group_name() && next_is("?")) {
      return unsupported("this group");
    }
    if ((ahead || not_ahead) && ++aheads_ > kMaxAheads) {
      at_ = before;
      return wrong("more than 16 look-aheads");
    }
    PEDRO_TRY(Regex inner, choice(depth + 1));
    if (!take(")")) return wrong("expected ')'");
    if (!ahead && !not_ahead) return inner;
    Regex regex = of_kind(Regex::Kind::kAhead);
    regex.negated = not_ahead;
    regex.children.push_back(std::move(inner));
    return regex;
  }

  // Parses "?<name>" (also "?P<name>") of a group.
  bool group_name() {
    const std::size_t begin = next_is("?<") ? at_ + 2 : next_is("?P<") ? at_ + 3 : text_.size();
    std::size_t end = begin;
    while (end < text_.size() && is_word_byte(text_[end])) ++end;
    if (end == begin || !text_.substr(end).starts_with('>')) return false;
    at_ = end + 1;
    return true;
  }

  // Parses the rest of an escape, after the backslash.
  Result<Ranges> escape(bool in_class) {
    if (done()) return wrong("a backslash at the end");
    const char c = text_[at_];
    const auto one = [&](char32_t point) {
      ++at_;
      return Ranges{{point, point}};
    };
    const auto set = [&](Ranges ranges) {
      ++at_;
      return ranges;
    };
    switch (c) {
      case 'd':
        return set(digits());
      case 'D':
        return set(outside_of(digits()));
      case 'w':
        return set(word_characters());
      case 'W':
        return set(outside_of(word_characters()));
      case 's':
        return set(spaces());
      case 'S':
        return set(outside_of(spaces()));
      case 't':
        return one('\t');
      case 'n':
        return one('\n');
      case 'r':
        return one('\r');
      case 'f':
        return one('\f');
      case 'v':
        return one('\v');
      case 'b':
        if (in_class) return one('\b');
        return unsupported("\\b");
      case 'x':
        ++at_;
        return hex(2);
      case 'u':
        ++at_;
        return unicode();
      case 'p':
      case 'P':
        return property(c == 'P');
      case 'c':
        return control();
      case '0':
        if (at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9') {
          return unsupported("octal escapes");
        }
        return one(0);
      default:
        break;
    }
    if (c >= '1' && c <= '9') return unsupported("back references");
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) return unsupported(fmt::format("\\{}", c));
    const char32_t point = take_point();
    return Ranges{{point, point}};
  }

  std::optional<char32_t> hex_digits(std::size_t count) {
    char32_t value = 0;
    if (text_.size() - at_ < count) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      const char c = text_[at_ + i];
      const bool decimal = c >= '0' && c <= '9';
      const char lower = static_cast<char>(c | 0x20);
      if (!decimal && (lower < 'a' || lower > 'f')) return std::nullopt;
      value = value * 16 + static_cast<char32_t>(decimal ? c - '0' : lower - 'a' + 10);
    }
    at_ += count;
    return value;
  }

  Result<Ranges> hex(std::size_t count) {
    const std::optional<char32_t> value = hex_digits(count);
    if (!value) return wrong(fmt::format("expected {} hexadecimal digits", count));
    return Ranges{{*value, *value}};
  }

  // Parses the rest of a "\u" escape: four digits, a surrogate pair, or digits in braces.
  Result<Ranges> unicode() {
    std::optional<char32_t> value;
    if (take("{")) {
      const std::size_t end = text_.find('}', at_);
      const std::size_t count = end == std::string_view::npos ? 0 : end - at_;
      if (count >= 1 && count <= 6) value = hex_digits(count);
      if (!value || !take("}")) return wrong("expected \\u{1 to 6 hexadecimal digits}");
    } else {
      value = hex_digits(4);
      if (!value) return wrong("expected 4 hexadecimal digits");
      if (*value >= 0xD800 && *value <= 0xDBFF && take("\\u")) {
        const std::optional<char32_t> low = hex_digits(4);
        if (!low || *low < 0xDC00 || *low > 0xDFFF) return wrong("expected a low surrogate");
        value = 0x10000 + ((*value - 0xD800) << 10) + (*low - 0xDC00);
      }
    }
    if (*value > kLastCodePoint) return wrong("no such code point");
    if (*value >= 0xD800 && *value <= 0xDFFF) return unsupported("a lone surrogate");
    return Ranges{{*value, *value}};
  }

  // Parses "p{name}"; `others` are the code points without the property.
  Result<Ranges> property(bool others) {
    const std::size_t end = text_.find('}', at_);
    const bool braces = text_.substr(at_ + 1).starts_with('{') && end != std::string_view::npos;
    const auto ranges =
        braces ? unicode_property(text_.substr(at_ + 2, end - at_ - 2)) : std::nullopt;
    if (!ranges) return unsupported(others ? "\\P" : "\\p");
    at_ = end + 1;
    return others ? outside_of(*ranges) : *ranges;
  }

  Result<Ranges> control() {
    const char c = at_ + 1 < text_.size() ? static_cast<char>(text_[at_ + 1] | 0x20) : '\0';
    if (c < 'a' || c > 'z') return wrong("expected a letter after \\c");
    at_ += 2;
    const auto point = static_cast<char32_t>(c - 'a' + 1);
    return Ranges{{point, point}};
  }

  // Parses the rest of a class, after "[".
  Result<Regex> bracket() {
    const bool negated = take("^");
    Ranges ranges;
    while (!take("]")) {
      if (done()) return wrong("expected ']'");
      PEDRO_TRY(Ranges first, class_atom());
      const bool is_range = next_is("-") && !next_is("-]") && at_ + 1 < text_.size();
      if (!is_range) {
        ranges.insert(ranges.end(), first.begin(), first.end());
        continue;
      }
      take("-");
      PEDRO_TRY(Ranges last, class_atom());
      const bool points = is_point(first) && is_point(last);
      if (!points) {  // "[\w-.]": the '-' is literal (Annex B)
        ranges.insert(ranges.end(), first.begin(), first.end());
        ranges.push_back({'-', '-'});
        ranges.insert(ranges.end(), last.begin(), last.end());
        continue;
      }
      if (last[0].first < first[0].first) return wrong("a range out of order");
      ranges.push_back({first[0].first, last[0].first});
    }
    ranges = sorted(std::move(ranges));
    // Complementing twice removes the surrogates from ranges that span them.
    return of_class(negated ? outside_of(ranges) : outside_of(outside_of(ranges)));
  }

  static bool is_point(const Ranges& ranges) {
    return ranges.size() == 1 && ranges[0].first == ranges[0].last;
  }

  Result<Ranges> class_atom() {
    if (take("\\")) return escape(true);
    const char32_t point = take_point();
    return Ranges{{point, point}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int aheads_ = 0;
};

}  // namespace

Result<Regex> parse_regex(std::string_view pattern) {
  return RegexParser(pattern).parse();
}

}  // namespace pedro
