#include "gbnf/parse_gbnf.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"
#include "gbnf/gbnf_scanner.h"
#include "gbnf/source_excerpt.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kUnboundedFrom = 2001;  // llama.cpp treats these maxima as unbounded
constexpr std::uint64_t kMaxTokenId = 0x7FFFFFFF;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

// An expression with the information that its context needs.
struct Parsed {
  Expr expr;
  int height = 1;
  std::uint64_t symbols = 1;  // as in RepetitionSite
  bool repeatable = true;     // llama.cpp drops "" and [], so they cannot be repeated
};

// Returns the height of a sequence or an alternation that was made of parts with these heights.
int height_over(const Expr& made, const std::vector<int>& heights, bool same_kind) {
  if (made.is_empty()) return 1;
  return *std::max_element(heights.begin(), heights.end()) + (same_kind ? 1 : 0);
}

struct Collected {
  std::vector<Expr> exprs;
  std::vector<int> heights;

  // Adds a part. A part of the same kind as the whole is inlined, so its own level does not count.
  template <typename Kind>
  void add(Parsed parsed) {
    const bool dissolves = std::holds_alternative<Kind>(parsed.expr.node);
    heights.push_back(parsed.height - (dissolves ? 1 : 0));
    exprs.push_back(std::move(parsed.expr));
  }
};

class GbnfParser {
 public:
  GbnfParser(std::string_view text, std::string_view name) : scanner_(name, text) {
    out_.name = name;
    out_.source = text;
  }

  Result<ParsedGbnf> parse() {
    scanner_.skip_blanks(Newlines::kAreBlanks);
    while (!scanner_.at_end()) {
      PEDRO_RETURN_IF_ERROR(parse_rule());
      scanner_.skip_blanks(Newlines::kAreBlanks);
    }
    return std::move(out_);
  }

 private:
  Status parse_rule() {
    const std::size_t begin = scanner_.offset();
    const std::string_view name = scanner_.take_name();
    if (name.empty()) return no_name();
    see(name);
    out_.definitions.push_back(NameSite{std::string(name), begin});
    scanner_.skip_blanks(Newlines::kEndRule);
    if (!scanner_.take("::=")) return scanner_.expected("'::=' after the rule's name");
    scanner_.skip_blanks(Newlines::kAreBlanks);
    PEDRO_TRY(auto body, parse_alternatives(Newlines::kEndRule, 0));
    if (!scanner_.at_end() && !scanner_.at_newline()) {
      return scanner_.expected("an item, '|' or the end of the line");
    }
    if (body.height > kMaxExprDepth) return too_deep(begin);
    define(name, std::move(body.expr));
    return {};
  }

  Error no_name() const {
    if (scanner_.peek() != '|') return scanner_.expected("a rule's name");
    return scanner_.expected("a rule's name (a rule continues after a '|' at the end of its line)");
  }

  Error too_deep(std::size_t offset) const {
    return scanner_.error(
        offset, fmt::format("nests more than {} deep; move the inner part into its own rule",
                            kMaxExprDepth));
  }

  void define(std::string_view name, Expr expr) {
    const auto [at, is_new] = rules_.emplace(name, out_.grammar.rules.size());
    if (is_new) out_.grammar.rules.push_back(Rule{std::string(name), {}});
    out_.grammar.rules[at->second].expr = std::move(expr);
  }

  void see(std::string_view name) {
    if (seen_.emplace(name).second) ++symbols_;
  }

  // `depth` is the number of open parentheses.
  Result<Parsed> parse_alternatives(Newlines newlines, int depth) {
    Collected options;
    do {
      scanner_.skip_blanks(options.exprs.empty() ? newlines : Newlines::kAreBlanks);
      PEDRO_TRY(auto option, parse_items(newlines, depth));
      options.add<Alternation>(std::move(option));
    } while (scanner_.take("|"));
    Parsed out;
    out.expr = alternation(std::move(options.exprs));
    out.height =
        height_over(out.expr, options.heights, std::holds_alternative<Alternation>(out.expr.node));
    return out;
  }

  Result<Parsed> parse_items(Newlines newlines, int depth) {
    Collected items;
    while (at_item()) {
      PEDRO_TRY(auto item, parse_item(newlines, depth));
      items.add<Sequence>(std::move(item));
    }
    if (at_repetition()) return nothing_to_repeat();
    Parsed out;
    out.expr = sequence(std::move(items.exprs));
    out.height =
        height_over(out.expr, items.heights, std::holds_alternative<Sequence>(out.expr.node));
    return out;
  }

  bool at_item() {
    constexpr std::string_view kBegins = "\"[(.<!";
    const char c = scanner_.peek();
    if (c != '\0' && kBegins.find(c) != std::string_view::npos) return true;
    GbnfScanner ahead = scanner_;
    return !ahead.take_name().empty();
  }

  bool at_repetition() const {
    const char c = scanner_.peek();
    return c == '*' || c == '+' || c == '?' || c == '{';
  }

  Error nothing_to_repeat() const {
    return scanner_.error(scanner_.offset(),
                          fmt::format("expected something to repeat before '{}'", scanner_.peek()));
  }

  Result<Parsed> parse_item(Newlines newlines, int depth) {
    PEDRO_TRY(auto item, parse_atom(depth));
    scanner_.skip_blanks(newlines);
    while (at_repetition()) {
      if (!item.repeatable) return nothing_to_repeat();
      PEDRO_RETURN_IF_ERROR(parse_repetition(item, newlines));
      scanner_.skip_blanks(newlines);
    }
    return item;
  }

  Result<Parsed> parse_atom(int depth) {
    const std::size_t begin = scanner_.offset();
    if (scanner_.take("\"")) return parse_literal(begin);
    if (scanner_.take("[")) return parse_class(begin);
    if (scanner_.take("(")) return parse_group(begin, depth + 1);
    if (scanner_.take(".")) return Parsed{none_of({})};
    if (scanner_.peek() == '<' || scanner_.peek() == '!') return parse_token();
    const std::string_view name = scanner_.take_name();
    see(name);
    out_.references.push_back(NameSite{std::string(name), begin});
    return Parsed{rule_ref(name)};
  }

  Result<Parsed> parse_literal(std::size_t begin) {
    std::string bytes;
    while (!scanner_.take("\"")) {
      if (scanner_.at_end()) return unclosed(begin, "'\"'", "literal");
      const std::size_t offset = scanner_.offset();
      PEDRO_TRY(const auto c, take_character());
      if (c >= 0xD800 && c <= 0xDFFF) {
        return scanner_.error(offset, "expected a character, found half of a surrogate pair");
      }
      append_utf8(bytes, c);
    }
    Parsed out{literal(bytes)};
    out.repeatable = !bytes.empty();
    return out;
  }

  Error unclosed(std::size_t begin, std::string_view end, std::string_view what) const {
    return scanner_.error(begin, fmt::format("expected {} to close the {}, found the end of the "
                                             "grammar",
                                             end, what));
  }

  Result<char32_t> take_character() {
    const std::size_t offset = scanner_.offset();
    const auto c = scanner_.take_character();
    const std::string_view taken = std::string_view(out_.source).substr(offset);
    if (c.ok() && taken.starts_with("\\-")) note(Oddity::Kind::kDashEscape, offset);
    return c;
  }

  void note(Oddity::Kind kind, std::size_t offset) {
    out_.oddities.push_back(Oddity{kind, offset});
  }

  Result<Parsed> parse_class(std::size_t begin) {
    const bool negated = scanner_.take("^");
    std::vector<CharRange> ranges;
    bool empty = true;
    for (; !scanner_.take("]"); empty = false) {
      PEDRO_RETURN_IF_ERROR(parse_range(begin, ranges));
    }
    if (!empty) return Parsed{negated ? none_of(std::move(ranges)) : one_of(std::move(ranges))};
    note(Oddity::Kind::kEmptyClass, begin);
    Parsed out;
    out.repeatable = false;
    return out;
  }

  // `begin` is the offset of the class.
  Status parse_range(std::size_t begin, std::vector<CharRange>& ranges) {
    const std::size_t offset = scanner_.offset();
    if (scanner_.at_end()) return unclosed(begin, "']'", "class");
    PEDRO_TRY(const auto first, take_character());
    CharRange range{first, first};
    GbnfScanner ahead = scanner_;
    if (ahead.take("-") && ahead.peek() != ']') {
      scanner_ = ahead;
      if (scanner_.at_end()) return unclosed(begin, "']'", "class");
      PEDRO_TRY(const auto last, take_character());
      range.last = last;
    }
    if (range.last < range.first) note(Oddity::Kind::kReversedRange, offset);
    ranges.push_back(range);
    return {};
  }

  Result<Parsed> parse_group(std::size_t begin, int depth) {
    if (depth > kMaxExprDepth) return too_deep(begin);
    const std::uint64_t before = symbols_++;
    scanner_.skip_blanks(Newlines::kAreBlanks);
    auto group = parse_alternatives(Newlines::kAreBlanks, depth);
    if (!group.ok()) return group;
    if (scanner_.at_end()) return unclosed(begin, "')'", "group");
    if (!scanner_.take(")")) return open_group(begin);
    if (group->height > kMaxExprDepth) return too_deep(begin);
    group->symbols = symbols_ - before;
    return group;
  }

  Error open_group(std::size_t begin) const {
    const LineColumn place = line_column(out_.source, begin);
    return scanner_.expected(
        fmt::format("an item, '|' or the ')' for {}:{}", place.line, place.column));
  }

  Result<Parsed> parse_token() {
    const bool negated = scanner_.take("!");
    const std::size_t begin = scanner_.offset();
    if (!scanner_.take("<")) return scanner_.expected("'<' after '!'");
    if (scanner_.take("[")) return parse_token_id(negated);
    PEDRO_TRY(const auto text, scanner_.take_until('>'));
    return Parsed{token(std::string_view(out_.source).substr(begin, text.size() + 2), negated)};
  }

  Result<Parsed> parse_token_id(bool negated) {
    const std::size_t begin = scanner_.offset();
    if (!scanner_.at_digit()) return scanner_.expected("the id of a token");
    const std::uint64_t id = scanner_.take_number();
    if (id > kMaxTokenId) {
      return scanner_.error(begin, fmt::format("expected an id up to {}", kMaxTokenId));
    }
    if (!scanner_.take("]>")) return scanner_.expected("']>' after the id");
    return Parsed{token(static_cast<std::uint32_t>(id), negated)};
  }

  Status parse_repetition(Parsed& item, Newlines newlines) {
    RepetitionSite site;
    site.offset = scanner_.offset();
    if (scanner_.take("+")) {
      site.min = 1;
    } else if (scanner_.take("?")) {
      site.max = 1;
    } else if (!scanner_.take("*")) {
      PEDRO_RETURN_IF_ERROR(parse_counts(site, newlines));
    }
    site.symbols = item.symbols;
    out_.repetitions.push_back(site);
    repeat(item, site);
    if (item.height > kMaxExprDepth) return too_deep(site.offset);
    return {};
  }

  Status parse_counts(RepetitionSite& site, Newlines newlines) {
    scanner_.take("{");
    scanner_.skip_blanks(newlines);
    if (!scanner_.at_digit()) return scanner_.expected("a number after '{'");
    site.min = scanner_.take_number();
    site.max = site.min;
    scanner_.skip_blanks(newlines);
    if (scanner_.take(",")) {
      scanner_.skip_blanks(newlines);
      site.max.reset();
      if (scanner_.at_digit()) site.max = scanner_.take_number();
      scanner_.skip_blanks(newlines);
      if (!scanner_.take("}")) return scanner_.expected(site.max ? "'}'" : "a number or '}'");
      return {};
    }
    if (!scanner_.take("}")) return scanner_.expected("',' or '}'");
    return {};
  }

  void repeat(Parsed& item, const RepetitionSite& site) {
    const bool bounded = site.max && *site.max < kUnboundedFrom;
    symbols_ += bounded ? std::max(*site.max, site.min) - site.min : 1;
    item.symbols = std::max<std::uint64_t>(1, site.cost());
    item.repeatable = site.max != 0;
    const auto legal = [](std::uint64_t count) {
      return static_cast<int>(std::min<std::uint64_t>(count, kMaxRepeats));
    };
    std::optional<int> max;
    if (site.max) max = legal(std::max(*site.max, site.min));
    const bool stays = item.expr.is_empty() || max == 0 || (site.min == 1 && max == 1);
    if (!stays) ++item.height;
    item.expr = repetition(std::move(item.expr), legal(site.min), max);
    if (!stays) std::get<Repetition>(item.expr.node).at = site.offset;
    if (item.expr.is_empty()) item.height = 1;
  }

  GbnfScanner scanner_;
  ParsedGbnf out_;
  std::unordered_map<std::string_view, std::size_t> rules_;
  std::unordered_set<std::string_view> seen_;
  std::uint64_t symbols_ = 0;
};

Error at(std::string_view text, std::string_view name, std::size_t offset,
         std::string_view message) {
  return Error{ErrorKind::kConfig, located(name, text, offset, message)};
}

Status check_bytes(std::string_view text, std::string_view name) {
  if (text.size() > kMaxGbnfBytes) {
    return Error{ErrorKind::kConfig,
                 fmt::format("{}: {} bytes, more than the limit of {} for a grammar", name,
                             text.size(), kMaxGbnfBytes)};
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_sequence_length(text.substr(i));
    if (length == 0) {
      const auto byte = static_cast<unsigned>(static_cast<unsigned char>(text[i]));
      return at(text, name, i, fmt::format("expected UTF-8, found the byte 0x{:02X}", byte));
    }
    if (text[i] == '\0') {
      return at(text, name, i, "expected text, found NUL, where a server stops reading");
    }
    i += length;
  }
  if (text.starts_with("%llguidance")) {
    return at(text, name, 0,
              "expected a rule's name, found '%llguidance': a server hands such a text to another "
              "engine, and a server built without it crashes");
  }
  return {};
}

}  // namespace

std::uint64_t RepetitionSite::cost() const {
  std::uint64_t count = 1;
  if (max && *max > 0 && *max < kUnboundedFrom) {
    count = *max;
  } else if (min > 0) {
    count = min;
  }
  return product(symbols, count);
}

Result<ParsedGbnf> parse_gbnf(std::string_view text, std::string_view name) {
  PEDRO_RETURN_IF_ERROR(check_bytes(text, name));
  return GbnfParser(text, name).parse();
}

}  // namespace pedro
