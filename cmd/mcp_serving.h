#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "command.h"
#include "json_schema/schema.h"
#include "rpc_connection.h"
#include "sys/child_program.h"

namespace pedro {

/// A server of the Model Context Protocol on standard input and output, for other agents. Each call
/// of a tool is a command of this program, so sandbox, policy and checks are those of a user. The
/// jobs of the project are resources. Only for the main thread.
///
///     McpServing serving(context, project);
///     const int exit_code = serving.run();
class McpServing {
 public:
  static constexpr std::size_t kMaxCalls = 8;  ///< at the same time

  /// `project`: the folder of the project.
  McpServing(CommandContext& context, std::string project);

  /// Serves until the input ends and all calls have ended. Returns the exit code.
  int run();

 private:
  struct Tool {
    std::string name;
    Schema input;
  };

  /// A call that runs.
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

}  // namespace pedro
