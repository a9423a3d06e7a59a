#include "llama/template_rows.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"
#include "support/read_file.h"

namespace pedro {

Json rows_of(const std::string& file, const std::string& list) {
  return member(*parse_json(read_file(TEST_DATA "/format/" + file)), list);
}

Json row_named(const Json& rows, const std::string& name) {
  for (const Json& row : rows) {
    if (text_of(row, "name") == name) return row;
  }
  fmt::print(stderr, "there is no row '{}'\n", name);
  std::exit(2);
}

std::vector<std::string> tokens_for_model(const FormatFamily& family) {
  const auto* rules = std::get_if<TurnRules>(&family.rules);
  if (rules == nullptr) return {};
  std::vector<std::string> tokens = rules->control;
  for (const std::string& name : rules->tags) tokens.push_back("=" + name);
  return tokens;
}

std::vector<std::string> tokens_for_model(const Json& row) {
  std::vector<std::string> tokens;
  for (const Json& name : member(row, "tokens")) tokens.push_back(name.get<std::string>());
  if (!row.contains("family")) return tokens;
  for (std::string& token : tokens_for_model(**find_format(text_of(row, "family")))) {
    tokens.push_back(std::move(token));
  }
  return tokens;
}

std::string edited_template(const Json& row, const std::string& file) {
  std::string text = read_file(file);
  for (const Json& edit : member(row, "edits")) {
    if (text.find(text_of(edit, "from")) == std::string::npos) {
      fmt::print(stderr, "{}: nothing to edit: {}\n", file, text_of(edit, "from"));
      std::exit(1);
    }
    text = replace_all(text, text_of(edit, "from"), text_of(edit, "to"));
  }
  return text;
}

}  // namespace pedro
