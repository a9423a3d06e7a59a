#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace pedro {

// What a user can set, with the defaults. A value; every member has its row in config_keys.cc,
// which holds the range, the one-line description and the names.

struct ModelSettings {
  std::string type = "llamacpp";                     ///< kind of server, see config_keys.cc
  std::string model_name;                            ///< "": whatever the server has loaded
  std::string server_url = "http://127.0.0.1:8080";  ///< load_config() has one for each type
  std::string api_key_env;  ///< name of the variable that holds the key; see api_key()
  std::vector<std::string> trusted_projects;  ///< folders whose file may name the server
  int context_size = 0;                       ///< tokens; 0: ask the server
  double temperature = 0.2;
  std::string phases = "auto";  ///< "auto", "short" or "long"
  int tries = -1;               ///< answers to ask for; -1: as ModelRegistry::answers() says
  int max_tokens = 4096;        ///< of one reply
  int max_retries = 5;
  std::string mode = "grammar";      ///< unconstrained|grammar|schema|hybrid
  int thinking_tokens = 0;           ///< before each reply; 0: none
  bool grounding = true;             ///< calls are narrowed to the state of the job
  std::string steering = "auto";     ///< single|staged|auto
  Json tool_bias = Json::object();   ///< by tool; see read_tool_biases()
  std::string format = "auto";       ///< a name of a FormatFamily; auto: the model's, found out
  Json logit_bias = Json::object();  ///< see read_biases()
  std::string bodies = "auto";       ///< auto|json|raw
  int idle_timeout_seconds = 300;    ///< without any sign of life from the server
};

struct ContextConfig {
  double high_water = 0.85;
  double low_water = 0.35;
  std::string strategies = "clear middle oldest";
  int start_messages = 4;
  int end_messages = 5;
  int protect_tokens = 8000;
  int reserve_tokens = 0;
  std::string shift_cache = "auto";  ///< auto|off
  std::string note = "digest";       ///< summary|digest|none
  Json weights = Json::object();     ///< see read_weights()
};

struct LimitSettings {
  int max_inference_runs = 0;         ///< of a whole job; 0: each phase has its own limit
  int max_task_duration_minutes = 0;  ///< 0: none
  int check_timeout_seconds = 900;    ///< for one check command
  int idle_seconds = 120;             ///< of a command that prints nothing and does nothing; 0: any
};

struct GitSettings {
  std::string branch_prefix = "pedrocli/";
  std::string remote = "origin";
  bool always_draft_pr = true;
  bool pre_commit = false;
  bool clean_checks = true;
  bool stay_on_branch = false;
};

struct SandboxConfig {
  std::string mode = "auto";  ///< auto|off
  bool allow_net = false;
  std::vector<std::string> net_commands;  ///< by the words that they begin with
  /// Where toolchains keep themselves and what they have downloaded; "~/" is the user's home.
  std::vector<std::string> read = {
      "~/.cargo/bin", "~/.cargo/registry", "~/.cargo/git", "~/.rustup", "~/go",
      "~/.nvm",       "~/.pyenv",          "~/.rbenv",     "~/.sdkman", "~/.local/bin",
      "~/.local/lib", "~/.m2/repository"};
  std::vector<std::string> write;
  std::vector<std::string> environment;
  int max_processes = 4096;
  int max_memory_mb = 0;
  int max_file_mb = 8192;
};

/// What a model may do, see tools/policy.h.
struct PolicyConfig {
  Json permissions = Json::object();  ///< by class: allow|ask|deny
  Json commands = Json::object();     ///< by words
  std::vector<std::string> allowed_bash_commands;
  std::vector<std::string> forbidden_commands;
};

struct SecretSettings {
  bool mask = true;
  std::vector<std::string> prefixes;  ///< of tokens that are known to nobody else
};

struct MonitorSettings {
  std::string metrics_file;       ///< "": none
  Json warn_at = Json::object();  ///< see read_warn_at()
};

struct DebugSettings {
  bool enabled = false;
};

struct ProjectSettings {
  std::string workdir;  ///< "": the current folder
};

struct Config {
  ModelSettings model;
  ContextConfig context;
  LimitSettings limits;
  GitSettings git;
  SandboxConfig sandbox;
  PolicyConfig policy;
  PolicyConfig project_policy;  ///< of the project's own file: beside the user's, never instead
  SecretSettings secrets;
  std::vector<std::string> checks;  ///< shell commands; empty: found in the project's tree
  MonitorSettings monitor;
  DebugSettings debug;
  ProjectSettings project;
  Json models = Json::array();        ///< rows of ModelRegistry, checked there
  Json answers = Json::array();       ///< rows of AnswerHabits, the same
  Json vocabularies = Json::array();  ///< the same
};

}  // namespace pedro
