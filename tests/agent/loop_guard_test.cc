#include "agent/loop_guard.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

ToolCall call(const char* args) {
  return {"call-1", "file", *parse_json(args)};
}

}  // namespace

TEST_CASE("loop guard: counts only what is the same in call and result") {
  LoopGuard guard;
  const ToolResult one{true, "one", {}};
  const ToolResult two{true, "two", {}};
  CHECK(guard.record(call(R"({"a":"x","b":1})"), one) == 1);
  CHECK(guard.record(call(R"({"b":1,"a":" x "})"), one) == 2);  // order and blanks mean nothing
  CHECK(guard.record(call(R"({"a":"y","b":1})"), one) == 1);    // other arguments
  CHECK(guard.record(call(R"({"a":"x","b":1})"), two) == 1);    // another result: it moved on
  CHECK(guard.record(call(R"({"a":"x","b":1})"), two) == 2);
  CHECK(guard.record(call(R"({"a":"x","b":1})"), {false, "two", {}}) == 1);
  guard.clear();
  CHECK(guard.record(call(R"({"a":"x","b":1})"), {false, "two", {}}) == 1);
}

}  // namespace pedro
