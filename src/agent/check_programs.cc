#include "agent/check_programs.h"

#include <algorithm>
#include <vector>

#include "agent/check_names.h"
#include "agent/other_literals.h"
#include "agent/word_index.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/imports.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kImportWords =
    "|import|from|as|const|let|var|mut|require|use|mod|pub|crate|self|super|default|type|";
constexpr std::string_view kFailures = "|exit|raise|throw|panic|die |die(|abort|fatal|";
// Texts of programs that get their work from outside.
constexpr std::string_view kInputs =
    "|argv|os.args|env::args|stdin|input(|argparse|optparse|flag.parse|click|getopt|commander|"
    "yargs|";
constexpr std::size_t kMaxLineBytes = 4096;  // longer lines have no results
constexpr std::string_view kConstants = "|none|null|nil|true|false|undefined|";

// The number of literals in a line, and of those beside another one, as in a table.
struct LiteralCounts {
  int all = 0;
  int pairs = 0;
};

bool is_comment_line(std::string_view bare) {
  return bare.starts_with('#') || bare.starts_with("//") || bare.starts_with('*');
}

LiteralCounts literal_counts(std::string_view line) {
  LiteralCounts counts;
  std::size_t last = line.npos;  // the end of the literal before
  for (std::size_t at = 0; at < line.size();) {
    const bool is_number = is_digit(line[at]) && (at == 0 || !is_word_byte(line[at - 1]));
    if (!is_number && !is_quote_mark(line[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    if (is_number) {
      while (at < line.size() && (is_word_byte(line[at]) || line[at] == '.')) ++at;
    } else {
      at = after_quoted(line, at);
    }
    ++counts.all;
    const std::string_view between = last < begin ? trim(line.substr(last, begin - last)) : "";
    if (is_listed("|,|:|=>|", between)) ++counts.pairs;
    last = at;
  }
  return counts;
}

bool is_value(std::string_view operand) {
  operand = trim(operand);
  if (operand.empty()) return false;
  const bool begins = is_quote_mark(operand[0]) || is_digit(operand[0]) || operand[0] == '-' ||
                      is_quote_mark(operand.back());
  const auto words = identifiers_of(operand);
  return begins || (!words.empty() && is_listed(kConstants, to_lower(words.front())));
}

// Returns the index after the comparison at or after `at`, or npos.
std::size_t after_comparison(std::string_view line, std::size_t at) {
  std::size_t found = line.npos;
  for (const std::string_view sign : {"==", "!=", " ne ", " eq "}) {
    const std::size_t sign_at = line.find(sign, at);
    if (sign_at < found) found = sign_at;
  }
  if (found == line.npos) return found;
  found += line[found] == ' ' ? 4 : 2;
  return found < line.size() && line[found] == '=' ? found + 1 : found;
}

// Returns true if a line compares two values of which none is a literal.
bool compares_names(std::string_view line) {
  const std::size_t after = after_comparison(line, 0);
  if (after == line.npos) return false;
  const std::string_view before = line.substr(0, after);
  return !is_value(line.substr(after)) &&
         !is_value(before.substr(0, before.find_last_not_of("=! neq") + 1));
}

/// Follows the results of other sources in a program.
class ResultReader {
 public:
  ResultReader(std::string_view path, std::string_view text, const SourceNames& sources)
      : path_(path), text_(text), sources_(sources) {
    for (const Import& import : find_imports(language_of(path), text)) add_import(import.text);
    for (const std::string_view line : split_lines(text)) {
      if (is_import(line)) add_import(line);
    }
  }

  bool has_assertion() {
    return any_result_line([](std::string_view line) {
      return has_any(to_lower(line), "|assert|expect(|equal(|equals(|");
    });
  }

  // Returns true if the program compares results with values that it states, and can fail.
  bool decides() {
    const std::string lower = to_lower(text_);
    if (has_any(lower, kInputs) || !has_any(lower, kFailures)) return false;
    if (any_result_line([this](auto line) { return compares_constant_call(line); })) return true;
    bool has_table = false;
    for (const std::string_view line : split_lines(text_)) {
      has_table = has_table || (literal_counts(line).pairs > 0 && !is_comment_line(trim(line)));
    }
    has_table =
        has_table || any_result_line([](auto line) { return literal_counts(line).all > 1; });
    return has_table && (any_result_line(compares_names) || compares_in_function());
  }

 private:
  bool is_source(std::string_view word) const {
    const std::string_view name = base_name(path_);
    return sources_.contains(word) && word != name && word != name.substr(0, name.find('.'));
  }

  // Returns true for a line that imports, also with a call, or has the path of a Go package.
  bool is_import(std::string_view line) const {
    const std::size_t slash = line.rfind('/');
    const bool is_go = language_of(path_) == Language::kGo;
    return is_go ? slash != line.npos && line.find('"', slash) != line.npos
                 : has_any(line, "|import|require|include|");
  }

  void add_import(std::string_view statement) {
    const auto words = identifiers_of(statement);
    if (std::ranges::none_of(words, [this](auto word) { return is_source(word); })) return;
    const bool is_go = language_of(path_) == Language::kGo;
    for (const std::string_view word : words) {
      if (!is_listed(kImportWords, word) && (!is_go || is_source(word))) names_.emplace(word);
    }
  }

  // Returns true for a line with a name of another source or with its result.
  bool has_result(std::string_view line) const {
    if (line.size() > kMaxLineBytes) return false;
    for (const std::string_view word : identifiers_of(line)) {
      const auto end = static_cast<std::size_t>(word.data() + word.size() - line.data());
      const bool is_path =
          line.substr(end).starts_with("::") ||
          (is_listed("|.java|.rb|", extension_of(path_)) && line.substr(end).starts_with('.'));
      if (names_.contains(word) || (is_path && is_source(word))) return true;
    }
    const auto is_part = [](char c) { return is_word_byte(c) || c == '.' || c == '-'; };
    return std::ranges::any_of(runs_of(line, is_part), [this](std::string_view file) {
      return file.find('.') != file.npos && is_source(file);
    });
  }

  void follow_assignment(std::string_view line) {
    const std::size_t equal = line.find('=');
    if (equal == line.npos || equal + 1 == line.size() || line[equal + 1] == '=') return;
    for (const std::string_view word : identifiers_of(line.substr(0, equal))) {
      if (!is_listed(kImportWords, word)) names_.emplace(word);
    }
  }

  template <typename Found>
  bool any_result_line(Found found) {
    for (const std::string_view line : split_lines(text_)) {
      if (is_comment_line(trim(line)) || is_import(line) || !has_result(line)) continue;
      if (found(trim(line))) return true;
      follow_assignment(line);
    }
    return false;
  }

  // Returns true for a call with literals only, beside a comparison with a literal.
  bool compares_constant_call(std::string_view line) const {
    for (std::size_t open = line.find('('); open != line.npos; open = line.find('(', open + 1)) {
      std::size_t begin = open;
      while (begin > 0 &&
             (is_word_byte(line[begin - 1]) || line[begin - 1] == '.' || line[begin - 1] == ':'))
        --begin;
      const auto words = identifiers_of(line.substr(begin, open - begin));
      if (std::ranges::none_of(words, [this](auto word) { return names_.contains(word); }))
        continue;
      const auto arguments = call_arguments(line.substr(open + 1));
      const bool is_constant = std::ranges::all_of(
          arguments, [](auto part) { return part.empty() || !other_literal(part).empty(); });
      if (arguments.empty() || !is_constant) continue;
      const std::string_view last = arguments.back();
      const auto end = static_cast<std::size_t>(last.data() + last.size() - line.data());
      const std::size_t close = line.find(')', last.empty() ? open : end);
      const std::size_t after = after_comparison(line, open);
      if (close >= after || after == line.npos) continue;
      const std::string_view other = trim(line.substr(after));
      const bool is_literal = !other.empty() && (is_quote_mark(other[0]) || is_digit(other[0]));
      if (is_literal && line.substr(close, after - close).find(';') == line.npos) return true;
    }
    return false;
  }

  // Returns true if a function that gets results compares two names.
  bool compares_in_function() {
    std::string function;
    std::vector<std::string> comparing;
    for (const std::string_view line : split_lines(text_)) {
      const auto words = identifiers_of(line);
      for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (is_listed("|def|function|func|fn|sub|const|", words[i])) function = words[i + 1];
      }
      if (!function.empty() && compares_names(trim(line))) add_once(comparing, function);
    }
    return any_result_line([&comparing](std::string_view line) {
      return std::ranges::any_of(comparing, [line](const std::string& name) {
        return line.find(name + "(") != line.npos;
      });
    });
  }

  std::string_view path_;
  std::string_view text_;
  const SourceNames& sources_;
  SourceNames names_;  // of other sources, and of values from them
};

}  // namespace

SourceNames source_names(const std::set<std::string>& paths, std::string_view cargo) {
  constexpr std::size_t kShortestName = 3;  // bytes; shorter names occur in any text
  SourceNames names;
  for (const std::string_view line : split_lines(cargo)) {
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (!line.starts_with("name") || open == close) continue;
    names.insert(replace_all(line.substr(open + 1, close - open - 1), "-", "_"));
  }
  for (const std::string& path : paths) {
    if (!has_program_extension(path)) continue;
    const std::string name(base_name(path));
    names.insert(name);
    for (const std::string& part :
         {name.substr(0, name.find('.')), std::string(base_name(folder_name(path)))}) {
      if (part.size() >= kShortestName) names.insert(part);
    }
  }
  return names;
}

bool tests_sources(std::string_view path, std::string_view text, const SourceNames& sources,
                   bool decides) {
  if (text.empty()) return false;
  ResultReader reader(path, text, sources);
  return reader.has_assertion() || (decides && reader.decides());
}

bool imports_name(std::string_view path, std::string_view text, std::string_view name) {
  return std::ranges::any_of(find_imports(language_of(path), text), [name](const Import& import) {
    return has_whole_words(import.text, name);
  });
}

bool has_test_words(std::string_view text) {
  constexpr std::string_view kParts =
      "|assert|Assert|unittest|pytest|node:test|testing.T|expect(|#[test]|@Test|TEST(|TEST_|";
  constexpr std::string_view kStarts = "|it(|test(|describe(|def test|async def test|func Test|";
  return std::ranges::any_of(split_lines(text), [&](std::string_view line) {
    const std::string_view bare = trim(line);
    return has_any(line, kParts) ||
           any_listed(kStarts, [bare](auto start) { return bare.starts_with(start); });
  });
}

}  // namespace pedro
