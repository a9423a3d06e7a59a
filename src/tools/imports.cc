#include "tools/imports.h"

#include <algorithm>

#include "base/text.h"
#include "tools/line_table.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxStatementLines = 100;

bool starts_with_word(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return false;
  if (line.size() == word.size()) return true;
  return std::string_view(" \t{*('\"").find(line[word.size()]) != std::string_view::npos;
}

bool is_include(std::string_view line) {
  if (!line.starts_with('#')) return false;
  return trim(line.substr(1)).starts_with("include");
}

std::string_view without_visibility(std::string_view line) {
  if (!line.starts_with("pub")) return line;
  line.remove_prefix(3);
  if (line.starts_with('(')) line.remove_prefix(std::min(line.size(), line.find(')') + 1));
  return trim(line);
}

bool is_rust_import(std::string_view line) {
  line = without_visibility(line);
  return starts_with_word(line, "use") || starts_with_word(line, "extern crate") ||
         (starts_with_word(line, "mod") && line.ends_with(';'));
}

bool is_script_import(std::string_view line) {
  if (starts_with_word(line, "import") && !line.starts_with("import(")) return true;
  if (line.find("require(") != std::string_view::npos) return true;
  // `export {` and `export *` re-export only if " from " follows, see is_import().
  return line.starts_with("export {") || line.starts_with("export *");
}

bool begins_import(Language language, std::string_view line) {
  switch (language) {
    case Language::kC:
    case Language::kCpp:
      return is_include(line);
    case Language::kGo:
    case Language::kJava:
      return starts_with_word(line, "import");
    case Language::kPython:
      return starts_with_word(line, "import") || starts_with_word(line, "from");
    case Language::kRust:
      return is_rust_import(line);
    case Language::kJavaScript:
    case Language::kTypeScript:
      return is_script_import(line);
    case Language::kUnknown:
      break;
  }
  return is_include(line) || starts_with_word(line, "import") || starts_with_word(line, "use") ||
         starts_with_word(line, "using") || starts_with_word(line, "require");
}

bool is_open(std::string_view statement, char open, char close) {
  return std::count(statement.begin(), statement.end(), open) >
         std::count(statement.begin(), statement.end(), close);
}

// Returns true if the statement continues in the next line.
bool goes_on(Language language, std::string_view statement) {
  switch (language) {
    case Language::kPython:
      return statement.ends_with('\\') || is_open(statement, '(', ')');
    case Language::kGo:
      return is_open(statement, '(', ')');
    case Language::kRust:
      return statement.find(';') == std::string_view::npos;
    case Language::kJavaScript:
    case Language::kTypeScript:
      return is_open(statement, '{', '}');
    default:
      return false;
  }
}

bool is_import(Language language, std::string_view statement) {
  const bool script = language == Language::kJavaScript || language == Language::kTypeScript;
  return !script || !statement.starts_with("export") ||
         statement.find(" from ") != std::string_view::npos;
}

// Adds one import per line of `import ( ... )`.
void add_go_block(const LineTable& table, LineRange block, std::vector<Import>& imports) {
  for (std::size_t n = block.first + 1; n <= block.last; ++n) {
    const std::string_view line = trim(table.line(n));
    if (line.find('"') == std::string_view::npos || line.starts_with("//")) continue;
    imports.push_back({n, std::string(line)});
  }
}

}  // namespace

std::vector<Import> find_imports(Language language, std::string_view text) {
  const LineTable table(text);
  std::vector<Import> imports;
  for (std::size_t n = 1; n <= table.size(); ++n) {
    std::string statement(trim(table.line(n)));
    if (!begins_import(language, statement)) continue;
    const std::size_t first = n;
    while (goes_on(language, statement) && n < table.size() && n - first < kMaxStatementLines) {
      if (statement.ends_with('\\')) statement.pop_back();
      statement = std::string(trim(statement)) + " ";
      statement += trim(table.line(++n));
    }
    if (language == Language::kGo && statement.find('(') != std::string::npos) {
      add_go_block(table, {first, n}, imports);
    } else if (is_import(language, statement)) {
      imports.push_back({first, statement});
    }
  }
  return imports;
}

}  // namespace pedro
