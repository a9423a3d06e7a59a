// Tests hooks with the real program: what they block, what a model sees, and jobs that resume.
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

Json hook(const std::string& command, const std::string& matcher = "") {
  return {{{"matcher", matcher}, {"hooks", {{{"type", "command"}, {"command", command}}}}}};
}

const std::string kRead = call("file", {{"action", "read"}, {"path", "a.txt"}});
const std::string kReplace =
    call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "one"}, {"new", "two"}});

// A project with a task for `build`, and the user's hooks.
struct HookWorld : Program {
  explicit HookWorld(const Json& hooks) {
    folder.write("project/a.txt", "one\n");
    folder.write("project/Makefile", "test:\n\tgrep -q two a.txt\n");
    folder.write(".pedrocli.json", to_line({{"hooks", hooks}}));
    extra_environment["PEDROCLI_MODEL_PHASES"] = "short";
    commit_project();
  }
  ProcessResult job(std::vector<std::string> calls) {
    calls.push_back(kReplace);
    calls.push_back(kDelivered);
    return run({"build", "-description", "Write two", "-backend", "manual"}, typed(calls));
  }
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

int count(const std::string& text, std::string_view part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace

TEST_CASE("hooks: a blocked call does not run, and the model sees the reason") {
  HookWorld world(Json{
      {"PreToolUse", hook("grep -q danger && { echo 'too risky' >&2; exit 2; }; exit 0", "Bash")}});
  const ProcessResult result =
      world.job({call("bash", {{"action", "run"}, {"command", "touch danger"}}),
                 call("bash", {{"action", "run"}, {"command", "touch fine.txt"}})});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(has(result.err, "A hook of the user blocks this call: too risky"));
  CHECK(has(result.err, "hook PreToolUse"));
  CHECK_FALSE(std::filesystem::exists(world.folder.at("project/danger")));
  const ProcessResult stats = world.run({"stats", "-json"});
  CHECK(number_of(member(*parse_json(stats.out), "total"), "hooks") == 2);
  CHECK(has(world.run({"stats"}).out, "2 runs of hooks took "));
  CHECK(has(world.run({"logs"}).out, ": blocked"));
}

TEST_CASE("hooks: every event runs, in order") {
  const std::string log = "cat >>\"$HOME/events.jsonl\"";
  Json hooks = Json::object();
  for (const char* event : {"SessionStart", "UserPromptSubmit", "PhaseStart", "PreToolUse",
                            "PostToolUse", "Stop", "SessionEnd"}) {
    hooks[event] = hook(log);
  }
  HookWorld world(hooks);
  CHECK(world.job({}).exit_code == 0);
  std::string names;
  const std::string events = world.folder.read("events.jsonl");
  for (const std::string_view line : split_lines(events)) {
    const auto event = parse_json(line);
    REQUIRE(event.ok());
    names += text_of(*event, "hook_event_name") + text_of(*event, "tool_name") + " ";
    CHECK_FALSE(text_of(*event, "session_id").empty());
    CHECK(has(text_of(*event, "transcript_path"), "journal.jsonl"));
  }
  CHECK(has(names, "SessionStart UserPromptSubmit PhaseStart "));
  CHECK(has(names, "PreToolUseEdit PostToolUseEdit "));
  CHECK(has(names, "Stop "));
  CHECK(names.ends_with("SessionEnd "));
}

TEST_CASE("hooks: a job that its time limit ends has a SessionEnd") {
  HookWorld world(Json{{"SessionEnd", hook("touch \"$HOME/ended\"")}});
  const ProcessResult result =
      world.run({"build", "-description", "Write two", "-backend", "manual", "-max-time", "2s"},
                typed({call("bash", {{"action", "run"}, {"command", "sleep 60"}})}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(std::filesystem::exists(world.folder.at("ended")));
}

TEST_CASE("hooks: text for the model, and an objection after a call") {
  HookWorld world(
      Json{{"SessionStart", hook("echo 'Numbers are words here.'")},
           {"PostToolUse", hook("echo 'the line is too long' >&2; exit 2", "Edit|Write")}});
  const ProcessResult result = world.job({});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(has(result.err, "Numbers are words here."));
  CHECK(has(result.err, "A hook of the user objects: the line is too long"));
}

TEST_CASE("hooks: a task that a hook blocks does not start, an end that it blocks is repeated") {
  HookWorld task(Json{{"UserPromptSubmit", hook("echo 'not on Fridays' >&2; exit 2")}});
  const ProcessResult refused = task.job({});
  CHECK(refused.exit_code != 0);
  CHECK(has(refused.err, "a hook blocks the task: not on Fridays"));
  CHECK(task.folder.read("project/a.txt") == "one\n");

  HookWorld end(
      Json{{"Stop", hook("test -e \"$HOME/seen\" || { touch \"$HOME/seen\"; echo 'add a test' "
                         ">&2; exit 2; }")}});
  const ProcessResult again = end.job({kRead});
  CAPTURE(again.err);
  CHECK(again.exit_code != 0);  // the prepared replies end before the second end of the phase
  CHECK(has(again.err, "A hook of the user does not let the phase end: add a test"));
}

TEST_CASE("hooks: only the user's own settings have hooks") {
  HookWorld world(Json::object());
  world.folder.write("project/.pedrocli.json",
                     to_line({{"hooks", {{"SessionStart", hook("touch \"$HOME/ran\"")}}}}));
  world.git({"add", "-A"});
  world.git({"commit", "-q", "-m", "settings"});
  const ProcessResult result = world.job({});
  CAPTURE(result.err);
  CHECK_FALSE(std::filesystem::exists(world.folder.at("ran")));
  CHECK(has(result.err, "hooks"));
}

TEST_CASE("hooks: a resumed job has the same answers without the hooks") {
  HookWorld world(Json{{"SessionStart", hook("echo run >>\"$HOME/starts\"; echo 'Use words.'")},
                       {"PreToolUse", hook("echo run >>\"$HOME/calls\"")}});
  const ProcessResult stopped = world.run(
      {"build", "-description", "Write two", "-backend", "manual"}, typed({kRead, kRead}));
  CHECK(stopped.exit_code != 0);
  const int calls = count(world.folder.read("calls"), "run");
  CHECK(calls >= 1);
  world.folder.write(".pedrocli.json", "{}");
  const ProcessResult resumed = world.run({"resume"}, typed({kReplace, kDelivered}));
  CAPTURE(resumed.err);
  CHECK(resumed.exit_code == 0);
  CHECK(count(world.folder.read("starts"), "run") == 1);
  CHECK(count(world.folder.read("calls"), "run") == calls);
}

TEST_CASE("hooks: a resumed job has the objections of its hooks without them") {
  HookWorld world(Json{{"PostToolUse", hook("echo 'too long' >&2; exit 2", "Read")},
                       {"Stop", hook("echo 'add a test' >&2; exit 2")}});
  const ProcessResult stopped =
      world.run({"build", "-description", "Write two", "-backend", "manual"},
                typed({kRead, kReplace, kDelivered, kRead}));
  CAPTURE(stopped.err);
  CHECK(stopped.exit_code != 0);
  world.folder.write(".pedrocli.json", "{}");
  const ProcessResult resumed = world.run({"resume"}, typed({kDelivered}));
  CAPTURE(resumed.err);
  CHECK(resumed.exit_code == 0);
  CHECK(has(stopped.err, "A hook of the user objects: too long"));
  CHECK(has(stopped.err, "A hook of the user does not let the phase end: add a test"));
  CHECK_FALSE(has(resumed.err, "hook Stop"));
}

TEST_CASE("hooks: the third equal reason against the end ends the job") {
  HookWorld world(Json{{"Stop", hook("echo 'never' >&2; exit 2")},
                       {"SessionEnd", hook("cat >\"$HOME/end.json\"")}});
  const ProcessResult result =
      world.run({"build", "-description", "Write two", "-backend", "manual"},
                typed({kReplace, kDelivered, kDelivered, kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  const Json end = *parse_json(world.folder.read("end.json"));
  CHECK(text_of(end, "hook_event_name") == "SessionEnd");
  CHECK(text_of(end, "reason") == "limit");
}

TEST_CASE("hooks: a later message of a conversation is asked about too") {
  HookWorld world(Json{{"UserPromptSubmit", hook("grep -q forbidden && exit 2; exit 0")}});
  const std::string answer = call("phase_complete", {{"answer", "Yes."}});
  CHECK(world.run({"ask", "-backend", "manual", "Is it?"}, typed({answer})).exit_code == 0);
  const std::string job = text_of(*parse_json(world.run({"status", "-json"}).out), "id");
  const ProcessResult more =
      world.run({"ask", "-backend", "manual", "-after", job, "forbidden?"}, typed({answer}));
  CAPTURE(more.err);
  CHECK(more.exit_code != 0);
  CHECK(has(more.err, "a hook blocks the message: no reason given"));
}

}  // namespace pedro
