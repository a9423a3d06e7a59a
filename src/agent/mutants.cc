#include "agent/mutants.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <set>

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

constexpr std::string_view kSigns[] = {
    "<<=", ">>=", "===", "!==", "**=", "//=", "&&", "||", "<=", ">=", "==", "!=", "->", "=>",
    "::",  ":=",  "+=",  "-=",  "*=",  "/=",  "%=", "<<", ">>", "**", "//", "++", "--"};
constexpr std::string_view kTests[] = {"-lt", "-le", "-gt", "-ge", "-eq", "-ne"};

// Words that name no variable in common languages. Others, like `from`, are names in C.
constexpr std::string_view kKeywords[] = {
    "False",    "None",      "True",     "and",     "as",      "assert", "async",   "auto",
    "await",    "bool",      "break",    "case",    "char",    "class",  "const",   "continue",
    "def",      "default",   "del",      "do",      "done",    "double", "elif",    "else",
    "enum",     "except",    "false",    "fi",      "finally", "float",  "fn",      "for",
    "func",     "function",  "global",   "go",      "if",      "import", "in",      "int",
    "is",       "lambda",    "let",      "local",   "long",    "mut",    "new",     "nil",
    "nonlocal", "not",       "null",     "nullptr", "or",      "pass",   "private", "public",
    "raise",    "range",     "return",   "self",    "short",   "signed", "sizeof",  "static",
    "std",      "string",    "struct",   "switch",  "then",    "this",   "throw",   "true",
    "try",      "undefined", "unsigned", "var",     "void",    "while",  "with",    "yield"};

bool is_keyword(std::string_view word) {
  return std::binary_search(std::begin(kKeywords), std::end(kKeywords), word);
}

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Returns the end of the token at `at`: a word, a number, a string, blanks or an operator.
std::size_t token_end(std::string_view line, std::size_t at) {
  const char first = line[at];
  const auto span_of = [&](auto fits) {
    std::size_t end = at + 1;
    while (end < line.size() && fits(line[end])) ++end;
    return end;
  };
  if (is_letter(first)) return span_of([](char c) { return is_letter(c) || is_digit(c); });
  if (is_digit(first))
    return span_of([](char c) { return is_digit(c) || c == '.' || is_letter(c); });
  if (is_space(first)) return span_of(is_space);
  if (first == '"' || first == '\'' || first == '`') {
    for (std::size_t end = at + 1; end < line.size(); ++end) {
      if (line[end] == '\\')
        ++end;
      else if (line[end] == first)
        return end + 1;
    }
    return at + 1;  // unclosed: an apostrophe
  }
  const std::string_view rest = line.substr(at);
  for (const std::string_view test : kTests) {
    const bool apart = at > 0 && is_space(line[at - 1]) && rest.size() > test.size() &&
                       is_space(rest[test.size()]);
    if (apart && rest.starts_with(test)) return at + test.size();
  }
  for (const std::string_view sign : kSigns) {
    if (rest.starts_with(sign)) return at + sign.size();
  }
  return at + 1;
}

std::vector<std::string_view> tokens_of(std::string_view line) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = token_end(line, at);
    tokens.push_back(line.substr(at, end - at));
    at = end;
  }
  return tokens;
}

using Tokens = std::vector<std::string_view>;

// Returns true for a name that is neither called nor a member.
bool is_variable(const Tokens& tokens, std::size_t at) {
  const std::string_view text = tokens[at];
  if (!is_letter(text.front()) || is_keyword(text)) return false;
  if (at > 0 && (tokens[at - 1] == "." || tokens[at - 1] == "->")) return false;
  return at + 1 == tokens.size() || tokens[at + 1] != "(";
}

// Returns the variables that a function uses at least twice, in order of appearance.
Tokens variables_of(std::string_view function) {
  Tokens names;
  std::map<std::string_view, int> counts;
  for (const std::string_view line : split(function, '\n')) {
    const Tokens tokens = tokens_of(line);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      if (is_variable(tokens, at) && ++counts[tokens[at]] == 2) names.push_back(tokens[at]);
    }
  }
  return names;
}

// Collects the mutants of one line.
class Mutator {
 public:
  Mutator(std::string_view line, std::string_view function)
      : line_(line), tokens_(tokens_of(line)), variables_(variables_of(function)) {}

  std::vector<std::string> run() {
    swap_words(comparisons());
    change_numbers();
    swap_words(operators());
    shift_by_one();
    change_negations();
    swap_neighbours();
    swap_operands();
    swap_variables();
    return std::move(found_);
  }

 private:
  std::size_t offset(std::size_t token) const {
    return static_cast<std::size_t>(tokens_[token].data() - line_.data());
  }

  // Adds the line with `text` in place of the bytes in [begin, end).
  void put(std::size_t begin, std::size_t end, std::string_view text) {
    std::string version(line_.substr(0, begin));
    version.append(text).append(line_.substr(end));
    if (version != line_ && known_.insert(version).second) found_.push_back(std::move(version));
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
    }
  }

  bool is_name(std::size_t token) const { return is_letter(tokens_[token].front()); }

  // Returns true if an operand ends here, so that `+ 1` can follow.
  bool ends_operand(std::size_t token) const {
    static constexpr std::string_view kBefore[] = {")",  "]", ",",  ":",  ";",  "<",
                                                   "<=", ">", ">=", "==", "!=", "}"};
    const std::string_view text = tokens_[token];
    if (!is_name(token) && text != ")" && text != "]") return false;
    std::size_t next = token + 1;
    while (next < tokens_.size() && is_space(tokens_[next].front())) ++next;
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

  // Swaps the operands of `a - b` and the like, also of a `+` that joins texts.
  void swap_operands() {
    for (std::size_t i = 2; i + 2 < tokens_.size(); ++i) {
      static constexpr std::string_view kOrdered[] = {"+", "-", "/", "//", "%", "**"};
      if (std::find(std::begin(kOrdered), std::end(kOrdered), tokens_[i]) == std::end(kOrdered) ||
          tokens_[i - 1] != " " || tokens_[i + 1] != " ")
        continue;
      const std::size_t first = operand_begin(i - 2);
      const std::size_t last = operand_end(i + 2);
      if (first > i - 2 || last < i + 2) continue;
      const std::size_t begin = offset(first);
      const std::size_t end = offset(last) + tokens_[last].size();
      const std::size_t left_end = offset(i - 1);
      const std::size_t right = offset(i + 2);
      std::string swapped(line_.substr(right, end - right));
      swapped.append(line_.substr(left_end, right - left_end));
      swapped.append(line_.substr(begin, left_end - begin));
      put(begin, end, swapped);
    }
  }

  bool is_word(std::size_t token) const {
    const std::string_view text = tokens_[token];
    const char first = text.front();
    if (is_letter(first)) return !is_keyword(text) || text == "self" || text == "this";
    return is_digit(first) || first == '"' || first == '\'';
  }

  // Returns the first token of the operand that ends with `token`. An operand is a name or number
  // with its members, subscripts and arguments. Returns more than `token` if there is none.
  std::size_t operand_begin(std::size_t token) const {
    std::size_t at = token + 1;
    while (at > 0) {
      std::size_t part = at - 1;
      if (tokens_[part] == ")" || tokens_[part] == "]") {
        int depth = 0;
        do {
          depth += tokens_[part] == ")" || tokens_[part] == "]";
          depth -= tokens_[part] == "(" || tokens_[part] == "[";
        } while (depth > 0 && part-- > 0);
        if (depth > 0) return token + 1;
        at = part;
        if (at == 0 || !(is_word(at - 1) || tokens_[at - 1] == "]" || tokens_[at - 1] == ")"))
          return at;
        continue;
      }
      if (!is_word(part)) return token + 1;
      if (part < 2 || (tokens_[part - 1] != "." && tokens_[part - 1] != "->")) return part;
      at = part - 1;
    }
    return token + 1;
  }

  // Returns the last token of the operand that begins with `token`, or less if there is none.
  std::size_t operand_end(std::size_t token) const {
    std::size_t last = token - 1;
    if (is_word(token)) last = token;
    std::size_t at = last + 1;
    while (at < tokens_.size()) {
      const std::string_view text = tokens_[at];
      if (text == "(" || text == "[") {
        int depth = 0;
        do {
          depth += tokens_[at] == "(" || tokens_[at] == "[";
          depth -= tokens_[at] == ")" || tokens_[at] == "]";
        } while (depth > 0 && ++at < tokens_.size());
        if (depth > 0) return token - 1;
        last = at++;
      } else if ((text == "." || text == "->") && at + 1 < tokens_.size() && is_word(at + 1)) {
        last = at + 1;
        at += 2;
      } else {
        break;
      }
    }
    return last;
  }

  static constexpr std::size_t kMaxOthers = 4;

  std::string_view line_;
  Tokens tokens_;
  Tokens variables_;
  std::vector<std::string> found_;
  std::set<std::string> known_;
};

}  // namespace

std::vector<std::string> mutants_of(std::string_view line, std::string_view function) {
  if (line.size() > kMaxMutatedBytes) return {};
  return Mutator(line, function).run();
}

}  // namespace pedro
