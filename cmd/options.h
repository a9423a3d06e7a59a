#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pedro {

/// The flags that every command takes.
struct GlobalOptions {
  std::string config;  ///< -config PATH
  bool verbose = false;
  bool quiet = false;
  bool json = false;
  std::string debug;              ///< -debug or -debug=tokens,grammar,…; "" is off
  std::string model_url;          ///< -model-url
  std::string format;             ///< -format of commands that talk to a model
  std::string mode;               ///< -mode of the same
  bool no_grounding = false;      ///< -no-grounding of the same
  std::string backend;            ///< -backend: a value of model.type, or "manual"
  std::string record;             ///< -record FILE
  std::string replay;             ///< -replay FILE
  std::string metrics_file;       ///< -metrics-file of commands that run agents
  bool allow_net = false;         ///< -allow-net of commands that run others
  std::string resume;             ///< the job that is gone on with
  std::vector<std::string> args;  ///< as given, without secrets where a job has begun
};

/// Returns the flags that a process of this program passes on to another: config, model, recording
/// and debug, each as "--name=value".
std::vector<std::string> passed_on(const GlobalOptions& global);

/// What a job may take.
struct LimitOptions {
  std::optional<int> max_rounds;
  std::optional<long long> max_tokens;  ///< evaluated and generated
  std::optional<double> max_cost;       ///< US dollars
  std::optional<long long> max_time_s;
};

/// What an agent is asked to do.
struct TaskOptions : LimitOptions {
  std::string agent;
  std::string issue;
  std::string description;
  std::string file;
  std::vector<std::string> logs;
  std::string logs_flag = "-logs";  ///< as the command has it
  std::string workdir;
  std::string format;
  std::string mode;
  bool no_grounding = false;
  std::string metrics_file;
  bool dry_run = false;
};

/// Of agents that only read.
struct ReadOptions : TaskOptions {
  std::string resume;  ///< the id of a job whose phases are not done again
  bool label = false;  ///< put the labels on the issue
};

/// Of agents that change files.
struct BuildOptions : TaskOptions {
  std::string branch;
  std::string base;
  std::vector<std::string> test_cmd;
  bool push = false;
  bool no_commit = false;
  bool allow_dirty = false;
  bool allow_net = false;
  bool worktree = false;
  std::string resume;  ///< the id of a stopped job to go on with
};

}  // namespace pedro
