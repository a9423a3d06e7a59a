#include "acp/job_updates.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace pedro::acp {
namespace {

// Hears events, one per line, and keeps the updates.
struct Heard {
  Heard() : updates(sources(), [this](Json update) { all.push_back(std::move(update)); }) {}

  JobSources sources() {
    return {[this](const std::string& path) { return reports[path]; },
            [this](const std::string& workdir, const std::string& commit,
                   const std::string& path) -> std::optional<std::string> {
              const auto found = texts.find(workdir + ":" + commit + ":" + path);
              return found == texts.end() ? std::nullopt : std::optional(found->second);
            }};
  }
  Heard& hear(const std::string& lines) {
    for (const std::string_view line : split_lines(lines)) {
      const auto event = parse_json(line);
      REQUIRE(event.ok());
      updates.hear(*event);
    }
    return *this;
  }
  std::vector<Json> of(std::string_view kind) const {
    std::vector<Json> found;
    for (const Json& update : all) {
      if (text_of(update, "sessionUpdate") == kind) found.push_back(update);
    }
    return found;
  }

  std::map<std::string, std::string> reports;
  std::map<std::string, std::string> texts;
  std::vector<Json> all;
  JobUpdates updates;
};

constexpr const char* kStarted =
    R"({"type":"thread.started","thread_id":"J","agent":"build","workdir":"/p"})"
    "\n";
constexpr const char* kAsked =
    R"({"type":"thread.started","thread_id":"J","agent":"ask","workdir":"/p"})"
    "\n";

std::string ended(const Json& more) {
  Json event = {{"type", "thread.completed"}, {"exit_code", 0}};
  event.update(more);
  return to_line(event) + "\n";
}

}  // namespace

TEST_CASE("job updates: a call has a kind, places, its result and the change of its round") {
  Heard heard;
  heard.texts = {{"/p:c0:a.txt", "bad\n"}, {"/p:c1:a.txt", "good\n"}};
  heard.hear(kStarted).hear(
      R"({"type":"checkpoint.taken","rounds":0,"commit":"c0"}
{"type":"item.started","item":{"id":"call1","type":"tool_call","tool":"code_edit","args":{"action":"edit_lines","path":"a.txt","start_line":7},"status":"in_progress"}}
{"type":"item.completed","item":{"id":"call1","type":"tool_call","tool":"code_edit","args":{"action":"edit_lines","path":"a.txt","start_line":7},"status":"completed","ok":true,"valid":true,"text":"done","changed":["a.txt","gone.txt"]}}
{"type":"checkpoint.taken","rounds":1,"commit":"c1"}
)");
  REQUIRE(heard.all.size() == 3);
  const Json& call = heard.all[0];
  CHECK(call["sessionUpdate"] == "tool_call");
  CHECK(call["toolCallId"] == "J/call1");
  CHECK(call["kind"] == "edit");
  CHECK(call["title"] == R"(code_edit edit_lines path="a.txt" start_line=7)");
  CHECK(call["locations"] == Json::array({Json{{"path", "/p/a.txt"}, {"line", 7}}}));
  CHECK(heard.all[1]["status"] == "completed");
  CHECK(heard.all[1]["locations"].size() == 2);
  const Json& content = heard.all[2]["content"];
  REQUIRE(content.size() == 2);
  CHECK(content[0]["content"]["text"] == "done");
  CHECK(content[1] ==
        Json{{"type", "diff"}, {"path", "/p/a.txt"}, {"oldText", "bad\n"}, {"newText", "good\n"}});
}

TEST_CASE("job updates: kinds of calls") {
  struct Row {
    const char* tool;
    const char* action;
    const char* kind;
  };
  for (const Row& row : std::vector<Row>{{"file", "read", "read"},
                                         {"file", "write", "edit"},
                                         {"file", "delete", "delete"},
                                         {"file", "move", "move"},
                                         {"code_edit", "get_lines", "read"},
                                         {"search", "grep", "search"},
                                         {"bash", "run", "execute"},
                                         {"github", "issue_fetch", "fetch"},
                                         {"phase_complete", "", "think"},
                                         {"mine", "x", "other"}}) {
    CAPTURE(row.tool);
    Heard heard;
    heard.hear(kStarted).hear(to_line({{"type", "item.started"},
                                       {"item",
                                        {{"id", "c"},
                                         {"type", "tool_call"},
                                         {"tool", row.tool},
                                         {"args", {{"action", row.action}}}}}}));
    REQUIRE(heard.all.size() == 1);
    CHECK(heard.all[0]["kind"] == row.kind);
    CHECK(heard.updates.open_call() == "J/c");
  }
}

TEST_CASE("job updates: phases and planned steps form the plan; a single phase is no plan") {
  Heard heard;
  heard.hear(kStarted).hear(R"({"type":"phase.started","phase":"solve","number":1,"total":4}
{"type":"phase.completed","phase":"solve","end":"skipped","output":null}
{"type":"phase.started","phase":"plan","number":2,"total":4}
{"type":"phase.completed","phase":"plan","end":"completed","output":{"steps":[{"file":"a.txt","change":"say good"},{"change":"test"},7]}}
{"type":"phase.started","phase":"implement","number":3,"total":4}
)");
  const auto plans = heard.of("plan");
  REQUIRE(plans.size() == 5);
  CHECK(plans[1]["entries"].empty());
  const auto entry = [](const char* content, const char* status) {
    return Json{{"content", content}, {"priority", "medium"}, {"status", status}};
  };
  CHECK(plans[3]["entries"] ==
        Json::array({entry("plan", "completed"), entry("a.txt: say good", "pending"),
                     entry("test", "pending")}));
  CHECK(plans[4]["entries"] ==
        Json::array({entry("plan", "completed"), entry("a.txt: say good", "in_progress"),
                     entry("test", "in_progress"), entry("implement", "in_progress")}));
  Heard ask;
  ask.hear(kAsked).hear(R"({"type":"phase.started","phase":"answer","number":1,"total":1})");
  CHECK(ask.all.empty());
}

TEST_CASE("job updates: an answer that was streamed is completed, another one is sent whole") {
  struct Row {
    const char* answer;
    std::vector<std::string> texts;
    std::vector<std::string> ids;
  };
  for (const Row& row : std::vector<Row>{
           {"Children under 6.\n",
            {"Children ", "under ", "6.\n"},
            {"J/answer1", "J/answer1", "J/answer1"}},
           {"Nobody", {"Children ", "under ", "Nobody"}, {"J/answer1", "J/answer1", "J/answer2"}},
           {"Children under ", {"Children ", "under "}, {"J/answer1", "J/answer1"}}}) {
    Heard heard;
    heard.hear(kAsked)
        .hear(R"({"type":"answer.delta","begins":true,"text":"Children "}
{"type":"answer.delta","text":"under "}
)")
        .hear(ended({{"result", {{"answer", row.answer}}}}));
    std::vector<std::string> texts;
    std::vector<std::string> ids;
    for (const Json& update : heard.of("agent_message_chunk")) {
      texts.push_back(update["content"]["text"]);
      ids.push_back(update["messageId"]);
    }
    CHECK(texts == row.texts);
    CHECK(ids == row.ids);
    CHECK(heard.updates.exit_code() == 0);
  }
}

TEST_CASE("job updates: the report of a build, checks, thoughts, use of the window, errors") {
  Heard heard;
  heard.reports["/r.md"] = "# Say good\n\nDone.\n\n## Cost\n\n- rounds: 3\n";
  heard.hear(kStarted)
      .hear(
          R"({"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"make test","status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"make test","status":"failed","exit_code":2,"aggregated_output":"FAIL"}}
{"type":"item.completed","item":{"id":"item_2","type":"reasoning","text":"hm"}}
{"type":"turn.completed","tokens":{"window":8192,"window_used":100}}
{"type":"unknown"}
)")
      .hear(ended({{"report", "/r.md"}}));
  REQUIRE(heard.all.size() == 5);
  CHECK(heard.all[0]["title"] == "make test");
  CHECK(heard.all[1]["status"] == "failed");
  CHECK(heard.all[1]["content"][0]["content"]["text"] == "FAIL");
  CHECK(heard.all[2]["sessionUpdate"] == "agent_thought_chunk");
  CHECK(heard.all[3] == Json{{"sessionUpdate", "usage_update"}, {"used", 100}, {"size", 8192}});
  CHECK(heard.updates.window_tokens() == 8192);
  CHECK(heard.all[4]["content"]["text"] == heard.reports["/r.md"]);
  CHECK(heard.updates.answer() == "# Say good\n\nDone.");
  heard.hear(kStarted);  // resumed
  CHECK_FALSE(heard.updates.exit_code());
  heard.hear(R"({"type":"error","message":"the server is gone"})").hear(ended({{"exit_code", 4}}));
  CHECK(heard.updates.error() == "the server is gone");
  CHECK(heard.updates.exit_code() == 4);
}

}  // namespace pedro::acp
