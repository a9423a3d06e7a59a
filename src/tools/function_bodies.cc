#include "tools/function_bodies.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "tools/source_outline.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxHeadLines = 10;

// Returns the name of a shell function that begins in this line: "name() {", "function name {".
std::optional<std::string_view> shell_function(std::string_view line) {
  std::string_view text = trim(line);
  const bool has_word = text.starts_with("function ");
  if (has_word) text = trim(text.substr(9));
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                               text[end] == '_' || text[end] == '-')) {
    ++end;
  }
  const std::string_view rest = trim(text.substr(end));
  if (end == 0 || !(rest.starts_with("()") || (has_word && rest.starts_with("{")))) return {};
  return text.substr(0, end);
}

bool defines_type(std::string_view line) {
  for (const std::string_view word : {"class", "struct", "enum", "interface", "namespace", "trait",
                                      "impl", "mod", "union", "type", "#define"}) {
    if (has_whole_words(line.substr(0, line.find('(')), word)) return true;
  }
  return false;
}

std::optional<FunctionBody> python_body(const LineTable& table, std::size_t head,
                                        std::string_view name) {
  const std::size_t indent = indent_of(table.line(head));
  std::size_t line = head;
  while (line < table.size() && line < head + kMaxHeadLines &&
         !trim(table.line(line)).ends_with(':')) {
    ++line;
  }
  std::size_t first = line + 1;
  if (first > table.size()) return std::nullopt;
  const std::string_view opener = trim(table.line(first)).substr(0, 3);
  if (opener == "\"\"\"" || opener == "'''") {
    const std::string_view rest = trim(table.line(first)).substr(3);
    if (rest.find(opener) == rest.npos) {
      do ++first;
      while (first <= table.size() && table.line(first).find(opener) == std::string_view::npos);
    }
    ++first;
  }
  std::size_t last = first - 1;
  for (std::size_t at = first; at <= table.size(); ++at) {
    const std::string_view text = table.line(at);
    if (trim(text).empty()) continue;
    if (indent_of(text) <= indent) break;
    last = at;
  }
  if (last < first) return std::nullopt;
  return FunctionBody{std::string(name), head, {first, last}, {head, last}};
}

/// Finds the line with the brace that closes the first one after a line. Skips quoted texts and
/// line comments.
class BraceScan {
 public:
  explicit BraceScan(const LineTable& table) : table_(table) {}

  // Returns the lines of the braces; nothing if a ';' comes first or the braces do not match.
  std::optional<LineRange> from(std::size_t head) const {
    int depth = 0;
    std::size_t open = 0;
    for (std::size_t line = head; line <= table_.size(); ++line) {
      if (depth == 0 && line >= head + kMaxHeadLines) return std::nullopt;
      char quote = 0;
      const std::string_view text = table_.line(line);
      for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
          if (c == '\\') ++i;
          if (c == quote) quote = 0;
          continue;
        }
        if (c == '/' && text.substr(i).starts_with("//")) break;
        if (c == '"' || c == '`' || (c == '\'' && text.find('\'', i + 1) <= i + 3)) quote = c;
        if (c == ';' && depth == 0) return std::nullopt;
        if (c == '{' && depth++ == 0) open = line;
        if (c == '}' && --depth == 0) return LineRange{open, line};
        if (depth < 0) return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  const LineTable& table_;
};

}  // namespace

std::vector<FunctionBody> function_bodies(Language language, const LineTable& table) {
  std::vector<FunctionBody> found;
  const BraceScan braces(table);
  for (std::size_t line = 1; line <= table.size(); ++line) {
    const std::string_view text = table.line(line);
    const auto name =
        language == Language::kUnknown ? shell_function(text) : defined_name(language, text);
    if (!name) continue;
    if (language == Language::kPython) {
      const std::string_view word = trim(text);
      if (!word.starts_with("def ") && !word.starts_with("async def ")) continue;
      if (auto body = python_body(table, line, *name)) found.push_back(*std::move(body));
      continue;
    }
    if (defines_type(text)) continue;
    const std::optional<LineRange> lines = braces.from(line);
    if (!lines || lines->last < lines->first + 2) continue;
    found.push_back(
        {std::string(*name), line, {lines->first + 1, lines->last - 1}, {line, lines->last}});
  }
  return found;
}

}  // namespace pedro
