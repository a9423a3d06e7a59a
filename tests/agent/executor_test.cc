#include "agent/executor.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "agent/silent_observer.h"
#include "agent/tool_world.h"
#include "call_parser/call_parser.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

// A model with prepared replies. Records its requests.
struct ScriptedModel : Model {
  Result<ModelInfo> open() override { return ModelInfo{"m", "test", 8000, true}; }
  Result<Reply> generate(const GenerateRequest& request) override {
    if (before_reply) before_reply();
    asked.push_back(text_of(request.chat.messages.back()));
    turns.push_back(request.chat.messages.size());
    last = request.chat;
    temperatures.push_back(request.temperature);
    offered.emplace_back();
    for (const CallBranch& call : request.calls) {
      offered.back().push_back(call.tool + "." + call.action);
    }
    if (!refusals.empty() && next == refused_at) {
      const Error refusal = refusals.front();
      refusals.erase(refusals.begin());
      return refusal;
    }
    if (too_long > 0 && --too_long == 0) {
      too_long = stays_too_long ? 1 : 0;
      return Error{ErrorKind::kLimit, "too long", Overflow{1100, 1600}};
    }
    if (next == replies.size() && before_end) {
      before_end();
      return Error{ErrorKind::kInterrupted, "stopped"};
    }
    if (next >= replies.size()) return Error{ErrorKind::kModel, "the script ends here"};
    Reply reply;
    reply.text = replies[next++];
    if (reply.text == "CUT") reply.stop = StopReason::kLimit;
    reply.parts = parse_calls(reply.text, CallSyntax::kJson, request.calls, CallChecks::kNothing);
    reply.usage.prompt_tokens = prompt_tokens;
    reply.usage.generated_tokens = 10;
    return reply;
  }

  void begin_anew() override { ++conversations; }
  void withdraw() override { ++withdrawn; }
  Result<std::optional<long long>> count_prompt(const GenerateRequest&) override {
    return counted > 0 ? std::optional(counted) : std::nullopt;
  }
  bool counts_exactly() const override { return is_exact; }
  Result<Reply> ask_aside(const GenerateRequest& request) override {
    if (summary.empty()) return Error{ErrorKind::kModel, "no summary"};
    Reply reply;
    reply.text = summary;
    reply.parts = parse_calls(reply.text, CallSyntax::kJson, request.calls, CallChecks::kNothing);
    reply.usage.generated_tokens = 5;
    ++summaries;
    return reply;
  }

  std::function<void()> before_reply;
  std::function<void()> before_end;  // runs after the last reply; the next request is cancelled
  std::string summary;
  int summaries = 0;

  int withdrawn = 0;
  std::vector<double> temperatures;
  std::vector<std::vector<std::string>> offered;  // "tool.action" of each call offered in a request
  int conversations = 1;
  std::vector<std::string> replies;
  std::size_t next = 0;
  std::vector<std::string> asked;  // the last message of each request
  std::vector<std::size_t> turns;  // the number of messages in each request
  ChatRequest last;
  int too_long = 0;  // the number of requests until the conversation is too long
  bool stays_too_long = false;
  std::vector<Error> refusals;  // in place of replies
  std::size_t refused_at = 0;   // the reply before which they come
  long long prompt_tokens = 0;  // 0: unknown
  long long counted = 0;        // for each prompt; 0: counting is not supported
  bool is_exact = false;
};

// The dependencies of an executor, on a real folder with one file "a.txt".
struct Bench : ToolWorld {
  Bench() {
    REQUIRE(files.write_atomic(folder.path() + "/a.txt", "one\ntwo\n", 0644).ok());
    phase.name = "look";
    phase.tools = {"file"};
    phase.allow = {Permission::kRead};
    phase.max_rounds = 8;
    phase.output_schema_json =
        *parse_json(R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})");
    phase.output_schema = *parse_schema(phase.output_schema_json);
  }

  Result<PhaseOutcome> run(std::vector<std::string> replies, EvidenceCheck evidence = {},
                           ExecutorLimits limits = {}) {
    model.replies = std::move(replies);
    if (!evidence) {
      evidence = [](const Phase&, const Json&) { return std::optional<std::string>(); };
    }
    const ExecutorParts parts{model,    info,  registry, tools,   feedback,
                              observer, trace, job,      answers, hooks};
    Executor executor(parts, limits);
    executor.begin("RULES", {});
    const ToolSet set(registry, phase, feedback, style);
    Result<PhaseOutcome> outcome = executor.run_phase(phase, set, "OPENING", evidence);
    invalid = executor.invalid_calls();
    unused = executor.unused_replies();
    rounds = executor.rounds();
    return outcome;
  }

  FakeClock clock;
  CancelToken job{cancel, clock};
  Trace trace;
  AnswerLog answers;
  Registry registry = std::move(*Registry::open(files, ""));
  Feedback feedback = *Feedback::load(*PromptLibrary::open(files, ""));
  ScriptedModel model;
  ModelInfo info{"m", "test", 8000, true};
  SilentObserver observer;
  Phase phase;
  ToolStyle style = ToolStyle::kDescribed;
  RunHooks* hooks = nullptr;
  int invalid = 0;
  int unused = 0;
  int rounds = 0;
};

const std::string kRead = R"({"tool": "file", "args": {"action": "read", "path": "a.txt"}})";
const std::string kFinish = R"({"tool": "phase_complete", "args": {"n": 1}})";
// Replies without a call, each different.
std::vector<std::string> talk_of(int replies) {
  std::vector<std::string> talk;
  for (int i = 0; i < replies; ++i) talk.push_back(fmt::format("hm {}", i));
  return talk;
}

const std::string kOtherFinish = R"({"tool": "phase_complete", "args": {"n": 2}})";

}  // namespace

TEST_CASE("executor: a call's result is the next turn, and the end hands its output on") {
  Bench bench;
  const auto outcome = bench.run({kRead, kFinish});
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(to_line(outcome->output) == R"({"n":1})");
  CHECK(outcome->rounds == 2);
  REQUIRE(bench.model.asked.size() == 2);
  CHECK(bench.model.asked[0] == "OPENING");
  CHECK(bench.model.asked[1].starts_with("Result of file read a.txt (ok):\n"));
  CHECK(bench.model.asked[1].find("two") != std::string::npos);
  // System, opening | reply, result: messages are only appended.
  CHECK(bench.model.turns == std::vector<std::size_t>{2, 4});
  CHECK(bench.observer.finished == "file ok; ");
}

TEST_CASE("executor: prompts that teach tools stay, and those that say so") {
  struct Row {
    ToolStyle style;
    bool stays;
    int pinned;
  };
  for (const Row& row : {Row{ToolStyle::kDescribed, false, 1}, Row{ToolStyle::kDeclared, false, 0},
                         Row{ToolStyle::kDeclared, true, 1}}) {
    Bench bench;
    bench.style = row.style;
    bench.phase.stays = row.stays;
    REQUIRE(bench.run({kFinish}).ok());
    CHECK(bench.observer.pinned == row.pinned);
  }
}

TEST_CASE("executor: a result that its tool pins stays") {
  class PinnedTool : public Tool {
   public:
    std::string_view name() const override { return "keep"; }
    Result<ToolResult> run(const ActionManifest&, const Json&, ToolContext&) override {
      ToolResult result{true, "kept", {}};
      result.pinned = true;
      return result;
    }
  };
  for (const bool is_used : {false, true}) {
    Bench bench;
    bench.style = ToolStyle::kDeclared;
    auto manifest = parse_manifest("keep.json", R"({"name": "keep", "permission": "read",
        "actions": [{"name": "it", "about": "Keeps it.", "parameters": {}}]})",
                                   "Keeps it.");
    REQUIRE_MESSAGE(manifest.ok(), manifest.error().message);
    bench.registry.add(*std::move(manifest), std::make_unique<PinnedTool>());
    bench.phase.tools = {"file", "keep"};
    const std::string keep = R"({"tool": "keep", "args": {"action": "it"}})";
    REQUIRE(bench.run({is_used ? keep : kRead, kRead, kFinish}).ok());
    CHECK(bench.observer.pinned == (is_used ? 1 : 0));
  }
}

TEST_CASE("executor: hooks block calls and ends") {
  Bench bench;
  std::vector<Hook> given = {
      {.event = HookEvent::kPreToolUse, .command = "grep -q b.txt && exit 2; exit 0"},
      {.event = HookEvent::kPostToolUse, .command = "echo seen >&2; exit 2"},
      {.event = HookEvent::kStop, .command = "test -e ended || { touch ended; exit 2; }"}};
  RunHooks hooks(HookRunner(std::move(given), bench.processes, bench.folder.path(), Json::object()),
                 nullptr, bench.answers, bench.observer, bench.job);
  bench.hooks = &hooks;
  const std::string other = R"({"tool": "file", "args": {"action": "read", "path": "b.txt"}})";
  const auto outcome = bench.run({kRead, other, kFinish, kOtherFinish});
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(to_line(outcome->output) == R"({"n":2})");
  REQUIRE(bench.model.asked.size() == 4);
  CHECK(bench.model.asked[1].find("two\n\nA hook of the user objects: seen") != std::string::npos);
  CHECK(bench.model.asked[2].find("A hook of the user blocks this call: no reason given") !=
        std::string::npos);
  CHECK(bench.model.asked[3].find("A hook of the user does not let the phase end: ") !=
        std::string::npos);
}

TEST_CASE("executor: a phase's prompt may use all room that fixed content does not need") {
  Bench bench;
  const ExecutorParts parts{bench.model, bench.info,     bench.registry,
                            bench.tools, bench.feedback, bench.observer,
                            bench.trace, bench.job,      bench.answers};
  Executor executor(parts, {});
  const auto room_behind = [&executor](std::size_t rules, std::vector<DeclaredTool> tools) {
    executor.begin(std::string(rules, 'r'), std::move(tools));
    return executor.context().opening_room();
  };
  const long long whole = room_behind(4, {});
  CHECK(whole > 4000);  // of 8000 tokens
  CHECK(whole < 5100);  // the high mark
  const long long rules = whole - room_behind(4000, {});
  CHECK(rules > 1300);
  CHECK(rules < 1400);
  const long long tools =
      whole - room_behind(4, {{"file", std::string(2000, 'd'), std::string(2000, 'p')}});
  CHECK(tools > 1300);
  CHECK(tools < 1400);
  CHECK(room_behind(40000, {}) > 0);  // a minimum is always available
}

TEST_CASE("executor: the last phase's prompt takes no room from the next one, unless it stays") {
  const auto room_behind_two_phases = [](bool stays) {
    Bench bench;
    bench.style = ToolStyle::kDeclared;
    bench.phase.stays = stays;
    bench.model.replies = {kFinish, kFinish, kFinish};
    const ExecutorParts parts{bench.model, bench.info,     bench.registry,
                              bench.tools, bench.feedback, bench.observer,
                              bench.trace, bench.job,      bench.answers};
    Executor executor(parts, {});
    executor.begin("RULES", {});
    const ToolSet set(bench.registry, bench.phase, bench.feedback, bench.style);
    for (const char* opening : {"first", "second"}) {
      const EvidenceCheck any = [](const Phase&, const Json&) {
        return std::optional<std::string>();
      };
      REQUIRE(executor.run_phase(bench.phase, set, opening + std::string(3000, '.'), any).ok());
    }
    return executor.context().opening_room();
  };
  const long long freed = room_behind_two_phases(false) - room_behind_two_phases(true);
  CHECK(freed > 900);
  CHECK(freed < 1200);
}

TEST_CASE("executor: a prompt's count is an estimate unless its source says it is exact") {
  for (const bool exact : {false, true}) {
    Bench bench;
    bench.model.counted = 777;
    bench.model.is_exact = exact;
    bench.model.prompt_tokens = 800;  // the server's count after the reply
    REQUIRE(bench.run({kRead, kFinish}).ok());
    CHECK(bench.observer.exact == exact);
    CHECK(bench.observer.total == 777);
  }
}

TEST_CASE("executor: the model receives feedback on its mistakes") {
  struct Row {
    const char* name;
    const char* reply;
    std::string feedback;
  };
  const std::string kHow =
      "Every reply is exactly one JSON object and nothing else, a call of one tool:\n"
      "{\"tool\": \"NAME\", \"args\": {\"action\": \"ACTION\", ...}}\n"
      "The result comes back in the next message. Inside strings, write a newline as \\n and a "
      "quote "
      "as \\\".";
  for (const Row& row : {
           Row{"text without a call", "All done, PHASE_COMPLETE",
               "That reply was not used: it contains no call. " + kHow +
                   " To end the phase, call `phase_complete`."},
           Row{"a cut reply", "CUT",
               "That reply was cut off at 10 tokens and was not used. Write shorter replies: write "
               "a "
               "long file in parts (write the first part, append the others), or edit only the "
               "lines that change."},
           Row{"a call that is broken", R"({"tool": "file", "args": {"action": "read",}})",
               R"(That reply was not used: 1:44: expected a name in double quotes, got "}" after )"
               R"("e\", \"args\": {\"action\": \"read\",". )" +
                   kHow + " To end the phase, call `phase_complete`."},
           Row{"a call, and one that is none",
               R"({"tool": "bash", "args": {}} {"tool": "file", "args": [1]})",
               "Result of bash (failed):\nThis phase has no tool \"bash\". Its tools are: file.\n\n"
               "Another part of that reply looks like a call and was not used: /args: expected "
               "an "
               "object with the arguments, got an array of 1 items. Write that call again, "
               "correctly."},
           Row{"a tool of another phase", R"({"tool": "bash", "args": {"command": "ls"}})",
               "Result of bash (failed):\nThis phase has no tool \"bash\". Its tools are: file."},
           Row{"an action the phase does not allow",
               R"({"tool": "file", "args": {"action": "delete", "path": "a.txt"}})",
               "Result of file delete a.txt (failed):\nfile has no action 'delete'; it has: read"},
           Row{"an end that does not fit its schema",
               R"({"tool": "phase_complete", "args": {"n": "x"}})",
               "`phase_complete` was not accepted: /n: expected an integer, got \"x\"."},
       }) {
    CAPTURE(row.name);
    Bench bench;
    const auto outcome = bench.run({row.reply, kFinish});
    REQUIRE(outcome.ok());
    CHECK(outcome->end == PhaseEnd::kCompleted);
    REQUIRE(bench.model.asked.size() == 2);
    CHECK(bench.model.asked[1] == row.feedback);
  }
}

TEST_CASE("executor: slips in a call are corrected, logged and reported to the model") {
  Bench bench;
  const auto outcome = bench.run(
      {R"({"tool":"file","args":{"action":"read","path":"a.txt","start_line":"2","why":"?"}})",
       R"({"tool":"phase_complete","args":{"n":"7"}})"});
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(outcome->output == *parse_json(R"({"n":7})"));
  CHECK(bench.invalid == 0);
  REQUIRE(bench.model.asked.size() == 2);
  CHECK(bench.model.asked[1].find("2\ttwo") != std::string::npos);
  CHECK(bench.model.asked[1].find("(The call was corrected before it ran. 'why' is unknown and "
                                  "omitted; /start_line: a number from a string)") !=
        std::string::npos);
}

TEST_CASE("executor: a call with several errors gets all of them, and the correct form") {
  Bench bench;
  const auto outcome =
      bench.run({R"({"tool":"file","args":{"action":"read","strat_line":1,"end_line":[2,3]}})"}, {},
                {.max_rounds = 2});
  (void)outcome;
  REQUIRE(bench.model.asked.size() == 2);
  const std::string& told = bench.model.asked[1];
  for (const char* part : {"'strat_line' (did you mean 'start_line'?)", "/path: expected",
                           "/end_line: expected", "It is called as read {"}) {
    CHECK_MESSAGE(told.find(part) != std::string::npos, told);
  }
}

TEST_CASE("executor: an end beside other calls does not count") {
  Bench bench;
  const auto outcome = bench.run({"[" + kRead + "," + kFinish + "]", kFinish});
  REQUIRE(outcome.ok());
  CHECK(outcome->rounds == 2);
  CHECK(bench.model.asked[1].find("`phase_complete` must be the only call") != std::string::npos);
  CHECK(bench.model.asked[1].find("two") != std::string::npos);
  CHECK(bench.observer.finished == "file ok; phase_complete invalid; ");
}

TEST_CASE("executor: several ends in one reply are refused, and each is reported") {
  Bench bench;
  const auto outcome = bench.run({"[" + kFinish + "," + kOtherFinish + "]", kOtherFinish});
  REQUIRE(outcome.ok());
  CHECK(to_line(outcome->output) == R"({"n":2})");
  CHECK(bench.observer.finished == "phase_complete invalid; phase_complete invalid; ");
}

TEST_CASE("executor: an end without evidence is refused with the reason") {
  Bench bench;
  int asked = 0;
  const auto outcome = bench.run({kFinish, kOtherFinish}, [&](const Phase&, const Json&) {
    return ++asked == 1 ? std::optional<std::string>("nothing changed") : std::nullopt;
  });
  REQUIRE(outcome.ok());
  CHECK(outcome->rounds == 2);
  CHECK(bench.model.asked[1] == "nothing changed");
}

TEST_CASE("executor: a call that was refused is sampled again, then left out") {
  Bench bench;
  const std::string missing = R"({"tool": "file", "args": {"action": "read", "path": "none.txt"}})";
  const auto outcome = bench.run({missing, missing, missing, kRead, kFinish});
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(outcome->rounds == 3);
  CHECK(bench.rounds == 5);
  CHECK(bench.model.withdrawn == 2);
  CHECK(bench.model.temperatures == std::vector<double>{0.2, 0.2, 0.8, 0.8, 0.2});
  using Offered = std::vector<std::string>;
  CHECK(bench.model.offered[2] == Offered{"file.read", "phase_complete."});
  CHECK(bench.model.offered[3] == Offered{"phase_complete."});
  CHECK(bench.model.offered[4] == Offered{"file.read", "phase_complete."});
  for (const ChatMessage& message : bench.model.last.messages) CAPTURE(text_of(message));
  CHECK(bench.model.last.messages.size() == 6);  // without the withdrawn messages
}

TEST_CASE("executor: line numbers of a reply are those from before it") {
  Bench bench;
  bench.phase.tools = {"code_edit"};
  bench.phase.allow = {Permission::kWrite};
  const std::string first =
      R"({"tool": "code_edit", "args": {"action": "insert_at_line", "path": "a.txt", "line_number": 1, "content": "zero"}})";
  const std::string second =
      R"({"tool": "code_edit", "args": {"action": "delete_lines", "path": "a.txt", "start_line": 2, "end_line": 2}})";
  REQUIRE(bench.run({"[" + first + "," + second + "]", kFinish}).ok());
  CHECK(*bench.files.read(bench.folder.path() + "/a.txt", 100) == "zero\none\n");
  Bench apart;
  apart.phase = bench.phase;
  REQUIRE(apart.run({first, second, kFinish}).ok());
  CHECK(*apart.files.read(apart.folder.path() + "/a.txt", 100) == "zero\ntwo\n");
}

TEST_CASE("executor: an edit of lines that changed is refused, and may be repeated") {
  Bench bench;
  bench.phase.tools = {"file", "code_edit"};
  bench.phase.allow = {Permission::kRead, Permission::kWrite};
  const std::string path = bench.folder.path() + "/a.txt";
  bench.model.before_reply = [&] {
    if (bench.model.next == 1) CHECK(bench.files.write_atomic(path, "one\nother\n", 0644).ok());
  };
  const std::string edit =
      R"({"tool": "code_edit", "args": {"action": "edit_lines", "path": "a.txt", "start_line": 2, "end_line": 2, "new_content": "2"}})";
  REQUIRE(bench.run({kRead, edit, edit, kFinish}).ok());
  CHECK(bench.model.asked[2].find("2\tother\n") != std::string::npos);
  CHECK(bench.model.withdrawn == 0);
  CHECK(*bench.files.read(path, 100) == "one\n2\n");
}

TEST_CASE("executor: the same refusal of an end is worded differently the second time") {
  Bench bench;
  bench.phase.evidence = Evidence::kMaterial;
  const auto outcome = bench.run(
      {kFinish, kOtherFinish, R"({"tool": "phase_complete", "args": {"n": 3}})"},
      [&](const Phase&, const Json& output) {
        return number_of(output, "n") < 3 ? std::optional<std::string>("a reason") : std::nullopt;
      });
  REQUIRE(outcome.ok());
  CHECK(bench.model.asked[1] == "a reason");
  CHECK(bench.model.asked[2] ==
        "This was refused before, for the same reason, and nothing has changed since. Fix the "
        "problem below, or do the missing step first. If the task is impossible here, call "
        "`phase_complete` with only `blocked`: the reason.\na reason");
  CHECK(bench.observer.finished == "phase_complete failed; phase_complete failed; ");
}

TEST_CASE("executor: the third equal refusal of an end ends the phase") {
  Bench bench;
  bench.phase.evidence = Evidence::kMaterial;
  std::vector<std::string> reasons = {"a", "b", "b", "a", "a", "a", "a"};
  ExecutorLimits limits;
  limits.grounding = false;
  const auto outcome = bench.run(
      {kFinish, kOtherFinish, kFinish, kOtherFinish, kFinish, kOtherFinish, kFinish},
      [&, at = 0U](const Phase&, const Json&) mutable { return std::optional(reasons[at++]); },
      limits);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kStuck);
  CHECK(outcome->rounds == 6);
}

TEST_CASE("executor: the third equal reply without a call ends the phase") {
  struct Row {
    std::vector<std::string> replies;
    PhaseEnd end;
    int rounds;
    int unused;
  };
  const std::string broken = R"({"tool": "file", "args": {"action": "read",}})";
  for (const Row& row : {
           Row{{"done", "done", "done", kFinish}, PhaseEnd::kStuck, 3, 3},
           Row{{broken, broken, broken, kFinish}, PhaseEnd::kStuck, 3, 3},
           Row{{"CUT", "CUT", "CUT", kFinish}, PhaseEnd::kStuck, 3, 3},
           Row{{"done", "Done.", "done", kFinish}, PhaseEnd::kCompleted, 4, 3},
           Row{{"done", broken, "done", "CUT", "done", kFinish}, PhaseEnd::kCompleted, 6, 5},
       }) {
    CAPTURE(row.replies);
    Bench bench;
    const auto outcome = bench.run(row.replies);
    REQUIRE_MESSAGE(outcome.ok(), outcome.error().message);
    CHECK(outcome->end == row.end);
    CHECK(outcome->rounds == row.rounds);
    CHECK(bench.unused == row.unused);
    CHECK(bench.observer.notices.size() == static_cast<std::size_t>(row.unused));
    CHECK(bench.observer.notices[0].starts_with("reply not used: "));
  }
}

TEST_CASE("executor: plain text is the answer if a phase's only output is text") {
  struct Row {
    const char* name;
    std::set<Permission> allow;
    const char* properties;
    std::vector<std::string> replies;
    int rounds;
    const char* output;
  };
  const char* answer = R"({"answer":{"type":"string"}})";
  const std::string end = R"({"tool": "phase_complete", "args": {"answer": "c"}})";
  for (const Row& row : {
           Row{"at once if it only reads",
               {Permission::kRead},
               answer,
               {"It is one."},
               1,
               R"({"answer":"It is one."})"},
           Row{"after a call",
               {Permission::kRead},
               answer,
               {kRead, "It is one."},
               2,
               R"({"answer":"It is one."})"},
           Row{"the second if it writes",
               {Permission::kRead, Permission::kWrite},
               answer,
               {"I look.", "It is one."},
               2,
               R"({"answer":"It is one."})"},
           Row{"not the second after a call",
               {Permission::kRead, Permission::kWrite},
               answer,
               {"I look.", kRead, "It is one.", end},
               4,
               R"({"answer":"c"})"},
           Row{"not a broken call",
               {Permission::kRead},
               answer,
               {R"({"tool": "phase_complete", "args": {"answer": "a")", end},
               2,
               R"({"answer":"c"})"},
           Row{"not one of two outputs",
               {Permission::kRead},
               R"({"answer":{"type":"string"},"more":{"type":"string"}})",
               {"It is one.", "It is one!", end},
               3,
               R"({"answer":"c"})"},
       }) {
    CAPTURE(row.name);
    Bench bench;
    bench.phase.allow = row.allow;
    bench.phase.output_schema_json = {
        {"type", "object"}, {"properties", *parse_json(row.properties)}, {"required", {"answer"}}};
    bench.phase.output_schema = *parse_schema(bench.phase.output_schema_json);
    const auto outcome = bench.run(row.replies);
    REQUIRE_MESSAGE(outcome.ok(), outcome.error().message);
    CHECK(outcome->end == PhaseEnd::kCompleted);
    CHECK(outcome->rounds == row.rounds);
    CHECK(to_line(outcome->output) == row.output);
  }
}

TEST_CASE("executor: names of tools and repeated calls are corrected") {
  const std::string args = R"("args": {"action": "read", "path": "a.txt"}})";
  const std::string end = R"("args": {"n": 1}})";
  struct Row {
    std::string reply;
    const char* told;
  };
  for (const Row& row : {
           Row{R"({"tool": "functions.file", )" + args, "tool 'file' from 'functions.file'"},
           Row{R"({"tool": "file<|channel|>commentary", )" + args, "tool 'file' from"},
           Row{R"({"tool": "file_read", "args": {"path": "a.txt"}})", "tool 'file' from"},
           Row{R"({"tool": "file", "args": {"path": "a.txt"}})", "'action' is added: read"},
           Row{R"({"tool": "file", "args": {"arguments": {"action": "read", "path": "a.txt"}}})",
               "taken out of 'arguments'"},
           Row{kRead + kRead, "two"},
           Row{R"({"tool": "file", "args": {}})" + kRead, "two"},
       }) {
    CAPTURE(row.reply);
    Bench bench;
    const auto outcome =
        bench.run({row.reply, R"({"tool": "functions.phase_complete", )" + end + kFinish});
    REQUIRE_MESSAGE(outcome.ok(), outcome.error().message);
    CHECK(outcome->end == PhaseEnd::kCompleted);
    CHECK(outcome->rounds == 2);
    CHECK(bench.observer.finished == "file ok; ");
    CHECK_MESSAGE(bench.model.asked[1].find(row.told) != std::string::npos, bench.model.asked[1]);
  }
}

TEST_CASE("executor: a phase that has to look does not end before a tool has shown something") {
  Bench bench;
  bench.phase.evidence = Evidence::kLook;
  const auto outcome = bench.run({kFinish, kRead, kFinish});
  CAPTURE(outcome.ok() ? "" : outcome.error().message);
  REQUIRE(outcome.ok());
  CHECK(outcome->rounds == 3);
  CHECK(bench.model.offered[0] == std::vector<std::string>{"file.read"});
  CHECK(bench.model.asked[1].find("you have not read any file") != std::string::npos);
  CHECK(bench.model.offered[2].back() == "phase_complete.");
}

TEST_CASE("executor: the same call with the same result gets a hint, then ends the phase") {
  Bench bench;
  ExecutorLimits limits;
  limits.grounding = false;
  const auto outcome = bench.run({kRead, kRead, kRead, kRead, kFinish}, {}, limits);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kStuck);
  CHECK(outcome->rounds == 4);
  CHECK(bench.model.asked[1].find("You have made this call") == std::string::npos);
  CHECK(bench.model.asked[2].find("You have made this call 2 times") != std::string::npos);
}

TEST_CASE("executor: rounds are limited by the phase and by the job, and by time") {
  const std::vector<std::string> talk = talk_of(20);
  {
    Bench bench;
    const auto outcome = bench.run(talk);
    CHECK(outcome->end == PhaseEnd::kRounds);
    CHECK(outcome->rounds == 16);  // a refused round counts half
    CHECK(bench.model.asked.back().find("(Replies left in this phase: 1.") != std::string::npos);
  }
  const auto cost = [](const Usage& usage) {
    return static_cast<double>(usage.prompt_tokens + usage.generated_tokens) / 100;
  };
  struct Case {
    ExecutorLimits limits;
    int rounds;
    const char* ran_out;
  };
  const std::vector<Case> cases = {
      {{}, 16, "rounds"},
      {{.max_rounds = 3}, 3, "rounds"},
      {{.max_tokens = 311}, 3, "tokens"},  // 110 each; the limiting round is made
      {{.max_tokens = 330}, 3, "tokens"},
      {{.max_tokens = 331}, 4, "tokens"},
      {{.max_cost = 2.2, .cost = cost}, 2, "money"},
      {{.max_cost = 2.3, .cost = cost}, 3, "money"},
      {{.log_is_full = [left = 3]() mutable { return left-- == 0; }}, 3, "log space"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.ran_out);
    CAPTURE(one.rounds);
    Bench bench;
    bench.clock.ms = 1;
    bench.model.prompt_tokens = 100;
    const auto outcome = bench.run(talk, {}, one.limits);
    CHECK(outcome->end == PhaseEnd::kRounds);
    CHECK(outcome->rounds == one.rounds);
    CHECK(outcome->ran_out == one.ran_out);
  }
}

TEST_CASE("executor: a round with a call counts whole, a refused one half") {
  Bench bench;
  bench.phase.max_rounds = 3;
  ExecutorLimits limits;
  limits.grounding = false;
  const std::string other = R"({"tool": "file", "args": {"action": "read", "path": "b.txt"}})";
  const auto outcome = bench.run({kRead, "hm", "hm", other, kRead}, {}, limits);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kRounds);
  CHECK(outcome->rounds == 4);
}

TEST_CASE("executor: a phase has all its rounds again from the place where the job was resumed") {
  struct Row {
    std::map<int, std::string> extended_after;
    int rounds;
  };
  for (const Row& row :
       {Row{{}, 4}, Row{{{4, "look"}}, 8}, Row{{{2, "look"}}, 6},
        Row{{{4, "look"}, {8, "look"}}, 12}, Row{{{9, "look"}}, 4}, Row{{{4, "other"}}, 4}}) {
    Bench bench;
    bench.phase.max_rounds = 2;
    ExecutorLimits limits;
    limits.extended_after = row.extended_after;
    const auto outcome = bench.run(talk_of(20), {}, limits);
    REQUIRE(outcome.ok());
    CHECK(outcome->rounds == row.rounds);
  }
}

TEST_CASE("executor: a phase that ended because the model repeats itself continues when resumed") {
  Bench bench;
  ExecutorLimits limits;
  limits.grounding = false;
  limits.extended_after = {{4, "look"}};
  const auto outcome = bench.run({kRead, kRead, kRead, kRead, kFinish}, {}, limits);
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(outcome->rounds == 5);
}

TEST_CASE("executor: a blocked phase needs a reason, and is offered after two refusals") {
  Bench bench;
  bench.phase.takes_blocked = true;
  const std::string blocked =
      R"({"tool": "phase_complete", "args": {"blocked": "there is no compiler on this machine"}})";
  const auto outcome =
      bench.run({kRead, kFinish, kOtherFinish,
                 R"({"tool": "phase_complete", "args": {"blocked": "no"}})", blocked},
                [](const Phase&, const Json& output) -> Result<std::optional<std::string>> {
                  if (output.contains("blocked")) return std::optional<std::string>();
                  return std::optional<std::string>("a reason");
                });
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kBlocked);
  CHECK(outcome->rounds == 5);
  CHECK(text_of(outcome->output, "blocked") == "there is no compiler on this machine");
  CHECK(bench.model.offered[0] == std::vector<std::string>{"file.read", "phase_complete."});
  CHECK(bench.model.offered[2].back() != "phase_complete.blocked");
  CHECK(bench.model.offered[3].back() == "phase_complete.blocked");
}

TEST_CASE("executor: a job without time left sends no request") {
  Bench bench;
  bench.job.end_at(bench.clock.ms);
  const auto outcome = bench.run({"talk"});
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kRounds);
  CHECK(outcome->ran_out == "time");
  CHECK(bench.model.asked.empty());
}

TEST_CASE("executor: a reply that does not come in time is late, one that was stopped is not") {
  Bench bench;
  bench.job.end_at(bench.clock.ms + 1000);
  bench.model.before_end = [&] { bench.clock.ms += 1000; };
  const auto late = bench.run({"talk", kRead});
  REQUIRE_FALSE(late.ok());
  CHECK(is_late(late.error(), bench.job));
  CHECK(bench.rounds == 2);

  Bench other;
  other.job.end_at(other.clock.ms + 1000);
  other.model.before_end = [&] {
    other.cancel.cancel(2);
    other.clock.ms += 1000;
  };
  const auto stopped = other.run({"talk"});
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().kind == ErrorKind::kInterrupted);
  CHECK_FALSE(is_late(stopped.error(), other.job));
}

TEST_CASE("executor: declared tools are answered one by one, each by its call's id") {
  Bench bench;
  bench.style = ToolStyle::kDeclared;
  const std::string with_id =
      R"({"id": "x1", "name": "file", "arguments": {"action": "read", "path": "b.txt"}})";
  const auto outcome = bench.run({kRead + with_id, "hm", kFinish});
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  const std::vector<ChatMessage>& messages = bench.model.last.messages;
  REQUIRE(messages.size() == 7);  // system, opening, calls, result, result, text, complaint
  CHECK(text_of(messages[2]).empty());
  REQUIRE(messages[2].calls.size() == 2);
  CHECK(messages[2].calls[0].id == "call00001");
  CHECK(messages[2].calls[0].name == "file");
  CHECK(messages[2].calls[0].arguments == R"({"action":"read","path":"a.txt"})");
  CHECK(messages[2].calls[1].id == "x1");
  CHECK(messages[3].role == Role::kTool);
  CHECK(messages[3].call_id == "call00001");
  CHECK(text_of(messages[3]).find("two") != std::string::npos);
  CHECK(messages[4].call_id == "x1");
  CHECK(text_of(messages[4]).starts_with("Failed: "));
  CHECK(text_of(messages[5]) == "hm");
  CHECK(messages[6].role == Role::kUser);
  CHECK(text_of(messages[6]).starts_with("That reply was not used: it contains no call."));
}

TEST_CASE("executor: extra feedback follows a declared tool's result") {
  Bench bench;
  bench.style = ToolStyle::kDeclared;
  bench.phase.max_rounds = 2;
  const auto outcome = bench.run({kRead + R"({"tool": "file", "args": [1]})", kFinish});
  REQUIRE(outcome.ok());
  CHECK(outcome->end == PhaseEnd::kCompleted);
  const ChatMessage& last = bench.model.last.messages.back();
  CHECK(last.role == Role::kTool);
  CHECK(text_of(last).find("two") != std::string::npos);
  CHECK(text_of(last).find("\n\nAnother part of that reply looks like a call") !=
        std::string::npos);
  CHECK(text_of(last).ends_with(
      "\n(Replies left in this phase: 1. Finish it with `phase_complete`.)"));
}

TEST_CASE("executor: a conversation that grows too long is compacted, and nothing is lost") {
  for (const ToolStyle style : {ToolStyle::kDescribed, ToolStyle::kDeclared}) {
    Bench bench;
    bench.style = style;
    bench.info.context_tokens = 3000;
    bench.phase.max_rounds = 40;
    std::string lines;
    for (int i = 0; i < 60; ++i) lines += fmt::format("line {} of it\n", i);
    std::vector<std::string> replies;
    for (int i = 0; i < 20; ++i) {
      bench.folder.write(fmt::format("f{}.txt", i), lines);
      replies.push_back(
          fmt::format(R"({{"tool": "file", "args": {{"action": "read", "path": "f{}.txt"}}}})", i));
    }
    replies.push_back(kFinish);
    const auto outcome = bench.run(replies);
    REQUIRE_MESSAGE(outcome.ok(), outcome.error().message);
    CHECK(outcome->end == PhaseEnd::kCompleted);
    CHECK(outcome->rounds == 21);
    CHECK(bench.observer.compactions > 1);
    long long bytes = 0;
    std::string all;
    for (const ChatMessage& message : bench.model.last.messages) all += text_of(message) + "\n";
    bytes = static_cast<long long>(all.size());
    CHECK(bytes / 3 < 3000);
    CHECK(text_of(bench.model.last.messages[0]) == "RULES");
    CHECK(text_of(bench.model.last.messages[1]) == "OPENING");
    CHECK(all.find("earlier steps were removed from this conversation") != std::string::npos);
    // Removed results can be recalled.
    CHECK(bench.notes.recall("out-1")->find("line 59 of it") != std::string::npos);
  }
}

TEST_CASE("executor: the first note survives fifty compactions") {
  Bench bench;
  bench.info.context_tokens = 3000;
  bench.phase.max_rounds = 500;
  bench.phase.tools = {"file", "context"};
  bench.phase.allow = {Permission::kRead};
  std::string lines;
  for (int i = 0; i < 60; ++i) lines += fmt::format("line {} of it\n", i);
  std::vector<std::string> replies;
  const std::vector<std::string> facts = {"the port is 7341", "the key is called HOLM",
                                          "the lock is taken twice"};
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Json args = {{"action", "note"}, {"name", fmt::format("fact-{}", i)}, {"text", facts[i]}};
    replies.push_back(to_line({{"tool", "context"}, {"args", args}}));
  }
  for (int i = 0; i < 260; ++i) {
    const std::string name = fmt::format("f{}.txt", i);
    bench.folder.write(name, lines);
    replies.push_back(to_line({{"tool", "file"}, {"args", {{"action", "read"}, {"path", name}}}}));
  }
  replies.push_back(kFinish);
  ExecutorLimits limits;
  limits.context.rules.strategies = {Strategy::kOldest};  // removes the notes first
  const auto outcome = bench.run(replies, {}, limits);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().message));
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(bench.observer.finished.starts_with("context ok; context ok; context ok; "));
  CHECK(bench.observer.compactions >= 50);
  // The conversation does not grow after the first compactions.
  CHECK(bench.model.turns.back() <=
        *std::max_element(bench.model.turns.begin(), bench.model.turns.begin() + 20));
  std::string all;
  for (const ChatMessage& message : bench.model.last.messages) all += text_of(message) + "\n";
  CHECK(all.find("\"action\":\"note\"") == std::string::npos);  // the calls were removed
  for (const std::string& fact : facts) {
    CAPTURE(fact);
    CHECK(all.find(fact) != std::string::npos);
  }
}

TEST_CASE("executor: removed turns are summarized by the model, or else by a digest") {
  std::string lines;
  for (int i = 0; i < 60; ++i) lines += fmt::format("line {} of it\n", i);
  std::vector<std::string> replies;
  for (int i = 0; i < 20; ++i) {
    replies.push_back(
        fmt::format(R"({{"tool": "file", "args": {{"action": "read", "path": "f{}.txt"}}}})", i));
  }
  replies.push_back(kFinish);
  const std::string words = "It is the lock. ";
  std::string too_long;
  while (too_long.size() < 2000) too_long += words;
  struct Row {
    std::string text;
    const char* expected;
    const char* not_expected;
  };
  for (const Row& row :
       {Row{words, "Your summary of them:\nIt is the lock.)", "Files read:"},
        Row{too_long, "Files read:", "Your summary"}, Row{"", "Files read:", "Your summary"}}) {
    CAPTURE(row.text);
    Bench bench;
    bench.info.context_tokens = 3000;
    bench.phase.max_rounds = 40;
    for (int i = 0; i < 20; ++i) bench.folder.write(fmt::format("f{}.txt", i), lines);
    if (!row.text.empty()) {
      bench.model.summary = to_line({{"tool", "summary"}, {"args", {{"text", row.text}}}});
    }
    ExecutorLimits limits;
    limits.context.note = Note::kSummary;
    const auto outcome = bench.run(replies, {}, limits);
    REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().message));
    CHECK(outcome->rounds == 21);
    CHECK(bench.observer.compactions > 1);
    CHECK((bench.model.summaries > 1) == !row.text.empty());
    std::string all;
    for (const ChatMessage& message : bench.model.last.messages) all += text_of(message) + "\n";
    CHECK(all.find(row.expected) != std::string::npos);
    CHECK(all.find(row.not_expected) == std::string::npos);
    CHECK(all.find("will be removed to save space") == std::string::npos);
  }
}

TEST_CASE("executor: a prompt too long for the server is compacted once and sent again") {
  Bench bench;
  bench.model.too_long = 3;  // the third request, independent of our count
  const auto outcome = bench.run({kRead, kRead, kFinish});
  REQUIRE_MESSAGE(outcome.ok(), outcome.error().message);
  CHECK(outcome->end == PhaseEnd::kCompleted);
  CHECK(bench.observer.compactions == 1);
  CHECK(bench.model.turns == std::vector<std::size_t>{2, 4, 6, 4});

  Bench again;
  again.model.too_long = 3;
  again.model.stays_too_long = true;
  const auto failed = again.run({kRead, kRead, kFinish});
  REQUIRE(!failed.ok());
  CHECK(failed.error().kind == ErrorKind::kLimit);
  CHECK(again.model.turns.size() == 4);
}

TEST_CASE("executor: a refusal that may be for length is the error if shortening does not help") {
  const Error guess{ErrorKind::kModel, "no such role", Overflow{1100, 0}};
  std::vector<std::string> reads;
  for (const int line : {1, 60, 120, 180}) {
    reads.push_back(fmt::format(
        R"({{"tool":"file","args":{{"action":"read","path":"a.txt","start_line":{},"end_line":{}}}}})",
        line, line + 50));
  }
  struct Row {
    const char* name;
    std::vector<std::string> replies;
    std::vector<Error> refusals;
    ErrorKind kind;
    const char* message;
    int compactions;
  };
  for (const Row& row : {
           Row{"nothing can be removed", {}, {guess}, ErrorKind::kModel, "no such role", 0},
           Row{"the shorter prompt is refused too",
               reads,
               {guess, Error{ErrorKind::kModel, "no such role, again"}},
               ErrorKind::kModel,
               "no such role",
               1},
           Row{"the job is stopped",
               reads,
               {guess, Error{ErrorKind::kInterrupted, "stopped"}},
               ErrorKind::kInterrupted,
               "stopped",
               1},
           Row{"it was for length",
               reads,
               {guess, Error{ErrorKind::kLimit, "too long", Overflow{900, 100}}},
               ErrorKind::kLimit,
               "the conversation has",
               1},
       }) {
    CAPTURE(row.name);
    Bench bench;
    std::string text;
    for (int line = 0; line < 300; ++line) text += "a line of the file\n";
    REQUIRE(bench.files.write_atomic(bench.folder.path() + "/a.txt", text, 0644).ok());
    bench.model.refusals = row.refusals;
    bench.model.refused_at = row.replies.size();
    ExecutorLimits limits;
    limits.grounding = false;
    const auto outcome = bench.run(row.replies, {}, limits);
    REQUIRE_FALSE(outcome.ok());
    CHECK(outcome.error().kind == row.kind);
    CHECK(outcome.error().message.substr(0, std::string(row.message).size()) == row.message);
    CHECK(bench.observer.compactions == row.compactions);
  }
}

TEST_CASE("executor: an error of the model ends the phase") {
  Bench bench;
  CHECK(bench.run({}).error().message == "the script ends here");
}

}  // namespace pedro
