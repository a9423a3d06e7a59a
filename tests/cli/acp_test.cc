// Drives `pedrocli acp` as an editor does, with a scripted model server and real jobs. Every
// message is validated if the protocol's schema is available.
#include <filesystem>

#include "base/text.h"
#include "cli/acp_editor.h"
#include "cli/replies.h"
#include "support/marked_processes.h"

namespace pedro {
namespace {

constexpr const char* kAskAll = R"({"policy":{"permissions":{"execute":"ask"}}})";

std::string answered(const std::string& text) {
  return call("phase_complete", {{"answer", text}});
}

std::string run_of(const std::string& command) {
  return call("bash", {{"action", "run"}, {"command", command}});
}

struct Acp : Program {
  Acp() {
    folder.write("project/a.txt", "bad\n");
    folder.write("project/Makefile", "test:\n\tgrep -q good a.txt\n");
    commit_project();
  }
  ~Acp() {
    if (schema.checked > 0) MESSAGE("validated messages: " << schema.checked);
  }
  Acp(const Acp&) = delete;
  Acp& operator=(const Acp&) = delete;

  std::string file() const { return folder.read("project/a.txt"); }

  AcpSchema schema;
  ScriptedModel model;
};

const Json& error_of(const Json& response) {
  return member(response, "error");
}

std::string stop_of(const Json& response) {
  CAPTURE(response);
  return text_of(member(response, "result"), "stopReason");
}

}  // namespace

TEST_CASE("acp: the schema refuses invalid messages, in both directions") {
  AcpSchema schema;
  if (!schema.is_available()) return;
  const Json update = {
      {"sessionId", "s"},
      {"update",
       {{"sessionUpdate", "tool_call_update"}, {"toolCallId", "c"}, {"status", "failed"}}}};
  struct Row {
    const char* definition;
    Json good;
    const char* pointer;
    Json wrong;
  };
  for (const Row& row : std::vector<Row>{
           {"SessionNotification", update, "/update/toolCallId", 7},
           {"SessionNotification", update, "/update/sessionUpdate", "tool_cal"},
           {"SessionNotification", update, "/sessionId", Json()},
           {"PromptResponse", {{"stopReason", "end_turn"}}, "/stopReason", "done"},
           {"PromptRequest", AcpEditor::prompt_of("s", "t"), "/prompt/0/type", "txt"},
           {"NewSessionRequest", {{"cwd", "/"}, {"mcpServers", Json::array()}}, "/cwd", 1},
           {"Error", {{"code", -32600}, {"message", "m"}}, "/code", "x"},
       }) {
    CAPTURE(row.definition);
    CHECK(schema.problem_of(row.definition, row.good) == "");
    Json wrong = row.good;
    wrong[Json::json_pointer(row.pointer)] = row.wrong;
    CHECK(schema.problem_of(row.definition, wrong) != "");
  }
}

TEST_CASE("acp: questions stream their answers, and the next one knows the one before") {
  Acp bench;
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  const Json hello = editor.initialize()["result"];
  CHECK(hello["protocolVersion"] == 1);
  CHECK(hello["agentCapabilities"]["loadSession"] == true);
  CHECK(hello["agentCapabilities"]["promptCapabilities"]["image"] == false);
  const std::string session = editor.open(bench.project());
  editor.wait_until([&] { return !editor.updates("available_commands_update").empty(); });

  bench.model.add({call("file", {{"action", "read"}, {"path", "a.txt"}}),
                   answered("Children under six ride free. See a.txt.")});
  CHECK(stop_of(editor.prompt(session, "Who rides free?")) == "end_turn");
  CHECK(editor.said() == "Children under six ride free. See a.txt.");
  CHECK(editor.updates("agent_message_chunk").size() > 1);
  const auto calls = editor.updates("tool_call");
  REQUIRE(calls.size() == 1);
  CHECK(calls[0]["kind"] == "read");
  CHECK(calls[0]["locations"][0]["path"] == bench.project() + "/a.txt");
  const auto results = editor.updates("tool_call_update");
  REQUIRE(results.size() == 1);
  CHECK(results[0]["status"] == "completed");
  const auto usage = editor.updates("usage_update");
  REQUIRE(!usage.empty());
  CHECK(usage[0]["size"] == 32768);

  bench.model.add({answered("Yes.")});
  CHECK(stop_of(editor.prompt(session, "Also on Sundays?")) == "end_turn");
  // The conversation continues: the server has the prompt before it in its cache.
  const std::vector<std::string> bodies = bench.model.bodies();
  const Json before = (*parse_json(bodies[bodies.size() - 2]))["messages"];
  const Json after = (*parse_json(bodies.back()))["messages"];
  REQUIRE(after.size() > before.size());
  CHECK(Json(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(before.size())) == before);
  CHECK(to_line(after.back()).find("Also on Sundays?") != std::string::npos);
  CHECK(bodies.back().find("Children under six ride free. See a.txt.") != std::string::npos);

  const Json listed = editor.call("session/list", {{"cwd", bench.project()}})["result"]["sessions"];
  REQUIRE(listed.size() == 1);
  CHECK(listed[0]["sessionId"] == session);
  CHECK(listed[0]["title"] == "Who rides free?");
  CHECK(editor.call("session/list", {{"cwd", "/"}})["result"]["sessions"].empty());

  editor.forget_updates();
  CHECK(editor.call("session/close", {{"sessionId", session}}).contains("result"));
  const Json where = {
      {"sessionId", session}, {"cwd", bench.project()}, {"mcpServers", Json::array()}};
  CHECK(editor.call("session/load", where)["result"]["modes"]["currentModeId"] == "ask");
  CHECK(editor.updates("user_message_chunk").size() == 2);
  CHECK(editor.said() == "Children under six ride free. See a.txt.Yes.");
  CHECK(editor.updates("tool_call").size() == 1);
  editor.forget_updates();
  CHECK(editor.call("session/resume", where).contains("result"));
  CHECK(editor.said() == "");
  bench.model.add({answered("Still yes.")});
  CHECK(stop_of(editor.prompt(session, "Sure?")) == "end_turn");
  CHECK(bench.model.bodies().back().find("Also on Sundays?") != std::string::npos);
}

TEST_CASE(
    "acp: after a change of the model, the next question begins a job with the earlier ones") {
  Acp bench;
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  const std::string session = editor.open(bench.project());
  bench.model.add({answered("Children.")});
  CHECK(stop_of(editor.prompt(session, "Who rides free?")) == "end_turn");
  bench.model.rename("n");
  bench.model.add({answered("Yes.")});
  CHECK(stop_of(editor.prompt(session, "Also on Sundays?")) == "end_turn");
  CHECK(editor.said() == "Children.Yes.");
  const std::string body = bench.model.bodies().back();
  CHECK(body.find("Also on Sundays?") < body.find("Who rides free?"));
  CHECK(body.find("Children.") != std::string::npos);
  const std::string jobs = bench.run({"list"}).out;
  CHECK(split_lines(jobs).size() == 2);
}

TEST_CASE("acp: an image of a prompt reaches the model, and stays in the conversation") {
  Acp bench;
  bench.model.see();
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  const Json hello = editor.initialize()["result"];
  CHECK(hello["agentCapabilities"]["promptCapabilities"]["image"] == true);
  const std::string session = editor.open(bench.project());
  const std::string data = "iVBORw0KGgo=";  // the first bytes of a PNG
  const std::string part = "data:image/png;base64," + data;
  Json request = AcpEditor::prompt_of(session, "Which colour?");
  request["prompt"].push_back({{"type", "image"}, {"data", data}, {"mimeType", "image/png"}});
  bench.model.add({answered("Red.")});
  CHECK(stop_of(editor.call("session/prompt", request)) == "end_turn");
  CHECK(editor.said() == "Red.");
  CHECK(bench.model.bodies().back().find(part) != std::string::npos);
  bench.model.add({answered("Yes.")});
  CHECK(stop_of(editor.prompt(session, "Sure?")) == "end_turn");
  CHECK(bench.model.bodies().back().find(part) != std::string::npos);
  request["prompt"][1]["data"] = "AAAA";
  const Json refused = editor.call("session/prompt", request);
  CHECK(text_of(error_of(refused), "message") ==
        "session/prompt: prompt/1: not an image: expected a PNG, JPEG, GIF or WebP file");
}

TEST_CASE("acp: a build shows plan, calls, changes and questions; /undo restores the files") {
  Acp bench;
  bench.folder.write("project/.pedrocli.json", kAskAll);
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  const std::string session = editor.open(bench.project());
  CHECK(editor.call("session/set_mode", {{"sessionId", session}, {"modeId", "build"}})
            .contains("result"));
  bench.model.add({kAnalyzed, kPlanned, run_of("echo ran > b.txt"), kEdit, kDone, kDelivered});
  CHECK(stop_of(editor.prompt(session, "Say good")) == "end_turn");
  CAPTURE(editor.errors);
  CHECK(bench.file() == "good\n");
  CHECK(bench.git({"branch", "--format=%(refname:short)"}) == "main\n");
  CHECK(editor.said().find("# Say good") != std::string::npos);

  REQUIRE(editor.questions.size() == 1);
  CHECK(editor.questions[0]["toolCall"]["title"] == "echo ran > b.txt");
  CHECK(editor.questions[0]["toolCall"]["toolCallId"] != "");
  const auto plans = editor.updates("plan");
  REQUIRE(!plans.empty());
  CHECK(to_line(plans.back()).find("a.txt: say good") != std::string::npos);
  Json diff;
  for (const Json& update : editor.updates("tool_call_update")) {
    for (const Json& content : member(update, "content")) {
      if (text_of(content, "path") == bench.project() + "/a.txt") diff = content;
    }
  }
  CHECK(diff == Json{{"type", "diff"},
                     {"path", bench.project() + "/a.txt"},
                     {"oldText", "bad\n"},
                     {"newText", "good\n"}});

  CHECK(stop_of(editor.prompt(session, "/undo")) == "end_turn");
  CHECK(bench.file() == "bad\n");
}

TEST_CASE("acp: without consent a command does not run, and the model hears why") {
  Acp bench;
  bench.folder.write("project/.pedrocli.json", kAskAll);
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  editor.consent = "no";
  const std::string session = editor.open(bench.project());
  bench.model.add({kAnalyzed, kPlanned, run_of("echo ran > b.txt"), kEdit, kDone, kDelivered});
  CHECK(stop_of(editor.prompt(session, "/build Say good")) == "end_turn");
  CHECK(editor.questions.size() == 1);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/b.txt")));
  CHECK(to_line(editor.updates("tool_call_update")).find("the user said no") != std::string::npos);
}

TEST_CASE("acp: a turn is cancelled; two at once are an error in one session, not in two") {
  Acp bench;
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  const std::string first = editor.open(bench.project());
  const std::string second = editor.open(bench.project());
  bench.model.add({"stall"});
  const long long running = editor.send("session/prompt", AcpEditor::prompt_of(first, "Wait"));
  editor.wait_until([&] { return !bench.model.bodies().empty(); });
  CHECK(error_of(editor.prompt(first, "And this?"))["code"] == -32600);
  CHECK(error_of(editor.call("session/close", {{"sessionId", first}}))["code"] == -32600);
  bench.model.add({answered("Other.")});
  CHECK(stop_of(editor.prompt(second, "Another question?")) == "end_turn");
  editor.notify("session/cancel", {{"sessionId", first}});
  CHECK(stop_of(editor.wait_for(running)) == "cancelled");
  bench.model.add({answered("Now.")});
  CHECK(stop_of(editor.prompt(first, "Again?")) == "end_turn");
  CHECK(editor.said() == "Other.Now.");
  editor.terminate();
  CHECK(editor.exit_code() == 128 + SIGTERM);
}

TEST_CASE("acp: a session is loaded after its agent was killed, and its job continues") {
  Acp bench;
  std::string session;
  {
    AcpEditor editor(bench, bench.model.url(), bench.schema);
    session = editor.open(bench.project());
    editor.call("session/set_mode", {{"sessionId", session}, {"modeId", "build"}});
    bench.model.add({kAnalyzed, kPlanned, kEdit, "stall"});
    editor.send("session/prompt", AcpEditor::prompt_of(session, "Say good"));
    editor.wait_until([&] { return bench.model.bodies().size() == 4; });
    editor.kill();
  }
  const std::string marker = "HOME=" + bench.folder.path();
  for (int i = 0; i < 100 && !of_marked_processes(marker, "cmdline").empty(); ++i) {
    bench.shell("sleep 0.1");
  }
  CHECK(of_marked_processes(marker, "cmdline").empty());
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  editor.initialize();
  bench.model.add({kDone, kDelivered});
  const Json where = {
      {"sessionId", session}, {"cwd", bench.project()}, {"mcpServers", Json::array()}};
  CHECK(editor.call("session/load", where)["result"]["modes"]["currentModeId"] == "build");
  editor.wait_until([&] { return editor.said().find("# Say good") != std::string::npos; });
  CHECK(bench.file() == "good\n");
  CHECK(error_of(editor.call("session/load", {{"sessionId", "20261127-031500-042-session-7f3a"},
                                              {"cwd", bench.project()},
                                              {"mcpServers", Json::array()}}))["code"] == -32002);
}

TEST_CASE("acp: an invalid message, method or parameter gets its error") {
  Acp bench;
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  const Json empty = {{"mcpServers", Json::array()}, {"cwd", "/"}};
  CHECK(error_of(editor.call("session/new", empty))["code"] == -32600);  // not initialized
  const std::string session = editor.open(bench.project());
  editor.send_bytes("{half\n[]\n\n" + std::string(std::size_t{17} << 20, 'x') + "\n");
  editor.wait_until([&] { return editor.unknown_errors.size() == 3; });
  CHECK(editor.unknown_errors[0]["code"] == -32700);
  CHECK(editor.unknown_errors[1]["code"] == -32600);
  CHECK(editor.unknown_errors[2]["message"] == "a message of more than 16 MiB was skipped");
  editor.send_bytes(R"({"jsonrpc":"2.0","method":"unknown/notification"})"
                    "\n");
  editor.send_bytes(R"({"jsonrpc":"2.0","id":100000,"result":{}})"
                    "\n");
  struct Row {
    const char* method;
    Json params;
    int code;
    const char* message;
  };
  for (const Row& row : std::vector<Row>{
           {"session/new",
            {{"cwd", "relative"}, {"mcpServers", Json::array()}},
            -32602,
            "session/new: cwd: expected the absolute path of a folder"},
           {"session/set_mode",
            {{"sessionId", session}, {"modeId", "fast"}},
            -32602,
            "session/set_mode: modeId: expected \"ask\", \"plan\" or \"build\""},
           {"session/prompt", AcpEditor::prompt_of("none", "Hello"), -32002,
            "session/prompt: no open session 'none'"},
           {"session/prompt", AcpEditor::prompt_of(session, "/build"), -32602,
            "/build: has no text after it"},
           {"session/prompt", AcpEditor::prompt_of(session, "/undo"), -32602,
            "/undo: the session has no such job"},
           {"session/prompt",
            {{"sessionId", session}, {"prompt", Json::array()}},
            -32602,
            "session/prompt: the prompt has no text"},
       }) {
    CAPTURE(row.method);
    const Json error = error_of(editor.call(row.method, row.params));
    CHECK(error["code"] == row.code);
    CHECK(error["message"] == row.message);
  }
}

TEST_CASE("acp: manual replies and recordings need standard input, or a single job") {
  Acp bench;
  struct Row {
    std::vector<std::string> args;
    const char* message;
  };
  for (const Row& row : std::vector<Row>{
           {{"acp", "-backend", "manual"}, "-backend manual: standard input belongs to the editor"},
           {{"acp", "-record", "r.jsonl"}, "-record: several jobs would write one recording"},
           {{"ask", "Who?", "-live", "-backend", "manual"}, "-live: standard input answers"}}) {
    const ProcessResult result = bench.run(row.args);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(row.message) != std::string::npos);
  }
}

TEST_CASE("acp: a job that fails is the error of its prompt, and the session goes on") {
  Acp bench;
  AcpEditor editor(bench, bench.model.url(), bench.schema);
  const std::string session = editor.open(bench.project());
  const Json error = error_of(editor.prompt(session, "Who?"));  // the script has no reply
  CHECK(error["code"] == -32603);
  CHECK(text_of(error, "message").find("500") != std::string::npos);
  bench.model.add({answered("Nobody.")});
  CHECK(stop_of(editor.prompt(session, "And now?")) == "end_turn");
}

TEST_CASE("acp: a client that closes its end cancels the turn and leaves no process") {
  Acp bench;
  bench.model.add({"stall"});
  const ProcessResult result = bench.shell(
      "mkfifo in out; \"$0\" acp -backend openai -model-url " + bench.model.url() +
      " <in >out 2>err & agent=$!\n"
      "exec 3>in 4<out\n"
      "ask() { echo \"$1\" >&3; while read -r line <&4; do case $line in *'\"id\":'*) break;; "
      "esac; "
      "done; }\n"
      R"(ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}')"
      "\n"
      R"(ask '{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"'$PWD'","mcpServers":[]}}')"
      "\nid=${line#*'\"sessionId\":\"'}; id=${id%%'\"'*}\n"
      R"(echo '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"'$id'","prompt":[{"type":"text","text":"Wait"}]}}' >&3)"
      "\nuntil \"$0\" list -json | grep -q running; do sleep 0.05; done\n"
      "printf '{\"half' >&3; exec 3>&- 4<&-; wait $agent; echo $?; cat err");
  CAPTURE(result.err);
  CHECK(result.out.starts_with("1\n"));
  CHECK(result.out.find("the client went away during a turn or a message") != std::string::npos);
  CHECK(of_marked_processes("HOME=" + bench.folder.path(), "cmdline").empty());
  const auto job = parse_json(bench.run({"status", "-json"}).out);
  REQUIRE(job.ok());
  CHECK(text_of(*job, "state") == "interrupted");
}

TEST_CASE("acp: the clients of the protocol's own SDKs have a whole session") {
  struct Row {
    const char* variable;  // the folder or the interpreter with the SDK
    std::string command;   // before the program, the model's address and the folder
  };
  for (const Row& row : std::vector<Row>{
           {"PEDROCLI_ACP_SDK", "node " PEDROCLI_SOURCE "/tests/acp/sdk_client.mjs \"$1\""},
           {"PEDROCLI_ACP_PYTHON", "\"$1\" " PEDROCLI_SOURCE "/tests/acp/python_client.py"}}) {
    const char* sdk = std::getenv(row.variable);
    if (sdk == nullptr) {
      MESSAGE("skipped: " << row.variable << " is not set");
      continue;
    }
    Acp bench;
    bench.folder.write("project/.pedrocli.json", kAskAll);
    bench.model.add({answered("Children under six."), kAnalyzed, kPlanned,
                     run_of("echo ran > b.txt"), kEdit, kDone, kDelivered, "stall"});
    const ProcessResult result =
        bench.shell("set -- " + quoted_for_shell(sdk) + "\nPEDROCLI_MODEL_TRIES=0 " + row.command +
                    " \"$0\" " + bench.model.url() + " \"$PWD\"");
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.out.ends_with("session complete\n"));
    CHECK(bench.file() == "good\n");
  }
}

}  // namespace pedro
