#include "agent/suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "tools/function_bodies.h"
#include "tools/imports.h"
#include "tools/language.h"
#include "tools/line_table.h"

namespace pedro {
namespace {

bool is_code(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty()) return false;
  for (const std::string_view opener : {"#", "//", "/*", "*", "--", "\"\"\"", "'''"}) {
    if (text.starts_with(opener)) return false;
  }
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
  });
}

bool is_file_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

// Returns true if the output names this line of the file: `a.py:12` or `"a.py", line 12`.
bool names_line(std::string_view output, std::string_view name, std::size_t line) {
  for (const std::string& place :
       {fmt::format("{}:{}", name, line), fmt::format("{}\", line {}", name, line)}) {
    for (std::size_t at = output.find(place); at != output.npos; at = output.find(place, at + 1)) {
      const std::size_t end = at + place.size();
      const bool begins = at == 0 || !is_file_name_byte(output[at - 1]);
      if (begins && (end == output.size() || !is_digit(output[end]))) return true;
    }
  }
  return false;
}

bool is_named(const TaskClues& clues, std::string_view name) {
  return has_whole_words(clues.issue, name) || has_whole_words(clues.output, name);
}

struct Candidate {
  int rank = 0;
  bool is_head = false;
  LineRange lines;
  std::string_view function;
  bool is_stub = false;
};

// Returns the text of the innermost function around a line, else all text.
std::string_view function_around(std::size_t line, const std::vector<FunctionBody>& functions,
                                 const LineTable& table, std::string_view text) {
  for (auto it = functions.rbegin(); it != functions.rend(); ++it) {
    if (line < it->whole.first || line > it->whole.last) continue;
    const std::size_t begin = table.offset(it->whole.first);
    return text.substr(begin,
                       table.offset(it->whole.last) + table.line(it->whole.last).size() - begin);
  }
  return text;
}

std::vector<Suspect> first_of(const LineTable& table, std::vector<Candidate> candidates,
                              std::size_t most) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  if (candidates.size() > most) candidates.resize(most);
  std::vector<Suspect> suspects;
  for (const auto& [rank, is_head, lines, function, is_stub] : candidates) {
    suspects.push_back({table.offset(lines.first),
                        table.offset(lines.last) + table.line(lines.last).size(), is_head, is_stub,
                        function});
  }
  return suspects;
}

// Returns true for code that says that its function is missing.
bool is_missing_body(std::string_view code) {
  if (code == "pass" || code == "...") return true;
  for (const std::string_view word : {"notimplemented", "not implemented", "not yet implemented",
                                      "unimplemented!", "todo!", "unreachable!"}) {
    if (code.find(word) != code.npos) return true;
  }
  return false;
}

// Returns true for a body of at most two statements that says that the function is missing.
bool is_stub(const LineTable& table, const FunctionBody& function) {
  constexpr std::size_t kMostStatements = 2;
  std::size_t statements = 0;
  bool is_told = false;
  for (std::size_t line = function.body.first; line <= function.body.last; ++line) {
    const std::string text = to_lower(trim(table.line(line)));
    const std::size_t comment = std::min({text.find('#'), text.find("//"), text.find("/*")});
    const std::string_view code = trim(std::string_view(text).substr(0, comment));
    const std::string_view note = std::string_view(text).substr(code.size());
    is_told = is_told || is_missing_body(code) || note.find("todo") != note.npos ||
              note.find("stub") != note.npos || note.find("not implemented") != note.npos;
    if (is_code(code) || code == "...") ++statements;
  }
  return is_told && statements <= kMostStatements;
}

}  // namespace

std::vector<Suspect> suspect_lines(const TaskFile& file, const TaskClues& clues, std::size_t most) {
  const LineTable table(file.text);
  const Language language = language_of(file.path);
  std::set<std::size_t> imports;
  for (const Import& import : find_imports(language, file.text)) imports.insert(import.line);
  std::set<std::size_t> heads;
  std::set<std::size_t> named;  // lines of functions
  const std::vector<FunctionBody> functions = function_bodies(language, table);
  for (const FunctionBody& body : functions) {
    heads.insert(body.head);
    if (!is_named(clues, body.name)) continue;
    for (std::size_t line = body.head; line <= body.body.last; ++line) named.insert(line);
  }
  std::vector<Candidate> candidates;
  for (std::size_t line = 1; line <= table.size(); ++line) {
    if (!is_code(table.line(line)) || imports.contains(line)) continue;
    const bool is_told = names_line(clues.output, base_name(file.path), line);
    candidates.push_back({is_told                ? 0
                          : named.contains(line) ? 1
                                                 : 2,
                          heads.contains(line),
                          {line, line},
                          function_around(line, functions, table, file.text)});
  }
  return first_of(table, std::move(candidates), most);
}

std::vector<Suspect> suspect_functions(const TaskFile& file, const TaskClues& clues,
                                       std::size_t most) {
  const LineTable table(file.text);
  std::vector<Candidate> candidates;
  for (const FunctionBody& body : function_bodies(language_of(file.path), table)) {
    const bool is_wanted = is_named(clues, body.name);
    const bool is_missing = is_wanted && is_stub(table, body);
    const int rank = is_missing ? 0 : is_wanted ? 1 : 2;
    candidates.push_back({rank, true, body.whole, {}, is_missing});
  }
  return first_of(table, std::move(candidates), most);
}

}  // namespace pedro
