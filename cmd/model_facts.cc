#include "model_facts.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

std::string text_of_value(const Json& value) {
  if (value.is_null()) return "unknown";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::vector<ModelFact> facts_of(const KnownModel& row) {
  std::vector<ModelFact> facts;
  const std::string source = source_of(row);
  const auto add_text = [&](const char* name, const std::string& text) {
    if (!text.empty()) facts.push_back({name, text, source});
  };
  const auto add_number = [&](const char* name, const std::optional<double>& number) {
    if (number) facts.push_back({name, *number, source + ", dollars per million tokens"});
  };
  add_text("provider", row.provider);
  if (row.window > 0) facts.push_back({"window", row.window, source});
  add_text("vocabulary", row.vocabulary);
  if (row.estimate > 0) facts.push_back({"estimate", row.estimate, source});
  add_text("family", row.family);
  add_number("price_in", row.price_in);
  add_number("price_cached", row.price_cached);
  add_number("price_written", row.price_written);
  add_number("price_out", row.price_out);
  return facts;
}

std::string in_one_line(const std::vector<ModelFact>& facts) {
  std::vector<std::string> shown;
  for (const ModelFact& fact : facts) shown.push_back(fact.name + " " + text_of_value(fact.value));
  return join(shown, ", ");
}

std::string in_lines(const std::vector<ModelFact>& facts) {
  std::string out;
  for (const ModelFact& fact : facts) {
    out += fmt::format("  {:<13}  {:<14}  {}\n", fact.name,
                       make_printable(text_of_value(fact.value)), make_printable(fact.source));
  }
  return out;
}

std::string in_json_lines(const std::string& model, const std::vector<ModelFact>& facts) {
  std::string out;
  for (const ModelFact& fact : facts) {
    out += to_line({{"model", model},
                    {"property", fact.name},
                    {"value", fact.value},
                    {"source", fact.source}}) +
           "\n";
  }
  return out;
}

}  // namespace pedro
