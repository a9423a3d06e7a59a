#include "llm/reply_hold.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("reply hold: the next available constraint, and the missing ones") {
  const Capabilities all{.grammar = true, .json_schema = true};
  const Capabilities schemas{.json_schema = true};
  struct Row {
    GenerationMode mode;
    Capabilities can;
    bool has_tools;
    ReplyHold hold;
    const char* notice;
  };
  for (const Row& row : {
           Row{GenerationMode::kGrammar, all, true, ReplyHold::kGrammar, ""},
           Row{GenerationMode::kHybrid, all, false, ReplyHold::kGrammar, ""},
           Row{GenerationMode::kSchema, all, false, ReplyHold::kSchema, ""},
           Row{GenerationMode::kUnconstrained, all, true, ReplyHold::kNothing, ""},
           Row{GenerationMode::kGrammar, schemas, true, ReplyHold::kTools,
               "mode grammar: the server does not obey a grammar; tool calls are required and "
               "checked"},
           Row{GenerationMode::kHybrid, schemas, false, ReplyHold::kSchema,
               "mode hybrid: the server does not obey a grammar; replies are constrained to a JSON "
               "Schema"},
           Row{GenerationMode::kSchema,
               {},
               true,
               ReplyHold::kTools,
               "mode schema: the server does not obey a JSON Schema; tool calls are required and "
               "checked"},
           Row{GenerationMode::kGrammar,
               {},
               false,
               ReplyHold::kNothing,
               "mode grammar: the server does not obey a grammar; calls are found in free text and "
               "checked"},
       }) {
    const HoldChoice choice = choose_hold(row.mode, row.can, row.has_tools);
    CHECK(choice.hold == row.hold);
    CHECK(choice.notice == row.notice);
  }
}

TEST_CASE("generation modes: their names are read back, others are not") {
  for (const std::string_view name : generation_mode::kNames) {
    REQUIRE(parse_generation_mode(name));
    CHECK(to_string(*parse_generation_mode(name)) == name);
  }
  CHECK_FALSE(parse_generation_mode("Grammar"));
  CHECK_FALSE(parse_generation_mode(""));
}

}  // namespace pedro
