#include "eval/grade.h"

#include <doctest/doctest.h>

#include "call_parser/call_parser.h"
#include "chat_format/callable_tools.h"

namespace pedro {
namespace {

constexpr std::string_view kTools = R"([
  {"name": "search", "parameters": {"type": "object", "required": ["action", "pattern"],
    "additionalProperties": false,
    "properties": {"action": {"const": "grep"}, "pattern": {"type": "string"}}}},
  {"name": "done", "parameters": {"type": "object", "properties": {}}}])";

Reply reply_of(std::string_view text, StopReason stop, std::span<const CallBranch> calls) {
  Reply reply;
  reply.text = text;
  reply.stop = stop;
  if (stop == StopReason::kEnd) {
    reply.parts = parse_calls(text, CallSyntax::kJson, calls, CallChecks::kNothing);
  }
  return reply;
}

}  // namespace

TEST_CASE("grade: the fault of a reply, and its match with the expected call") {
  const auto tools = CallableTools::read(kTools);
  REQUIRE(tools.ok());
  std::vector<CallBranch> calls(tools->branches().begin(), tools->branches().end());
  calls[0].action = "grep";
  EvalTask task;
  task.expect = {{"search", {{"action", "grep"}, {"pattern", "x"}}}, {"done", Json::object()}};
  struct Row {
    const char* name;
    const char* text;
    StopReason stop;
    CallFailure failure;
    bool right;
    bool repaired = false;
  };
  for (const Row& row : {
           Row{"what was asked for",
               R"({"tool": "search", "args": {"action": "grep", "pattern": "x"}})",
               StopReason::kEnd, CallFailure::kNone, true},
           Row{"the other thing", R"({"tool": "done", "args": {}})", StopReason::kEnd,
               CallFailure::kNone, true},
           Row{"valid, and something else",
               R"({"tool": "search", "args": {"action": "grep", "pattern": "y"}})",
               StopReason::kEnd, CallFailure::kNone, false},
           Row{"cut", R"({"tool": "done", "args")", StopReason::kLimit, CallFailure::kCut, false},
           Row{"text", "I would look for x.", StopReason::kEnd, CallFailure::kNoCall, false},
           Row{"two", R"({"tool": "done", "args": {}} {"tool": "done", "args": {}})",
               StopReason::kEnd, CallFailure::kMany, false},
           Row{"a tool that there is not", R"({"tool": "find", "args": {}})", StopReason::kEnd,
               CallFailure::kUnknownTool, false},
           Row{"no action", R"({"tool": "search", "args": {"pattern": "x"}})", StopReason::kEnd,
               CallFailure::kMissingAction, false},
           Row{"another action",
               R"({"tool": "search", "args": {"action": "look", "pattern": "x"}})",
               StopReason::kEnd, CallFailure::kMissingAction, false},
           Row{"another type", R"({"tool": "search", "args": {"action": "grep", "pattern": [1]}})",
               StopReason::kEnd, CallFailure::kBadArgument, false},
           Row{"a property too many",
               R"({"tool": "search", "args": {"action": "grep", "pattern": "x", "why": "?"}})",
               StopReason::kEnd, CallFailure::kNone, true, true},
       }) {
    CAPTURE(row.name);
    const Grade graded = grade(reply_of(row.text, row.stop, calls), calls, task, false);
    CHECK(to_string(graded.failure) == to_string(row.failure));
    CHECK(graded.right == row.right);
    CHECK(graded.repaired == row.repaired);
    CHECK(parse_call_failure(to_string(row.failure)) == row.failure);
  }
}

TEST_CASE("grade: a call fits if one branch of its action takes it") {
  const auto tools = CallableTools::read(R"([
    {"name": "file", "parameters": {"type": "object",
      "properties": {"action": {"const": "read"}, "path": {"const": "a.py"}}}},
    {"name": "other", "parameters": {"type": "object",
      "properties": {"action": {"const": "read"}, "path": {"const": "b.py"}}}}])");
  REQUIRE(tools.ok());
  std::vector<CallBranch> calls(tools->branches().begin(), tools->branches().end());
  for (CallBranch& call : calls) {
    call.tool = "file";
    call.action = "read";
  }
  struct Row {
    const char* path;
    CallFailure failure;
  };
  for (const Row& row : {Row{"a.py", CallFailure::kNone}, Row{"b.py", CallFailure::kNone},
                         Row{"c.py", CallFailure::kBadArgument}}) {
    CAPTURE(row.path);
    const std::string text =
        to_line({{"tool", "file"}, {"args", {{"action", "read"}, {"path", row.path}}}});
    const Grade graded = grade(reply_of(text, StopReason::kEnd, calls), calls, EvalTask(), false);
    CHECK(to_string(graded.failure) == to_string(row.failure));
  }
}

TEST_CASE("grade: a flat name has the action in it") {
  const auto tools = CallableTools::read(
      R"([{"name": "search_grep", "parameters": {"type": "object",
           "properties": {"pattern": {"type": "string"}}, "required": ["pattern"]}}])");
  REQUIRE(tools.ok());
  EvalTask task;
  task.expect = {{"search", {{"action", "grep"}, {"pattern", "x"}}}};
  const Reply reply = reply_of(R"({"tool": "search_grep", "args": {"pattern": "x"}})",
                               StopReason::kEnd, tools->branches());
  CHECK(grade(reply, tools->branches(), task, true).right);
  CHECK_FALSE(grade(reply, tools->branches(), task, false).right);
}

}  // namespace pedro
