#include "llm/bias_settings.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace pedro {
namespace {

std::string read(const char* settings, std::string_view model = "m") {
  const auto biases = read_biases(*parse_json(settings), model);
  if (!biases) return biases.error().message;
  std::string out;
  for (const BiasedText& one : *biases) {
    out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", one.text, one.bias,
                       one.capitalised ? " capitalised" : "");
  }
  return out;
}

}  // namespace

TEST_CASE("bias settings: texts, and settings for one model") {
  const char* settings = R"({"action": 5, "args": {"bias": -2.5, "capitalised": true},
                             "qwen2.5-coder*": {"action": 7, "path": 1}, "llama": {"args": 0}})";
  CHECK(read("{}").empty());
  CHECK(read(settings) == "action 5, args -2.5 capitalised");
  CHECK(read(settings, "qwen2.5-coder:32b") == "action 7, args -2.5 capitalised, path 1");
  CHECK(read(settings, "llama") == "action 5");
  CHECK(read(settings, "llama3") == "action 5, args -2.5 capitalised");
  CHECK(read(R"({"action": {"bias": 15, "force": true}})") == "action 15");
}

TEST_CASE("bias settings: those of a phase come on top") {
  const auto biases = read_biases(*parse_json(R"({"action": 5, "args": 1})"),
                                  *parse_json(R"({"args": 0, "m": {"path": 2}})"), "m");
  REQUIRE(biases.ok());
  REQUIRE(biases->size() == 2);
  CHECK((*biases)[0].text == "action");
  CHECK((*biases)[1].text == "path");
}

TEST_CASE("bias settings: an invalid setting is refused by name") {
  struct Row {
    const char* settings;
    const char* message;
  };
  for (const Row& row : {
           Row{R"({"action": 15})",
               "logit_bias: 'action': 15 is further from 0 than 10: a model then repeats the text "
               "instead of using it where it belongs; if intended, write {\"bias\": 15, \"force\": "
               "true}"},
           Row{R"({"action": {"bias": 200, "force": true}})",
               "logit_bias: 'action': expected a number from -100 to 100"},
           Row{R"({"action": "5"})",
               "logit_bias: 'action': expected a number, or an object for a model"},
           Row{R"({"action": {"bias": "5"}})",
               "logit_bias: 'action': expected a number, or {\"bias\": NUMBER}"},
           Row{R"({"action": {"bias": 5, "forced": true}})",
               "logit_bias: 'action': 'forced' is not known; there are: bias, capitalised, force"},
           Row{R"({"action": {"bias": 5, "force": 1}})",
               "logit_bias: 'action': force: expected true or false"},
           Row{R"({"": 5})", "logit_bias: '': expected a text of 1 to 64 bytes"},
           Row{R"({"other*": {"action": 11}})",
               "for 'other*': logit_bias: 'action': 11 is further from 0 than 10: a model then "
               "repeats the text instead of using it where it belongs; if intended, write "
               "{\"bias\": 11, \"force\": true}"},
       }) {
    CHECK(read(row.settings) == row.message);
  }
}

}  // namespace pedro
