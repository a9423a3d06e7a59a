#include "agent/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <span>

#include "agent/line_tokens.h"
#include "agent/statement_mutants.h"
#include "base/text.h"

namespace pedro {
namespace {

using Groups = std::vector<std::vector<std::string_view>>;

// Lists the likeliest replacements first.
const Groups& comparisons() {
  static const Groups kGroups = {
      {"<", "<=", ">"},      {"<=", "<", ">="},     {">", ">=", "<"},      {">=", ">", "<="},
      {"==", "!="},          {"!=", "=="},          {"===", "!=="},        {"!==", "==="},
      {"-lt", "-le", "-gt"}, {"-le", "-lt", "-ge"}, {"-gt", "-ge", "-lt"}, {"-ge", "-gt", "-le"},
      {"-eq", "-ne"},        {"-ne", "-eq"}};
  return kGroups;
}

// Each row has a token and its replacements.
const Groups& operators() {
  static const Groups kGroups = {{"+", "-", "*"},
                                 {"-", "+"},
                                 {"*", "/", "+"},
                                 {"/", "*", "//", "%"},
                                 {"//", "/", "%"},
                                 {"%", "/", "//"},
                                 {"+=", "-=", "="},
                                 {"-=", "+="},
                                 {"=", "+="},
                                 {"and", "or"},
                                 {"or", "and"},
                                 {"&&", "||"},
                                 {"||", "&&"},
                                 {"&", "|"},
                                 {"|", "&"},
                                 {"^", "&"},
                                 {"^=", "&="},
                                 {"<<", ">>"},
                                 {">>", "<<"},
                                 {"++", "--"},
                                 {"--", "++"},
                                 {"true", "false"},
                                 {"false", "true"},
                                 {"True", "False"},
                                 {"False", "True"},
                                 {"min", "max"},
                                 {"max", "min"},
                                 {"any", "all"},
                                 {"all", "any"},
                                 {"first", "last"},
                                 {"last", "first"},
                                 {"begin", "end"},
                                 {"end", "begin"},
                                 {"left", "right"},
                                 {"right", "left"},
                                 {"startswith", "endswith"},
                                 {"append", "extend"},
                                 {"extend", "append"},
                                 {"partition", "rpartition"},
                                 {"rpartition", "partition"},
                                 {"find", "rfind"},
                                 {"rfind", "find"},
                                 {"indexOf", "lastIndexOf"},
                                 {"lastIndexOf", "indexOf"},
                                 {"push", "unshift"},
                                 {"pop", "shift"},
                                 {"shift", "pop"},
                                 {"floor", "ceil", "round"},
                                 {"ceil", "floor"},
                                 {"round", "floor", "ceil"},
                                 {"break", "continue"},
                                 {"continue", "break"},
                                 {"if", "while"}};
  return kGroups;
}

// Estimated shares of the kinds among faults of one line, in the order of MutantKind.
constexpr std::array<double, kMutantKinds> kChances = {12, 6, 10, 10, 5, 3, 8, 4, 12, 4,
                                                       3,  3, 4,  3,  4, 3, 4, 2, 2};
constexpr double kRankWeight = 0.3;

// Collects the mutants of one line.
class Mutator {
 public:
  Mutator(std::string_view line, std::string_view function)
      : line_(line),
        function_(function),
        tokens_(tokens_of(line)),
        variables_(variables_of(function)) {}

  std::vector<Mutant> run() {
    using Step = void (Mutator::*)();
    static constexpr Step kSteps[] = {
        // in the order of MutantKind
        &Mutator::swap_comparisons, &Mutator::change_numbers,    &Mutator::swap_operators,
        &Mutator::shift_by_one,     &Mutator::remove_operands,   &Mutator::change_negations,
        &Mutator::swap_neighbours,  &Mutator::swap_operands,     &Mutator::swap_variables,
        &Mutator::swap_members,     &Mutator::unwrap_calls,      &Mutator::fill_lists,
        &Mutator::bound_values,     &Mutator::extend_conditions, &Mutator::add_terms,
        &Mutator::add_factors};
    for (const Step step : kSteps) {
      (this->*step)();
      kind_ = static_cast<MutantKind>(static_cast<std::size_t>(kind_) + 1);
    }
    return std::move(found_);
  }

 private:
  void swap_comparisons() { swap_words(comparisons()); }
  void swap_operators() { swap_words(operators()); }

  std::size_t offset(std::size_t token) const {
    return static_cast<std::size_t>(tokens_[token].data() - line_.data());
  }

  // Adds the line with `text` in place of the bytes in [begin, end).
  void put(std::size_t begin, std::size_t end, std::string_view text) {
    std::string version(line_.substr(0, begin));
    version.append(text).append(line_.substr(end));
    if (version != line_ && known_.insert(version).second)
      found_.push_back({std::move(version), kind_, ranks_[static_cast<std::size_t>(kind_)]++});
  }

  void put_at(std::size_t token, std::string_view text) {
    put(offset(token), offset(token) + tokens_[token].size(), text);
  }

  void swap_words(const Groups& groups) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      for (const std::vector<std::string_view>& group : groups) {
        if (group.front() != tokens_[i]) continue;
        for (std::size_t other = 1; other < group.size(); ++other) put_at(i, group[other]);
      }
    }
  }

  void change_numbers() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      long long value = 0;
      const std::string_view text = tokens_[i];
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || value > 1'000'000) continue;
      for (const long long other : {value + 1, value - 1, 0LL, 1LL}) {
        if (other >= 0) put_at(i, std::to_string(other));
      }
      if (value == 0) put_at(i, "-1");
      if (i < 2 || (tokens_[i - 2] != "==" && tokens_[i - 2] != "===")) continue;
      put(offset(i - 2), offset(i) + text.size(), "<= " + std::to_string(value + 1));
      put(offset(i - 2), offset(i) + text.size(), "> " + std::to_string(value));
    }
  }

  bool is_blank(std::size_t token) const {
    return tokens_[token].front() == ' ' || tokens_[token].front() == '\t';
  }
  bool is_name(std::size_t token) const { return starts_word(tokens_[token].front()); }

  // Returns true if an operand ends here, so that `+ 1` can follow.
  bool ends_operand(std::size_t token) const {
    static constexpr std::string_view kBefore[] = {")",  "]", ",",  ":",  ";",  "<",
                                                   "<=", ">", ">=", "==", "!=", "}"};
    const std::string_view text = tokens_[token];
    if (!is_name(token) && text != ")" && text != "]") return false;
    std::size_t next = token + 1;
    while (next < tokens_.size() && is_blank(next)) ++next;
    return next == tokens_.size() ||
           std::find(std::begin(kBefore), std::end(kBefore), tokens_[next]) != std::end(kBefore);
  }

  void shift_by_one() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::size_t end = offset(i) + tokens_[i].size();
      if (ends_operand(i)) {
        put(end, end, " + 1");
        put(end, end, " - 1");
      }
      const bool is_sign = tokens_[i] == "+" || tokens_[i] == "-";
      const std::string_view rest = line_.substr(end);
      if (is_sign && rest.starts_with(" 1") && (rest.size() == 2 || !is_digit(rest[2]))) {
        const std::size_t begin = offset(i);
        put(begin > 0 && line_[begin - 1] == ' ' ? begin - 1 : begin, end + 2, "");
      }
    }
  }

  // Returns true for a line of a language that uses `!`.
  bool is_like_c() const {
    for (const std::string_view sign : {";", "{", "&&", "||", "!"}) {
      if (line_.find(sign) != line_.npos) return true;
    }
    return false;
  }

  void change_negations() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i];
      const std::size_t end = offset(i) + text.size();
      if (text == "!") put_at(i, "");
      if (text == "not") put(offset(i), std::min(end + 1, line_.size()), "");
      if (text == "in" && !is_like_c() && tokens_.front() != "for")
        put(offset(i), offset(i), "not ");
      const bool is_condition = text == "if" || text == "while" || text == "and" || text == "or" ||
                                text == "elif" || text == "return";
      const bool has_blank = end < line_.size() && line_[end] == ' ';
      if (is_condition && has_blank && !is_like_c()) put(end + 1, end + 1, "not ");
      if ((text == "(" || text == "&&" || text == "||") && is_like_c()) put(end, end, "!");
    }
  }

  // Swaps the two sides in `f(a, b)` and `x[a:b]`. One side may be empty.
  void swap_neighbours() {
    for (std::size_t at = 0; at < line_.size(); ++at) {
      if (line_[at] != ',' && line_[at] != ':') continue;
      const std::size_t begin = side_begin(at);
      const std::size_t end = side_end(at);
      const bool in_slice = line_[at] == ':' && begin > 0 && line_[begin - 1] == '[' &&
                            end < line_.size() && line_[end] == ']';
      const bool in_list = line_[at] == ',' && begin > 0 && end < line_.size();
      if (!in_slice && !in_list) continue;
      const std::string_view before = line_.substr(begin, at - begin);
      std::string_view after = line_.substr(at + 1, end - at - 1);
      const std::string blank = after.starts_with(' ') ? " " : "";
      after.remove_prefix(blank.size());
      std::string swapped(after);
      swapped.append(1, line_[at]).append(blank).append(before);
      put(begin, end, swapped);
    }
  }

  // Returns the start of the expression before a separator: after a bracket or comma of the same
  // depth.
  std::size_t side_begin(std::size_t at) const {
    int depth = 0;
    while (at > 0) {
      const char c = line_[at - 1];
      if (c == ')' || c == ']' || c == '}') ++depth;
      if ((c == '(' || c == '[' || c == '{') && depth-- == 0) return at;
      if (depth == 0 && c == ',') return at + (at < line_.size() && line_[at] == ' ' ? 1 : 0);
      --at;
    }
    return 0;
  }

  std::size_t side_end(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at + 1; i < line_.size(); ++i) {
      const char c = line_[i];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return i;
      if (depth == 0 && c == ',') return i;
    }
    return line_.size();
  }

  // Replaces a variable by others of the function, the nearest in its list first.
  void swap_variables() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto own = std::find(variables_.begin(), variables_.end(), tokens_[i]);
      if (own == variables_.end() || !is_variable(tokens_, i)) continue;
      Tokens others = variables_;
      std::stable_sort(others.begin(), others.end(), [&](auto a, auto b) {
        return distance(a, tokens_[i]) < distance(b, tokens_[i]);
      });
      for (std::size_t other = 1; other < std::min(others.size(), kMaxOthers + 1); ++other)
        put_at(i, others[other]);
    }
  }

  std::size_t distance(std::string_view a, std::string_view b) const {
    const auto place = [&](std::string_view name) {
      return std::find(variables_.begin(), variables_.end(), name) - variables_.begin();
    };
    return static_cast<std::size_t>(std::abs(place(a) - place(b)));
  }

  // The bytes of the operands around an operator.
  struct Operands {
    std::size_t begin, left_end, right, end;
  };

  // Returns the operands around the operator at `i`, if it is one of `signs` between blanks.
  std::optional<Operands> operands_at(std::size_t i,
                                      std::span<const std::string_view> signs) const {
    if (std::find(signs.begin(), signs.end(), tokens_[i]) == signs.end() || tokens_[i - 1] != " " ||
        tokens_[i + 1] != " ")
      return std::nullopt;
    const std::size_t first = operand_begin(tokens_, i - 2);
    const std::size_t last = operand_end(tokens_, i + 2);
    if (first > i - 2 || last < i + 2) return std::nullopt;
    return Operands{offset(first), offset(i - 1), offset(i + 2),
                    offset(last) + tokens_[last].size()};
  }

  // Swaps the operands of `a - b` and the like, also of a `+` that joins texts.
  void swap_operands() {
    for (std::size_t i = 2; i + 2 < tokens_.size(); ++i) {
      static constexpr std::string_view kOrdered[] = {"+", "-", "/", "//", "%", "**"};
      const std::optional<Operands> sides = operands_at(i, kOrdered);
      if (!sides) continue;
      std::string swapped(line_.substr(sides->right, sides->end - sides->right));
      swapped.append(line_.substr(sides->left_end, sides->right - sides->left_end));
      swapped.append(line_.substr(sides->begin, sides->left_end - sides->begin));
      put(sides->begin, sides->end, swapped);
    }
  }

  // Removes an operand of `a + b` and the like.
  void remove_operands() {
    for (std::size_t i = 2; i + 2 < tokens_.size(); ++i) {
      static constexpr std::string_view kSigned[] = {"+", "-", "*", "/", "//", "%", "**"};
      const std::optional<Operands> sides = operands_at(i, kSigned);
      if (!sides) continue;
      put(sides->left_end, sides->end, "");
      put(sides->begin, sides->right, "");
    }
  }

  // Replaces a member by others of the function, a method by another method.
  void swap_members() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!is_member(tokens_, i)) continue;
      std::size_t count = 0;
      for (const std::string_view other : members_of(function_, is_called(tokens_, i))) {
        if (other != tokens_[i] && count++ < kMaxOthers) put_at(i, other);
      }
    }
  }

  // Replaces `f(x)` by `x`.
  void unwrap_calls() {
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      if (!is_name(i) || is_member(tokens_, i) || !is_called(tokens_, i)) continue;
      const std::size_t close = closing_bracket(tokens_, i + 1);
      if (close == tokens_.size() || close == i + 2 || is_keyword(tokens_[i])) continue;
      const std::size_t begin = offset(i + 2);
      put(offset(i), offset(close) + 1, line_.substr(begin, offset(close) - begin));
    }
  }

  // Replaces `[]` by a list of one element.
  void fill_lists() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i] != "[" || tokens_[i + 1] != "]") continue;
      if (i > 0 && (is_name(i - 1) || tokens_[i - 1] == "]")) continue;  // a type
      put_at(i, "[[]");
      for (std::size_t other = 0; other < std::min(variables_.size(), kMaxAdded); ++other)
        put_at(i, "[" + std::string(variables_[other]));
    }
  }

  // Bounds the value of an assignment, in languages with functions `min` and `max`.
  void bound_values() {
    std::size_t name = 0;
    while (name < tokens_.size() && is_blank(name)) ++name;
    if (name + 4 >= tokens_.size() || !is_variable(tokens_, name) || tokens_[name + 2] != "=" ||
        is_like_c())
      return;
    const std::size_t begin = offset(name + 4);
    const std::string value(line_.substr(begin));
    const std::string variable(tokens_[name]);
    for (const std::string& bound : {"max(" + variable, "min(" + variable, std::string("max(0")})
      put(begin, line_.size(), bound + ", " + value + ")");
  }

  // Adds an alternative or a requirement to a condition before a colon.
  void extend_conditions() {
    const std::string_view start = trim(line_);
    const bool is_condition =
        start.starts_with("if ") || start.starts_with("elif ") || start.starts_with("while ");
    if (!is_condition || !start.ends_with(':')) return;
    const std::size_t end = line_.rfind(':');
    for (std::size_t other = 0; other < std::min(variables_.size(), kMaxAdded); ++other) {
      put(end, end, " or not " + std::string(variables_[other]));
      put(end, end, " and " + std::string(variables_[other]));
    }
  }

  // Adds a variable to an argument or a bound, or subtracts it.
  void add_terms() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!is_variable(tokens_, i) || !ends_operand(i)) continue;
      const std::size_t end = offset(i) + tokens_[i].size();
      std::size_t count = 0;
      for (const std::string_view other : variables_) {
        if (other == tokens_[i] || count++ == kMaxAdded) continue;
        put(end, end, " - " + std::string(other));
        put(end, end, " + " + std::string(other));
      }
    }
  }

  // Wraps or scales the value of an assignment, a return or a subscript.
  void add_factors() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::size_t begin = offset(i) + tokens_[i].size();
      if (tokens_[i] == "[") {
        const std::size_t close = closing_bracket(tokens_, i);
        if (close < tokens_.size()) add_factors(begin, offset(close));
      }
      const bool has_value = tokens_[i] == "=" || tokens_[i] == "return";
      if (has_value && begin < line_.size() && line_[begin] == ' ') {
        add_factors(begin + 1, line_.ends_with(';') ? line_.size() - 1 : line_.size());
      }
    }
  }

  void add_factors(std::size_t begin, std::size_t end) {
    const std::string_view value = line_.substr(begin, end - begin);
    if (value.empty() || value.find_first_of("\"'`{}[],:<>?") != value.npos) return;
    const bool is_sum = value.find_first_of("+-") != value.npos;
    const std::string operand = is_sum ? fmt::format("({})", value) : std::string(value);
    Tokens factors = numbers();
    for (std::size_t i = 0; i < std::min(variables_.size(), kMaxAdded); ++i) {
      if (variables_[i] != value) factors.push_back(variables_[i]);
    }
    for (const std::string_view sign : {"%", "*", is_like_c() ? "/" : "//"}) {
      for (const std::string_view factor : factors) {
        put(begin, end, fmt::format("{} {} {}", operand, sign, factor));
      }
    }
  }

  // Returns numbers of at least 2, those of the line first.
  Tokens numbers() const {
    Tokens found;
    for (const std::string_view text : {line_, function_}) {
      for (const std::string_view token : tokens_of(text)) {
        const bool is_number = is_digit(token.front()) && token != "0" && token != "1";
        const bool is_new = std::find(found.begin(), found.end(), token) == found.end();
        if (is_number && is_new && found.size() < kMaxAdded) found.push_back(token);
      }
    }
    return found;
  }

  static constexpr std::size_t kMaxOthers = 4;
  static constexpr std::size_t kMaxAdded = 3;

  std::string_view line_;
  std::string_view function_;
  Tokens tokens_;
  Tokens variables_;
  MutantKind kind_ = MutantKind::kComparison;
  std::array<std::size_t, kMutantKinds> ranks_{};
  std::vector<Mutant> found_;
  std::set<std::string> known_;
};

}  // namespace

std::vector<Mutant> mutants_of(std::string_view line, std::string_view function) {
  if (line.size() > kMaxMutatedBytes) return {};
  std::vector<Mutant> found = Mutator(line, function).run();
  std::ranges::move(statement_mutants(line, function), std::back_inserter(found));
  return found;
}

void sort_by_chance(std::vector<Mutant>& mutants) {
  const auto weight_of = [](const Mutant& mutant) {
    return 1 / (1 + kRankWeight * static_cast<double>(mutant.rank));
  };
  std::array<double, kMutantKinds> sums{};
  for (const Mutant& mutant : mutants)
    sums[static_cast<std::size_t>(mutant.kind)] += weight_of(mutant);
  const auto chance_of = [&](const Mutant& mutant) {
    const auto kind = static_cast<std::size_t>(mutant.kind);
    return kChances[kind] * weight_of(mutant) / sums[kind];
  };
  std::stable_sort(mutants.begin(), mutants.end(),
                   [&](const Mutant& a, const Mutant& b) { return chance_of(a) > chance_of(b); });
}

}  // namespace pedro
