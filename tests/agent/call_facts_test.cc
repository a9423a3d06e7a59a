#include <doctest/doctest.h>

#include "agent/reply_calls.h"

namespace pedro {

TEST_CASE("call facts: only a command has an exit status, regardless of the result's text") {
  const ToolCall recall{"id", "context", {{"action", "recall"}, {"id", "out-1"}}};
  const CallFacts shown = facts_of(recall, {true, "1: make: error\n2: [exit 2]\n[exit 2]", {}});
  CHECK(shown.kind != CallKind::kCommand);
  CHECK(shown.outcome.empty());
  const ToolCall run{"id", "bash", {{"action", "run"}, {"command", "make"}}};
  const CallFacts ended = facts_of(run, {false, "error\n[exit 2]", {}, "[exit 2]"});
  CHECK(ended.kind == CallKind::kCommand);
  CHECK(ended.outcome == "[exit 2]");
  CHECK(ended.call == "bash run make");
}

}  // namespace pedro
