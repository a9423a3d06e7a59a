#include "agent/line_tokens.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace pedro {
namespace {

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

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

// Returns the end of the token at `at`: a word, a number, a string, blanks or an operator.
std::size_t token_end(std::string_view line, std::size_t at) {
  const char first = line[at];
  const auto span_of = [&](auto fits) {
    std::size_t end = at + 1;
    while (end < line.size() && fits(line[end])) ++end;
    return end;
  };
  if (starts_word(first)) return span_of([](char c) { return starts_word(c) || is_digit(c); });
  if (is_digit(first))
    return span_of([](char c) { return is_digit(c) || c == '.' || starts_word(c); });
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

bool is_operand_word(std::string_view text) {
  const char first = text.front();
  if (starts_word(first)) return !is_keyword(text) || text == "self" || text == "this";
  return is_digit(first) || first == '"' || first == '\'';
}

}  // namespace

Tokens tokens_of(std::string_view line) {
  Tokens tokens;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = token_end(line, at);
    tokens.push_back(line.substr(at, end - at));
    at = end;
  }
  return tokens;
}

bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_keyword(std::string_view word) {
  return std::binary_search(std::begin(kKeywords), std::end(kKeywords), word);
}

bool is_member(const Tokens& tokens, std::size_t at) {
  return at > 0 && (tokens[at - 1] == "." || tokens[at - 1] == "->") &&
         starts_word(tokens[at].front());
}

bool is_called(const Tokens& tokens, std::size_t at) {
  return at + 1 < tokens.size() && tokens[at + 1] == "(";
}

bool is_variable(const Tokens& tokens, std::size_t at) {
  return starts_word(tokens[at].front()) && !is_keyword(tokens[at]) && !is_member(tokens, at) &&
         !is_called(tokens, at);
}

std::size_t closing_bracket(const Tokens& tokens, std::size_t open) {
  static constexpr std::string_view kOpening = "([{";
  static constexpr std::string_view kClosing = ")]}";
  int depth = 0;
  for (std::size_t at = open; at < tokens.size(); ++at) {
    const std::string_view text = tokens[at];
    if (text.size() != 1) continue;
    if (kOpening.find(text) != kOpening.npos) ++depth;
    if (kClosing.find(text) != kClosing.npos && --depth <= 0) return at;
  }
  return tokens.size();
}

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

Tokens members_of(std::string_view function, bool called) {
  Tokens names;
  std::set<std::string_view> known;
  for (const std::string_view line : split(function, '\n')) {
    const Tokens tokens = tokens_of(line);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      if (is_member(tokens, at) && is_called(tokens, at) == called &&
          known.insert(tokens[at]).second)
        names.push_back(tokens[at]);
    }
  }
  return names;
}

std::size_t operand_begin(const Tokens& tokens, std::size_t token) {
  std::size_t at = token + 1;
  while (at > 0) {
    std::size_t part = at - 1;
    if (tokens[part] == ")" || tokens[part] == "]") {
      int depth = 0;
      do {
        depth += tokens[part] == ")" || tokens[part] == "]";
        depth -= tokens[part] == "(" || tokens[part] == "[";
      } while (depth > 0 && part-- > 0);
      if (depth > 0) return token + 1;
      at = part;
      if (at == 0 ||
          !(is_operand_word(tokens[at - 1]) || tokens[at - 1] == "]" || tokens[at - 1] == ")"))
        return at;
      continue;
    }
    if (!is_operand_word(tokens[part])) return token + 1;
    if (part < 2 || (tokens[part - 1] != "." && tokens[part - 1] != "->")) return part;
    at = part - 1;
  }
  return token + 1;
}

std::size_t operand_end(const Tokens& tokens, std::size_t token) {
  std::size_t last = token - 1;
  if (is_operand_word(tokens[token])) last = token;
  std::size_t at = last + 1;
  while (at < tokens.size()) {
    const std::string_view text = tokens[at];
    if (text == "(" || text == "[") {
      int depth = 0;
      do {
        depth += tokens[at] == "(" || tokens[at] == "[";
        depth -= tokens[at] == ")" || tokens[at] == "]";
      } while (depth > 0 && ++at < tokens.size());
      if (depth > 0) return token - 1;
      last = at++;
    } else if ((text == "." || text == "->") && at + 1 < tokens.size() &&
               is_operand_word(tokens[at + 1])) {
      last = at + 1;
      at += 2;
    } else {
      break;
    }
  }
  return last;
}

}  // namespace pedro
