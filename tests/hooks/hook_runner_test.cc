#include "hooks/hook_runner.h"

#include <doctest/doctest.h>

#include "support/temp_folder.h"

namespace pedro {
namespace {

struct Hooks {
  TempFolder folder;
  RealProcessRunner processes;
  CancelToken cancel;
  std::vector<HookRun> runs;

  Result<HookAnswer> run(HookEvent event, const std::vector<std::string>& commands,
                         double timeout_s = 20) {
    std::vector<Hook> hooks;
    for (const std::string& command : commands) {
      hooks.push_back({.event = event, .command = command, .timeout_s = timeout_s});
    }
    const HookRunner runner(std::move(hooks), processes, folder.path(),
                            {{"session_id", "job-1"}, {"cwd", folder.path()}});
    return runner.run(event, "Bash", {{"tool_name", "Bash"}, {"tool_input", {{"command", "ls"}}}},
                      cancel, [&](const HookRun& one) {
                        runs.push_back(one);
                        return Status();
                      });
  }
  HookAnswer answer(const std::string& command, HookEvent event = HookEvent::kPreToolUse) {
    const auto answer = run(event, {command});
    REQUIRE(answer.ok());
    return *answer;
  }
};

}  // namespace

TEST_CASE("hook runner: a hook gets the event as JSON, in the project's folder") {
  Hooks hooks;
  CHECK_FALSE(hooks.answer("cat >event.json; echo \"$CLAUDE_PROJECT_DIR\" >place").blocked);
  CHECK(*parse_json(hooks.folder.read("event.json")) == Json{{"session_id", "job-1"},
                                                             {"cwd", hooks.folder.path()},
                                                             {"hook_event_name", "PreToolUse"},
                                                             {"tool_name", "Bash"},
                                                             {"tool_input", {{"command", "ls"}}}});
  CHECK(hooks.folder.read("place") == hooks.folder.path() + "\n");
  REQUIRE(hooks.runs.size() == 1);
  CHECK(hooks.runs[0].exit_code == 0);
  CHECK(hooks.runs[0].problem.empty());
}

TEST_CASE("hook runner: the ways to block") {
  Hooks hooks;
  const struct {
    const char* command;
    const char* reason;
  } rows[] = {
      {"echo 'not here' >&2; exit 2", "not here"},
      {"exit 2", "no reason given"},
      {R"(echo '{"decision": "block", "reason": "too late"}')", "too late"},
      {R"(echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",)"
       R"( "permissionDecisionReason": "no network"}}')",
       "no network"},
      {R"(echo '{"continue": false, "stopReason": "enough"}')", "enough"},
      {R"(echo '{"hookSpecificOutput": {"permissionDecision": "ask"}}')", "no reason given"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.command);
    const HookAnswer answer = hooks.answer(row.command);
    REQUIRE(answer.blocked);
    CHECK(*answer.blocked == row.reason);
    CHECK(hooks.runs.back().blocked);
  }
  for (const char* command : {"exit 0", "echo not-json", "echo '{\"decision\": \"approve\"}'",
                              "echo '{\"continue\": true}'", "echo '[1]'", "echo problem >&2"}) {
    CAPTURE(command);
    CHECK_FALSE(hooks.answer(command).blocked);
    CHECK(hooks.runs.back().problem.empty());
  }
}

TEST_CASE("hook runner: text for the model") {
  Hooks hooks;
  const char* more = R"(echo '{"hookSpecificOutput": {"additionalContext": "use tabs"}}')";
  CHECK(hooks.answer(more, HookEvent::kPostToolUse).context == "use tabs");
  CHECK(hooks.answer("echo hello", HookEvent::kSessionStart).context == "hello");
  CHECK(hooks.answer("echo hello", HookEvent::kPostToolUse).context.empty());
  CHECK(hooks.run(HookEvent::kSessionStart, {"echo a", "echo b"})->context == "a\nb");
  const std::string noise =
      hooks.answer("printf 'a\\033[31mb\\0c'", HookEvent::kSessionStart).context;
  CHECK(noise.find('\x1b') == std::string::npos);
  CHECK(noise.find('\0') == std::string::npos);
}

TEST_CASE("hook runner: a long answer blocks too, a broken one is named") {
  Hooks hooks;
  CHECK(hooks
            .answer(
                "printf '{\"decision\": \"block\", \"reason\": \"'; head -c 200000 /dev/zero | tr "
                "'\\0' x; echo '\"}'")
            .blocked);
  CHECK_FALSE(hooks.answer("echo '{\"decision\": \"block\"'").blocked);
  CHECK(hooks.runs.back().problem.starts_with("its answer is not JSON: "));
}

TEST_CASE("hook runner: nothing blocks an event at which hooks only listen") {
  for (const HookEvent event : {HookEvent::kPhaseStart, HookEvent::kPreCompact,
                                HookEvent::kPostCompact, HookEvent::kSessionEnd}) {
    Hooks hooks;
    const auto answer = hooks.run(event, {"echo no >&2; exit 2", "touch second"});
    REQUIRE(answer.ok());
    CHECK_FALSE(answer->blocked);
    CHECK_FALSE(hooks.runs[0].blocked);
    CHECK(hooks.runs[0].problem == "nothing can block this event: no");
    CHECK(std::filesystem::exists(hooks.folder.at("second")));
  }
}

TEST_CASE("hook runner: the first block ends the event") {
  Hooks hooks;
  const auto answer = hooks.run(HookEvent::kStop, {"true", "exit 2", "touch never"});
  REQUIRE(answer.ok());
  CHECK(answer->blocked);
  CHECK(hooks.runs.size() == 2);
  CHECK_FALSE(std::filesystem::exists(hooks.folder.at("never")));
}

TEST_CASE("hook runner: hooks that fail, hang or flood have no effect") {
  Hooks hooks;
  CHECK_FALSE(hooks.answer("echo broken >&2; exit 1").blocked);
  CHECK(hooks.runs.back().problem == "exit code 1: broken");
  CHECK_FALSE(hooks.answer("no-such-program").blocked);
  CHECK(hooks.runs.back().problem.starts_with("exit code 127: "));
  CHECK_FALSE(hooks.run(HookEvent::kPreToolUse, {"sleep 60 & sleep 60"}, 1)->blocked);
  CHECK(hooks.runs.back().problem == "did not end in 1 s");
  const HookAnswer flood = hooks.answer("yes | head -c 3000000", HookEvent::kSessionStart);
  CHECK(flood.context.size() <= 4100);
  CHECK_FALSE(flood.blocked);
  hooks.cancel.cancel(2);
  CHECK(hooks.run(HookEvent::kStop, {"true"}).error().kind == ErrorKind::kInterrupted);
}

}  // namespace pedro
