#include "hooks/hook.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

Result<std::vector<Hook>> read(const std::string& text) {
  const auto json = parse_json(text);
  REQUIRE(json.ok());
  return read_hooks("settings.json", *json);
}

bool fits(const Hook& hook, std::string_view subject) {
  std::vector<TextRange> matches;
  return hook.matcher == nullptr || (hook.matcher->find_all(subject, matches) && !matches.empty());
}

}  // namespace

TEST_CASE("hook: the format of other agents") {
  const auto hooks = read(R"({
    "PreToolUse": [
      {"matcher": "Bash|mcp__.*", "hooks": [
        {"type": "command", "command": "guard", "timeout": 5}, {"command": "log"}]},
      {"hooks": [{"type": "command", "command": "any"}]},
      {"matcher": "*", "hooks": []}],
    "Stop": [{"hooks": [{"command": "enough"}]}],
    "Notification": [{"hooks": "of another agent"}],
    "enabled": true,
    "// note": 1})");
  REQUIRE(hooks.ok());
  REQUIRE(hooks->size() == 4);
  const Hook& guard = hooks->at(0);
  CHECK(guard.event == HookEvent::kPreToolUse);
  CHECK(guard.command == "guard");
  CHECK(guard.timeout_s == 5);
  CHECK(fits(guard, "Bash"));
  CHECK(fits(guard, "mcp__x__echo"));
  CHECK_FALSE(fits(guard, "BashOutput"));
  CHECK_FALSE(fits(guard, "aBash"));
  CHECK(hooks->at(1).timeout_s == 60);
  CHECK(fits(hooks->at(2), "anything"));
  CHECK(hooks->at(3).event == HookEvent::kStop);
  CHECK(to_string(hooks->at(3).event) == "Stop");
  CHECK(read("{}")->empty());
  CHECK(read(R"({"enabled": true, "pre_commit": {"run": "x"}})")->empty());  // of the Go program
}

TEST_CASE("hook: errors name the place") {
  const struct {
    const char* json;
    const char* message;
  } rows[] = {
      {R"({"PreToolUs": []})",
       "settings.json: hooks: unknown event 'PreToolUs' (did you mean 'PreToolUse'?); there are: "},
      {R"({"Stop": {}})", "settings.json: hooks: Stop: expected a list"},
      {R"({"Stop": [{"command": "x"}]})",
       "settings.json: hooks: Stop: expected objects with a list 'hooks'"},
      {R"({"Stop": [{"hooks": [{"command": " "}]}]})",
       "settings.json: hooks: Stop: command: expected a command"},
      {R"({"Stop": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]})",
       "settings.json: hooks: Stop: type: expected 'command', the only supported type, got "
       "'prompt'"},
      {R"({"Stop": [{"hooks": [{"command": "x", "timeout": 0}]}]})",
       "settings.json: hooks: Stop: timeout: expected 1 to 600 seconds, got 0"},
      {R"({"Stop": [{"hooks": [{"command": "x", "timeout": "long"}]}]})",
       "settings.json: hooks: Stop: timeout: expected 1 to 600 seconds, got \"long\""},
      {R"({"Stop": [{"matcher": ["Bash"], "hooks": []}]})",
       "settings.json: hooks: Stop: matcher: expected a text, got [\"Bash\"]"},
      {R"({"Stop": [{"matcher": "(", "hooks": []}]})",
       "settings.json: hooks: Stop: matcher: '(': "},
  };
  for (const auto& row : rows) {
    const std::string json = row.json;
    CAPTURE(json);
    const auto hooks = read(json);
    REQUIRE_FALSE(hooks.ok());
    CHECK(hooks.error().kind == ErrorKind::kConfig);
    const std::string message = hooks.error().message;
    CAPTURE(message);
    CHECK(message.starts_with(row.message));
  }
  std::string many = R"({"Stop": [{"hooks": [{"command": "x"})";
  for (int i = 0; i < 64; ++i) many += R"(, {"command": "x"})";
  CHECK(read(many + "]}]}").error().message == "settings.json: hooks: Stop: more than 64 hooks");
}

}  // namespace pedro
