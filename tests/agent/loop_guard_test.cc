#include <doctest/doctest.h>

#include "agent/tool_steering.h"

namespace pedro {
namespace {

ToolCall call(const char* args) {
  return {"call-1", "file", *parse_json(args)};
}

}  // namespace

TEST_CASE("loop guard: counts only repetitions of both call and result") {
  LoopGuard guard;
  const ToolResult one{true, "one", {}};
  const ToolResult two{true, "two", {}};
  CHECK(guard.record(call(R"({"a":"x","b":1})"), one) == 1);
  CHECK(guard.record(call(R"({"b":1,"a":" x "})"), one) == 2);  // order and blanks are ignored
  CHECK(guard.record(call(R"({"a":"y","b":1})"), one) == 1);    // different arguments
  CHECK(guard.record(call(R"({"a":"x","b":1})"), two) == 1);    // a different result: progress
  CHECK(guard.record(call(R"({"a":"x","b":1})"), two) == 2);
  CHECK(guard.record(call(R"({"a":"x","b":1})"), {false, "two", {}}) == 1);
  guard.clear();
  CHECK(guard.record(call(R"({"a":"x","b":1})"), {false, "two", {}}) == 1);
}

TEST_CASE("loop guard: a call repeated after an edit does not count, a repeated edit does") {
  LoopGuard guard;
  const ToolResult green{true, "passed", {}};
  const ToolResult edited{true, "written", {"a.txt"}};
  for (int i = 0; i < 6; ++i) {
    const std::string append = R"({"action":"append","text":")" + std::to_string(i) + "\"}";
    CHECK(guard.record(call(append.c_str()), edited) == 1);
    CHECK(guard.record(call(R"({"action":"run"})"), green) == 1);
  }
  CHECK(guard.record(call(R"({"action":"run"})"), green) == 2);
  CHECK(guard.record(call(R"({"action":"write"})"), edited) == 1);
  CHECK(guard.record(call(R"({"action":"run"})"), green) == 1);
  CHECK(guard.record(call(R"({"action":"write"})"), edited) == 2);
}

TEST_CASE("loop guard: a call is spent once refused or repeated, until another one acts") {
  LoopGuard guard;
  const ToolCall refused = call(R"({"action":"read","path":"none"})");
  const ToolCall read = call(R"({"action":"read","path":"a"})");
  CHECK(!guard.is_spent(refused));
  guard.record(refused, {false, "no such file", {}});
  CHECK(guard.is_spent(refused));
  guard.record(read, {true, "text", {}});
  CHECK(!guard.is_spent(read));
  guard.record(read, {true, "text", {}});
  CHECK(guard.is_spent(read));
  guard.record(call(R"({"action":"run"})"), {true, "built", {}}, true);
  CHECK(!guard.is_spent(read));
  CHECK(!guard.is_spent(refused));
  guard.record(refused, {false, "no such file", {}});
  guard.record(call(R"({"action":"run"})"), {false, "failed", {}}, true);
  CHECK(guard.is_spent(refused));  // a failed command has changed nothing
}

}  // namespace pedro
