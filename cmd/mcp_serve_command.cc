#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "agent_setup.h"
#include "base/embedded_file.h"
#include "base/json.h"
#include "base/result.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "json_schema/schema.h"
#include "json_schema/validate.h"
#include "mcp/protocol.h"
#include "rpc_connection.h"
#include "sys/child_program.h"

namespace pedro {

extern const EmbeddedFile kServedTools[];

namespace {

// A server of the Model Context Protocol on standard input and output, for other agents. Each tool
// call is a command of this program, so sandbox, policy and checks are those of a user. The jobs of
// the project are resources. Only for the main thread.
//
//     McpServing serving(context, project);
//     const int exit_code = serving.run();
class McpServing {
 public:
  static constexpr std::size_t kMaxCalls = 8;  // at the same time

  // `project`: the folder of the project.
  McpServing(CommandContext& context, std::string project);

  // Serves until the input ends and all calls have ended. Returns the exit code.
  int run();

 private:
  struct Tool {
    std::string name;
    Schema input;
  };

  // A call that runs.
  struct Running {
    Json id;
    Json progress_token;  // null: the client wants no progress
    std::string out;
    bool out_cut = false;
    std::string last_error;
    std::string job;
    long long lines = 0;
    std::unique_ptr<ChildProgram> program;
  };

  void read();
  void hear(const json_rpc::Call& call);
  void answer(const json_rpc::Call& call, Json result);
  void refuse(const json_rpc::Call& call, int code, std::string message);
  void initialize(const json_rpc::Call& call);
  void discover(const json_rpc::Call& call);
  void call_tool(const json_rpc::Call& call);
  std::vector<std::string> command_of(const std::string& tool, const Json& args) const;
  void hear_line(Running& call, StandardStream stream, std::string_view line);
  void cancel(const Json& id);
  void finish(const Running& call);
  void list_resources(const json_rpc::Call& call);
  void read_resource(const json_rpc::Call& call);
  Result<JobSummary> job(const std::string& id) const;
  std::string report_of(const JobSummary& job) const;
  std::vector<ChildProgram*> programs() const;

  CommandContext& context_;
  std::string project_;
  RpcConnection client_;
  Json declared_;  // the list of tools
  std::vector<Tool> tools_;
  std::vector<std::unique_ptr<Running>> running_;
  bool closing_ = false;
};

constexpr int kServingLookEveryMs = 200;
constexpr std::size_t kMaxResultBytes = 100u << 10;
constexpr std::size_t kMaxKeptOutputBytes = 4u << 20;  // kept of a command
constexpr std::size_t kMaxClientTextBytes = 200;
constexpr std::size_t kMaxResources = 50;
constexpr std::uint64_t kMaxServedReportBytes = 1u << 20;
constexpr std::string_view kJobUri = "pedrocli://jobs/";
constexpr const char* kServerInfo = "io.modelcontextprotocol/serverInfo";

const Json& capabilities() {
  static const Json kCapabilities = {{"tools", Json::object()}, {"resources", Json::object()}};
  return kCapabilities;
}

Json server_info() {
  return {{"name", "pedrocli"}, {"version", PEDROCLI_VERSION}};
}

Json text_content(const std::string& text) {
  return Json::array({{{"type", "text"}, {"text", text}}});
}

std::string shown_to_client(std::string_view text) {
  return one_line(truncate_utf8(text, kMaxClientTextBytes));
}

McpServing::McpServing(CommandContext& context, std::string project)
    : context_(context),
      project_(std::move(project)),
      declared_(parse_json(kServedTools[0].bytes).value()) {
  for (const Json& tool : declared_) {
    tools_.push_back({text_of(tool, "name"), parse_schema(member(tool, "inputSchema")).value()});
  }
}

int McpServing::run() {
  for (;;) {
    closing_ = closing_ || client_.is_gone() || context_.cancel.cancelled();
    const std::vector<ChildProgram*> children = programs();
    if (closing_ && children.empty()) break;
    if (closing_) {
      for (const auto& call : running_) call->program->stop(context_.clock, kCommitGrace_ms);
      ChildProgram::wait(children, kServingLookEveryMs);
    } else if (ChildProgram::wait_with_input(children, kServingLookEveryMs)) {
      read();
    }
    for (const auto& call : running_) {
      if (call->program->exit_code()) {
        finish(*call);
      } else if (call->program->is_stopping()) {
        call->program->stop(context_.clock, kCommitGrace_ms);
      }
    }
    std::erase_if(running_,
                  [](const auto& call) { return call->program->exit_code().has_value(); });
  }
  return context_.cancel.cancelled() ? kExitSignal + context_.cancel.signal()
                                     : static_cast<int>(kExitDone);
}

std::vector<ChildProgram*> McpServing::programs() const {
  std::vector<ChildProgram*> programs;
  for (const auto& call : running_) programs.push_back(call->program.get());
  return programs;
}

void McpServing::read() {
  const bool goes_on = client_.read([this](const json_rpc::Message& message) {
    if (const auto* call = std::get_if<json_rpc::Call>(&message)) hear(*call);
  });
  closing_ = !goes_on;
}

void McpServing::answer(const json_rpc::Call& call, Json result) {
  result["resultType"] = "complete";
  client_.send(json_rpc::response(call.id, std::move(result)));
}

void McpServing::refuse(const json_rpc::Call& call, int code, std::string message) {
  client_.send(json_rpc::response(json_rpc::RpcError{code, std::move(message), call.id}));
}

void McpServing::hear(const json_rpc::Call& call) {
  if (call.is_notification()) {
    if (call.method == "notifications/cancelled") cancel(member(call.params, "requestId"));
    return;
  }
  if (call.method == "initialize") return initialize(call);
  if (call.method == "server/discover") return discover(call);
  if (call.method == "ping") return answer(call, Json::object());
  if (call.method == "tools/list") return answer(call, {{"tools", declared_}});
  if (call.method == "tools/call") return call_tool(call);
  if (call.method == "resources/list") return list_resources(call);
  if (call.method == "resources/read") return read_resource(call);
  if (call.method == "resources/templates/list") {
    return answer(call, {{"resourceTemplates",
                          {{{"uriTemplate", std::string(kJobUri) + "{id}"},
                            {"name", "job"},
                            {"mimeType", "text/markdown"}}}}});
  }
  refuse(call, json_rpc::kMethodNotFound,
         fmt::format("no method '{}'", shown_to_client(call.method)));
}

void McpServing::initialize(const json_rpc::Call& call) {
  const std::string wanted = text_of(call.params, "protocolVersion");
  const auto& known = mcp::kSessionVersions;
  const bool is_known = std::find(known.begin(), known.end(), wanted) != known.end();
  answer(call, {{"protocolVersion", is_known ? wanted : std::string(known.front())},
                {"capabilities", capabilities()},
                {"serverInfo", server_info()}});
}

void McpServing::discover(const json_rpc::Call& call) {
  Json versions = Json::array({mcp::kStatelessVersion});
  for (const std::string_view version : mcp::kSessionVersions) versions.push_back(version);
  answer(call, {{"supportedVersions", std::move(versions)},
                {"capabilities", capabilities()},
                {"_meta", {{kServerInfo, server_info()}}}});
}

std::vector<std::string> McpServing::command_of(const std::string& tool, const Json& args) const {
  std::vector<std::string> argv = {this_program(), tool};
  const bool has_project = tool == "ask" || tool == "build" || tool == "review";
  if (has_project) {
    argv.push_back("--workdir=" + project_);
    for (const std::string& flag : passed_on(context_.global)) argv.push_back(flag);
  }
  const auto add = [&](const std::string& flag, const char* key) {
    if (args.contains(key)) argv.push_back(flag + "=" + text_of(args, key));
  };
  if (tool == "build") {
    argv.emplace_back("--worktree");
    if (args.contains("issue")) {
      argv.push_back(fmt::format("--issue={}", number_of(args, "issue")));
    }
    add("--description", "task");
    add("--base", "base");
  }
  if (tool == "review") add("--branch", "branch");
  if (tool == "status") argv.emplace_back("--json");
  argv.emplace_back("--");
  for (const char* word : {"question", "job", "message"}) {
    if (args.contains(word)) argv.push_back(text_of(args, word));
  }
  return argv;
}

void McpServing::call_tool(const json_rpc::Call& call) {
  const std::string name = text_of(call.params, "name");
  const auto tool = std::ranges::find(tools_, name, &Tool::name);
  if (tool == tools_.end()) {
    return refuse(call, json_rpc::kInvalidParams,
                  fmt::format("no tool '{}'", shown_to_client(name)));
  }
  const Json& given = member(call.params, "arguments");
  const Json args = given.is_null() ? Json::object() : given;
  const auto failed = [&](const std::string& why) {
    answer(call, {{"content", text_content(why)}, {"isError", true}});
  };
  if (const auto violation = validate(tool->input, args)) {
    return failed("the arguments do not fit: " + to_string(*violation));
  }
  for (const auto& [key, value] : args.items()) {  // command lines end at a NUL
    const bool has_nul =
        value.is_string() && value.get_ref<const std::string&>().find('\0') != std::string::npos;
    if (has_nul) return failed(key + ": has a NUL character");
  }
  if (running_.size() >= kMaxCalls) {
    return failed(fmt::format("{} calls are running; try again later", kMaxCalls));
  }
  auto running = std::make_unique<Running>();
  running->id = call.id;
  running->progress_token = member(member(call.params, "_meta"), "progressToken");
  Json known = args;
  if (name == "status" || name == "tell") {
    const auto found = job(text_of(args, "job"));
    if (!found) return failed(found.error().message);
    known["job"] = found->id;
  }
  auto program = ChildProgram::start(
      command_of(name, known),
      [this, heard = running.get()](StandardStream stream, std::string_view line) {
        hear_line(*heard, stream, line);
      });
  if (!program) return failed(program.error().message);
  running->program = *std::move(program);
  running_.push_back(std::move(running));
}

void McpServing::hear_line(Running& call, StandardStream stream, std::string_view line) {
  constexpr std::string_view kJob = "job ";
  if (stream == StandardStream::kOut) {
    call.out_cut = call.out_cut || call.out.size() + line.size() >= kMaxKeptOutputBytes;
    if (!call.out_cut) call.out.append(line) += '\n';
    return;
  }
  if (call.job.empty() && line.starts_with(kJob)) {
    call.job = line.substr(kJob.size(), line.find(',') - kJob.size());
  }
  call.last_error = shown_to_client(line);
  ++call.lines;
  if (call.progress_token.is_null() || call.program->is_stopping()) return;
  client_.send(
      json_rpc::notification("notifications/progress", {{"progressToken", call.progress_token},
                                                        {"progress", call.lines},
                                                        {"message", call.last_error}}));
}

void McpServing::cancel(const Json& id) {
  for (const auto& call : running_) {
    if (call->id == id) call->program->stop(context_.clock, kCommitGrace_ms);
  }
}

void McpServing::finish(const Running& call) {
  if (call.program->is_stopping()) return;
  const int code = *call.program->exit_code();
  std::string text = make_printable(cut_middle(trim(call.out), kMaxResultBytes, ""));
  if (call.out_cut) text += "\n[... the rest is left out ...]";
  if (text.empty()) text = call.last_error;
  Json structured = {{"exit_code", code}};
  if (!call.job.empty()) structured["job"] = call.job;
  Json result = {{"content", text_content(text)},
                 {"structuredContent", std::move(structured)},
                 {"isError", code != kExitDone},
                 {"resultType", "complete"}};
  client_.send(json_rpc::response(call.id, std::move(result)));
}

// Returns a job of the project, by default the newest.
Result<JobSummary> McpServing::job(const std::string& id) const {
  PEDRO_TRY(const JobStore store, open_job_store(context_));
  if (id.empty()) {
    PEDRO_TRY(const std::vector<JobSummary> newest, store.list(1, project_));
    if (!newest.empty()) return newest.front();
    return usage_error("this project has no jobs yet");
  }
  PEDRO_TRY(const std::string full, store.find(id));
  PEDRO_TRY(JobSummary job, store.load(full));
  if (job.works_in(project_)) return job;
  return usage_error(full + ": is a job of another project");
}

void McpServing::list_resources(const json_rpc::Call& call) {
  const auto store = open_job_store(context_);
  const auto found =
      store ? store->list(kMaxResources, project_) : Result<std::vector<JobSummary>>(store.error());
  if (!found) return refuse(call, json_rpc::kInternalError, found.error().message);
  Json resources = Json::array();
  for (const JobSummary& job : *found) {
    resources.push_back({{"uri", std::string(kJobUri) + job.id},
                         {"name", job.id},
                         {"title", shown_to_client(job.agent + ": " + job.task)},
                         {"mimeType", "text/markdown"}});
  }
  answer(call, {{"resources", std::move(resources)}});
}

std::string McpServing::report_of(const JobSummary& job) const {
  const auto report = job.report.empty() ? Result<std::string>(Error{})
                                         : context_.files.read(job.report, kMaxServedReportBytes);
  if (report) return *report;
  return fmt::format("# {}\n\n- agent: {}\n- outcome: {}\n- phase: {}\n- rounds: {}\n",
                     shown_to_client(job.task), job.agent,
                     job.outcome.empty() ? "none yet" : job.outcome, job.phase, job.rounds);
}

void McpServing::read_resource(const json_rpc::Call& call) {
  const std::string uri = text_of(call.params, "uri");
  const bool is_ours = uri.starts_with(kJobUri) && uri.size() > kJobUri.size();
  if (!is_ours) {
    return refuse(call, json_rpc::kNotFound, fmt::format("no resource '{}'", shown_to_client(uri)));
  }
  const auto found = job(uri.substr(kJobUri.size()));
  if (!found) return refuse(call, json_rpc::kNotFound, found.error().message);
  answer(call, {{"contents",
                 {{{"uri", uri}, {"mimeType", "text/markdown"}, {"text", report_of(*found)}}}}});
}

Result<int> serve_agents(CommandContext& context) {
  PEDRO_RETURN_IF_ERROR(require_several_jobs(context.global, "the client"));
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  PEDRO_TRY(std::string root, overrides_root(context, config));
  return McpServing(context, std::move(root)).run();
}

}  // namespace

CommandFunction add_mcp_serve_command(CLI::App& command) {
  command.footer(
      "Another agent starts this command in a project and speaks the Model Context Protocol with\n"
      "it. Tools: ask, build, review, status, tell. Resources: the jobs of the project.\n"
      "docs/guide/mcp.md has the settings.");
  return running(serve_agents);
}

}  // namespace pedro
