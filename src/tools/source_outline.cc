#include "tools/source_outline.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTokens = 48;  // per line: a definition begins early

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || byte >= 0x80;
}

// Splits into words, "::", and other single bytes; omits blanks.
std::vector<std::string_view> tokens_of(std::string_view line) {
  std::vector<std::string_view> tokens;
  while (tokens.size() < kMaxTokens) {
    line = trim(line);
    if (line.empty()) break;
    std::size_t length = 0;
    while (length < line.size() && is_word_byte(line[length])) ++length;
    if (length == 0) length = line.starts_with("::") ? 2 : 1;
    tokens.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
  return tokens;
}

bool is_word(std::string_view token) {
  return !token.empty() && is_word_byte(token.front()) &&
         (token.front() < '0' || token.front() > '9');
}

constexpr std::array<std::string_view, 25> kModifiers = {
    "export",    "default",      "public", "private", "protected", "internal", "static",
    "async",     "abstract",     "final",  "sealed",  "inline",    "virtual",  "explicit",
    "constexpr", "extern",       "unsafe", "pub",     "consteval", "typedef",  "declare",
    "override",  "synchronized", "friend", "local"};

// Words that a name follows. "impl", "using" and variables have separate rules.
constexpr std::array<std::string_view, 18> kDefiningWords = {
    "class", "struct", "enum",    "union",  "namespace",   "interface",
    "trait", "mod",    "fn",      "func",   "def",         "function",
    "type",  "record", "concept", "module", "macro_rules", "fun"};

constexpr std::array<std::string_view, 20> kNeverNames = {
    "if",    "for",    "while",  "switch", "return", "catch", "else",  "do",     "new", "delete",
    "throw", "assert", "sizeof", "case",   "using",  "await", "yield", "typeof", "not", "defer"};

bool is_c_like(Language language) {
  return language == Language::kC || language == Language::kCpp || language == Language::kJava;
}

bool is_script(Language language) {
  return language == Language::kJavaScript || language == Language::kTypeScript;
}

using Tokens = std::span<const std::string_view>;

bool has(Tokens tokens, std::string_view token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// Skips "(...)", "<...>" or "[...]" at the start.
Tokens without_group(Tokens tokens, std::string_view open, std::string_view close) {
  if (tokens.empty() || tokens.front() != open) return tokens;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == open) ++depth;
    if (tokens[i] == close && --depth == 0) return tokens.subspan(i + 1);
  }
  return {};
}

Tokens without_modifiers(Tokens tokens) {
  while (!tokens.empty()) {
    if (tokens.front() == "template") {
      tokens = without_group(tokens.subspan(1), "<", ">");
    } else if (is_one_of(tokens.front(), kModifiers)) {
      tokens = without_group(tokens.subspan(1), "(", ")");
    } else if (tokens.front() == "const" && tokens.size() > 1 && tokens[1] == "fn") {
      tokens = tokens.subspan(1);
    } else {
      break;
    }
  }
  return tokens;
}

std::optional<std::string_view> first_word(Tokens tokens) {
  for (const std::string_view token : tokens) {
    if (is_word(token)) return token;
    if (token == "{" || token == ";" || token == "=") break;
  }
  return std::nullopt;
}

// Returns the last name of a qualified one: `c` in `a::b::c`.
std::optional<std::string_view> qualified_name(Tokens tokens) {
  std::optional<std::string_view> name = first_word(tokens);
  for (std::size_t i = 1; i + 1 < tokens.size() && tokens[i] == "::"; i += 2) name = tokens[i + 1];
  return name;
}

std::optional<std::string_view> after_defining_word(Language language, Tokens tokens) {
  const std::string_view word = tokens.front();
  tokens = tokens.subspan(1);
  // `class X;` only declares, and `struct X x = ...;` only uses.
  const bool ends = !tokens.empty() && tokens.back() == ";" && !has(tokens, "{");
  if (is_c_like(language) && ends) return std::nullopt;
  if (word == "enum" && !tokens.empty() && (tokens[0] == "class" || tokens[0] == "struct")) {
    tokens = tokens.subspan(1);
  }
  if (word == "func") tokens = without_group(tokens, "(", ")");  // a Go receiver
  if (tokens.empty() || tokens.front() == "(" || tokens.front() == "=") return std::nullopt;
  return qualified_name(tokens);
}

// `impl<T> Trait for Type {` defines methods of Type.
std::optional<std::string_view> after_impl(Tokens tokens) {
  tokens = without_group(tokens, "<", ">");
  const auto with_for = std::find(tokens.begin(), tokens.end(), "for");
  if (with_for == tokens.end()) return first_word(tokens);
  return first_word(tokens.subspan(static_cast<std::size_t>(with_for - tokens.begin()) + 1));
}

std::optional<std::string_view> after_variable_word(Language language, bool indented,
                                                    Tokens tokens) {
  if (tokens.size() < 2) return std::nullopt;
  const bool holds_function = has(tokens, "function") || has(tokens, ">");
  if (is_script(language) ? indented && !holds_function : indented) return std::nullopt;
  if (language == Language::kRust && tokens[1] == "mut") tokens = tokens.subspan(1);
  return first_word(tokens.subspan(1));
}

// Recognizes a function head: words, a name, "(", and no ";" at the end of the line.
std::optional<std::string_view> function_head(Language language, bool indented, Tokens tokens) {
  const auto paren = std::find(tokens.begin(), tokens.end(), "(");
  if (paren == tokens.begin() || paren == tokens.end() || tokens.back() == ";") return std::nullopt;
  const Tokens before = tokens.first(static_cast<std::size_t>(paren - tokens.begin()));
  for (const std::string_view token : before) {
    const bool part = is_word(token) || token == "::" || token == "*" || token == "&" ||
                      token == "<" || token == ">" || token == "," || token == "~" ||
                      token == "[" || token == "]";
    if (!part || is_one_of(token, kNeverNames)) return std::nullopt;
  }
  if (!is_word(before.back())) return std::nullopt;
  const bool has_body = tokens.back() == "{" || has(tokens, "{");
  if (is_script(language))
    return has_body && before.size() == 1 ? std::optional(before.back()) : std::nullopt;
  // A name alone, or only qualified, is a call, except at the start of a line: a constructor.
  const bool typed =
      before.size() > 1 && is_word(before[0]) && before[1] != "::" && before[1] != ",";
  if (typed || (!indented && before.size() > 1) || has_body) return before.back();
  return std::nullopt;
}

std::optional<std::string_view> after_hash(Tokens tokens) {
  if (tokens.size() < 3 || tokens[1] != "define" || !is_word(tokens[2])) return std::nullopt;
  return tokens[2];
}

bool is_comment(Language language, std::string_view line) {
  if (line.starts_with("//") || line.starts_with("/*") || line.starts_with('*')) return true;
  return line.starts_with('#') && !is_c_like(language);
}

}  // namespace

std::optional<std::string_view> defined_name(Language language, std::string_view line) {
  if (is_comment(language, trim(line))) return std::nullopt;
  const std::vector<std::string_view> all = tokens_of(line);
  if (all.empty()) return std::nullopt;
  if (all.front() == "#") return after_hash(all);
  const bool indented = line.front() == ' ' || line.front() == '\t';
  const Tokens tokens = without_modifiers(all);
  if (tokens.empty()) return std::nullopt;
  const std::string_view word = tokens.front();
  const bool c_like = is_c_like(language);
  if (word == "impl") return after_impl(tokens.subspan(1));
  if (word == "using" && has(tokens, "=")) return first_word(tokens.subspan(1));
  const bool is_variable = word == "const" || word == "let" || word == "var" || word == "static";
  if (is_variable && !c_like) return after_variable_word(language, indented, tokens);
  if (is_one_of(word, kDefiningWords)) {
    // A C function may return a struct.
    const bool returns =
        c_like && has(tokens, "(") && word != "record" && tokens.size() > 2 && is_word(tokens[2]);
    if (!returns) return after_defining_word(language, tokens);
  }
  if (c_like || is_script(language)) return function_head(language, indented, tokens);
  return std::nullopt;
}

std::vector<std::size_t> definition_lines(Language language, const LineTable& table) {
  std::vector<std::size_t> lines;
  for (std::size_t n = 1; n <= table.size(); ++n) {
    if (defined_name(language, table.line(n))) lines.push_back(n);
  }
  return lines;
}

}  // namespace pedro
