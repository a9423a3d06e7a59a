// Drives `pedrocli mcp-serve` as another agent does, with a scripted model server and real jobs.
#include "base/text.h"
#include "cli/acp_editor.h"
#include "cli/replies.h"
#include "support/marked_processes.h"

namespace pedro {
namespace {

// A client of the server, and its project.
struct McpAgent : Program {
  explicit McpAgent(const std::string& flags = "") {
    ::signal(SIGPIPE, SIG_IGN);
    folder.write("project/a.txt", "bad\n");
    folder.write("project/Makefile", "test:\n\tgrep -q good a.txt\n");
    commit_project();
    auto variables = environment();
    variables["PEDROCLI_MODEL_TRIES"] = "0";
    variables["PEDROCLI_MODEL_PHASES"] = "short";
    auto started = ChildProgram::start(
        {"/bin/sh", "-c",
         "cd '" + project() + "' && exec " + PEDROCLI_PROGRAM +
             " mcp-serve -backend openai -model-url " + model.url() + flags},
        [this](StandardStream stream, std::string_view line) { hear(stream, line); }, variables,
        ChildInput::kPipe);
    REQUIRE(started.ok());
    server = *std::move(started);
  }

  void hear(StandardStream stream, std::string_view line) {
    if (stream == StandardStream::kError) {
      errors += std::string(line) + "\n";
      return;
    }
    const auto message = parse_json(line);
    REQUIRE(message.ok());
    CHECK(text_of(*message, "jsonrpc") == "2.0");
    if (message->contains("id")) {
      answers[to_line((*message)["id"])] = *message;
    } else {
      notices.push_back(*message);
    }
  }
  void send(const Json& message) { server->write(to_line(message) + "\n"); }
  void request(const Json& id, const std::string& method, const Json& params) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  }
  template <typename Done>
  void wait_until(Done done) {
    for (int i = 0; i < 600 && !done() && !server->exit_code(); ++i) {
      ChildProgram::wait({server.get()}, 100);
    }
    CAPTURE(errors);
    REQUIRE(done());
  }
  Json wait_for(const Json& id) {
    wait_until([&] { return answers.contains(to_line(id)); });
    return answers[to_line(id)];
  }
  Json call(const std::string& method, const Json& params) {
    const long long id = ++last_id;
    request(id, method, params);
    return wait_for(id);
  }
  Json tool(const std::string& name, const Json& args) {
    return member(call("tools/call", {{"name", name}, {"arguments", args}}), "result");
  }

  ScriptedModel model;
  std::unique_ptr<ChildProgram> server;
  std::map<std::string, Json> answers;
  std::vector<Json> notices;
  std::string errors;
  long long last_id = 0;
};

std::string text_in(const Json& result) {
  return text_of(member(result, "content").at(0), "text");
}

long long code_of(const Json& response) {
  return number_of(member(response, "error"), "code");
}

}  // namespace

TEST_CASE("mcp-serve: both generations of the protocol, and errors") {
  McpAgent agent;
  const Json old = member(agent.call("initialize", {{"protocolVersion", "2025-06-18"},
                                                    {"capabilities", Json::object()}}),
                          "result");
  CHECK(text_of(old, "protocolVersion") == "2025-06-18");
  CHECK(text_of(member(old, "serverInfo"), "name") == "pedrocli");
  CHECK(text_of(member(agent.call("initialize", {{"protocolVersion", "1999-01-01"}}), "result"),
                "protocolVersion") == "2025-11-25");
  const Json found = member(agent.call("server/discover", Json::object()), "result");
  CHECK(member(found, "supportedVersions").at(0) == "2026-07-28");
  std::string names;
  const Json listed = member(agent.call("tools/list", Json::object()), "result");
  for (const Json& one : member(listed, "tools")) {
    names += text_of(one, "name") + " ";
    CHECK(parse_schema(member(one, "inputSchema")).ok());
  }
  CHECK(names == "ask build review status tell ");
  CHECK(agent.call("ping", Json::object()).contains("result"));
  CHECK(code_of(agent.call("prompts/list", Json::object())) == -32601);
  CHECK(code_of(agent.call("tools/call", {{"name", "rm"}})) == -32602);
  for (const Json& args : {Json{{"question", ""}}, Json{{"q", "x"}}, Json::object(), Json("x")}) {
    CAPTURE(args);
    const Json refused = agent.tool("ask", args);
    CHECK(truth_of(refused, "isError"));
    CHECK(text_in(refused).starts_with("the arguments do not fit: "));
  }
  CHECK(truth_of(agent.tool("build", Json::object()), "isError"));
  CHECK(text_in(agent.tool("status", {{"job", std::string("a\0b", 3)}})) ==
        "job: has a NUL character");
  agent.server->write("not json\n");
  agent.wait_until([&] { return agent.answers.contains("null"); });
  CHECK(code_of(agent.answers["null"]) == -32700);
}

TEST_CASE("mcp-serve: a build in its own work tree, with progress, and its job as a resource") {
  McpAgent agent;
  agent.model.add(
      {call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "bad"}, {"new", "good"}}),
       kDelivered});
  agent.request("b", "tools/call",
                {{"name", "build"},
                 {"arguments", {{"task", "--json: write good"}}},
                 {"_meta", {{"progressToken", "p"}}}});
  const Json built = member(agent.wait_for("b"), "result");
  CAPTURE(built);
  CHECK_FALSE(truth_of(built, "isError"));
  CHECK(number_of(member(built, "structuredContent"), "exit_code", -1) == 0);
  CHECK(agent.folder.read("project/a.txt") == "bad\n");
  CHECK(agent.notices.size() > 2);
  CHECK(text_of(agent.notices[0], "method") == "notifications/progress");
  CHECK(text_of(member(agent.notices[0], "params"), "progressToken") == "p");
  const std::string job = text_of(member(built, "structuredContent"), "job");
  const Json listed = member(agent.call("resources/list", Json::object()), "result");
  const std::string uri = "pedrocli://jobs/" + job;
  REQUIRE(member(listed, "resources").size() == 1);
  CHECK(text_of(member(listed, "resources").at(0), "uri") == uri);
  const Json report = member(agent.call("resources/read", {{"uri", uri}}), "result");
  CHECK(text_of(member(report, "contents").at(0), "text").find("a.txt") != std::string::npos);
  CHECK(code_of(agent.call("resources/read", {{"uri", "file:///etc/passwd"}})) == -32002);
  CHECK(code_of(agent.call("resources/read", {{"uri", uri + "x"}})) == -32002);
  const Json status = agent.tool("status", {{"job", job}});
  CHECK(text_of(*parse_json(text_in(status)), "id") == job);
}

TEST_CASE("mcp-serve: a question, and a call that the client cancels") {
  McpAgent agent;
  agent.model.add({call("phase_complete", {{"answer", "It says bad."}})});
  const Json answered = agent.tool("ask", {{"question", "What does a.txt say?"}});
  CHECK(text_in(answered) == "It says bad.");
  agent.model.add({"stall"});
  agent.request(
      77, "tools/call",
      {{"name", "ask"}, {"arguments", {{"question", "What?"}}}, {"_meta", {{"progressToken", 1}}}});
  agent.wait_until([&] { return agent.model.bodies().size() == 2; });
  agent.send(
      {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 77}}}});
  agent.model.add({call("phase_complete", {{"answer", "Later."}})});
  CHECK(text_in(agent.tool("ask", {{"question", "And now?"}})) == "Later.");
  CHECK_FALSE(agent.answers.contains("77"));
}

TEST_CASE("mcp-serve: jobs of other projects are out of reach") {
  McpAgent agent;
  agent.folder.write("other/a.txt", "x\n");
  const std::string other = agent.folder.at("other");
  const std::string prepared = typed({call("phase_complete", {{"answer", "Yes."}})});
  const ProcessResult asked = agent.run(
      {"ask", "-workdir", other, "-backend", "manual", "-file", other + "/a.txt", "x?"}, prepared);
  CAPTURE(asked.err);
  REQUIRE(asked.exit_code == 0);
  const std::string foreign = text_of(*parse_json(agent.run({"status", "-json"}).out), "id");
  CHECK(text_in(agent.tool("status", Json::object())) == "this project has no jobs yet");
  for (const char* tool : {"status", "tell"}) {
    Json args = {{"job", foreign}};
    if (tool == std::string("tell")) args["message"] = "stop";
    const Json refused = agent.tool(tool, args);
    CHECK(truth_of(refused, "isError"));
    CHECK(text_in(refused).ends_with(": is a job of another project"));
  }
  CHECK(code_of(agent.call("resources/read", {{"uri", "pedrocli://jobs/" + foreign}})) == -32002);
  CHECK(code_of(agent.call("resources/read", {{"uri", "pedrocli://jobs/"}})) == -32002);
  const Json listed = member(agent.call("resources/list", Json::object()), "result");
  CHECK(member(listed, "resources").empty());
}

TEST_CASE("mcp-serve: when the client goes away, its calls end without an answer") {
  Program bench;
  ScriptedModel model;
  model.add({"stall"});
  bench.folder.write("project/a.txt", "x\n");
  bench.commit_project();
  bench.extra_environment["MARK"] = "mcp-serve-ends";
  const Json request = {{"jsonrpc", "2.0"},
                        {"id", 1},
                        {"method", "tools/call"},
                        {"params", {{"name", "ask"}, {"arguments", {{"question", "What?"}}}}}};
  const ProcessResult served =
      bench.run({"mcp-serve", "-backend", "openai", "-model-url", model.url()},
                to_line(request) + "\n{\"jsonrpc\": \"2.0\", \"id\": 2");
  CAPTURE(served.err);
  CHECK(served.exit_code == 0);
  CHECK(served.out.empty());
  CHECK(of_marked_processes("MARK=mcp-serve-ends", "comm").empty());
}

TEST_CASE("mcp-serve: pedrocli is a client of itself") {
  Program bench;
  bench.folder.write("project/a.txt", "x\n");
  bench.commit_project();
  const std::string program = PEDROCLI_PROGRAM;
  bench.folder.write(".pedrocli.json",
                     to_line({{"mcpServers",
                               {{"me",
                                 {{"command", program},
                                  {"args", {"mcp-serve"}},
                                  {"read", {program.substr(0, program.rfind('/'))}}}}}}}));
  const ProcessResult tested = bench.run({"mcp", "test", "me"});
  CAPTURE(tested.err);
  CHECK(tested.exit_code == 0);
  CHECK(tested.out.starts_with("me: 5 tools; protocol 2026-07-28; pedrocli "));
}

}  // namespace pedro
