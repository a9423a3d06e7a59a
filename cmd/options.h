#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The values of -debug, which may be joined by commas.
inline constexpr std::array<std::string_view, 5> kDebugTopics = {"all", "tokens", "grammar", "http",
                                                                 "prompt"};

/// The global flags, which every command accepts.
struct GlobalOptions {
  std::string config;  ///< -config PATH
  bool verbose = false;
  bool quiet = false;
  bool json = false;
  bool live = false;                ///< -live; implies `json`
  std::string debug;                ///< -debug or -debug=tokens,grammar,…; "": off
  std::string model_url;            ///< -model-url
  std::string model;                ///< -model of commands without a flag of that name
  std::string context;              ///< -context
  std::string api_key_file;         ///< -api-key-file
  std::string api_key;              ///< contents of that file; never shown
  std::string format;               ///< -format of commands that use a model
  std::string mode;                 ///< -mode of these commands
  bool no_grounding = false;        ///< -no-grounding of these commands
  std::string backend;              ///< -backend: a value of model.type, or "manual"
  std::string record;               ///< -record FILE
  std::string replay;               ///< -replay FILE
  std::string metrics_file;         ///< -metrics-file of commands that run agents
  bool allow_net = false;           ///< -allow-net of commands that run other commands
  std::string resume;               ///< id of the resumed job
  std::string message;              ///< of the user to that job; it gets it when it starts
  std::vector<std::string> images;  ///< -image of commands that run agents
  std::vector<std::string> args;    ///< verbatim; without secrets after a job has started
};

/// The limits of a job.
struct LimitOptions {
  std::optional<int> max_rounds;
  std::optional<long long> max_tokens;  ///< evaluated and generated
  std::optional<double> max_cost;       ///< US dollars
  std::optional<long long> max_time_s;
};

/// The task of an agent.
struct TaskOptions : LimitOptions {
  std::string agent;
  std::string issue;
  std::string description;
  std::string file;
  std::vector<std::string> logs;
  std::string logs_flag = "-logs";  ///< name in the command
  std::vector<std::string> images;  ///< files that the model sees
  std::string workdir;
  std::string format;
  std::string mode;
  bool no_grounding = false;
  std::string metrics_file;
  bool dry_run = false;
};

/// Options of agents that only read.
struct ReadOptions : TaskOptions {
  std::string resume;  ///< id of a job whose completed phases are skipped
  bool label = false;  ///< adds the labels to the issue
  std::string schema;  ///< file with the JSON Schema of the answer
  std::string after;   ///< id of a job that is done; the question continues its conversation
};

/// The agent whose jobs are conversations.
inline constexpr const char* kAskAgent = "ask";

/// Options of agents that change files.
struct BuildOptions : TaskOptions {
  std::string branch;
  std::string base;
  std::vector<std::string> test_cmd;
  bool push = false;
  bool no_commit = false;
  bool allow_dirty = false;
  bool allow_net = false;
  bool worktree = false;
  std::string resume;  ///< id of the stopped job to resume
  std::string after;   ///< id of the finished job that `message` continues
  std::string message;
  std::string until;  ///< phase after which the job stops; "": none
};

}  // namespace pedro
