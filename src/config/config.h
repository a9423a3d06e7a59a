#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace pedro {

// The user settings with their defaults. Each setting has a row in config_keys.cc with its range,
// its one-line description and its name.

struct ModelSettings {
  std::string type = "llamacpp";  ///< kind of server, see config_keys.cc
  std::string model_name;         ///< empty: the model that the server has loaded
  std::string server_url = "http://127.0.0.1:8080";  ///< defaults of other types: load_config()
  std::string api_key_env;                    ///< name of the variable with the key; see api_key()
  std::vector<std::string> trusted_projects;  ///< folders whose files may set servers
  int context_size = 0;                       ///< tokens; 0: ask the server
  double temperature = 0.2;
  std::string phases = "auto";  ///< "auto", "short" or "long"
  int tries = -1;               ///< answers to request; -1: see ModelRegistry::answers()
  int max_tokens = 4096;        ///< per reply
  int max_retries = 5;
  std::string mode = "grammar";      ///< unconstrained|grammar|schema|hybrid
  int thinking_tokens = 0;           ///< before each reply; 0: off
  bool grounding = true;             ///< restricts calls to the state of the job
  std::string steering = "auto";     ///< single|staged|auto
  Json tool_bias = Json::object();   ///< by tool; see read_tool_biases()
  std::string format = "auto";       ///< name of a FormatFamily; auto: detected
  Json logit_bias = Json::object();  ///< see read_biases()
  std::string bodies = "auto";       ///< auto|json|raw
  int idle_timeout_seconds = 300;    ///< without any data from the server
};

struct ContextConfig {
  double high_water = 0.85;
  double low_water = 0.35;
  double files_share = 0.25;
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
  int max_inference_runs = 0;         ///< per job; 0: only the limits of the phases
  int max_task_duration_minutes = 0;  ///< 0: no limit
  int check_timeout_seconds = 900;    ///< per check command
  int idle_seconds = 120;             ///< for a command without output or activity; 0: off
};

struct GitSettings {
  std::string branch_prefix = "pedrocli/";
  std::string remote = "origin";
  bool always_draft_pr = true;
  bool pre_commit = false;
  bool stay_on_branch = false;
};

struct SandboxConfig {
  std::string mode = "auto";  ///< auto|off
  bool allow_net = false;
  std::vector<std::string> net_commands;  ///< by their first words
  /// Folders and downloads of toolchains. "~/" is the user's home.
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

/// The permissions of a model; see policy/policy.h.
struct PolicyConfig {
  Json permissions = Json::object();  ///< by class: allow|ask|deny
  Json commands = Json::object();     ///< by their first words
  Json mcp = Json::object();          ///< by tool of an MCP server
  std::vector<std::string> allowed_bash_commands;
  std::vector<std::string> forbidden_commands;
};

struct SecretSettings {
  bool mask = true;
  std::vector<std::string> prefixes;  ///< of tokens of the user's own services
};

struct MonitorSettings {
  std::string metrics_file;       ///< empty: none
  Json warn_at = Json::object();  ///< see read_warn_at()
};

struct NotifySettings {
  std::string terminal = "bell";  ///< see notification_sequence()
  std::string command;            ///< a line for `sh -c`; empty: none
};

struct DiagnosticsConfig {
  std::string mode = "on";       ///< "on" or "off"
  Json on_edit = Json::array();  ///< rows before the built-in ones; see diagnostics/file_check.h
};

struct DebugSettings {
  bool enabled = false;
};

struct ProjectSettings {
  std::string workdir;  ///< empty: the current folder
};

struct Config {
  ModelSettings model;
  ContextConfig context;
  LimitSettings limits;
  GitSettings git;
  SandboxConfig sandbox;
  PolicyConfig policy;
  PolicyConfig project_policy;  ///< of the project's file; adds to `policy`
  SecretSettings secrets;
  std::vector<std::string> checks;  ///< shell commands; empty: detected in the project
  bool clean_checks = true;         ///< repeat them in a clean checkout of the commit
  MonitorSettings monitor;
  NotifySettings notify;
  DiagnosticsConfig diagnostics;
  DebugSettings debug;
  ProjectSettings project;
  Json mcp_servers = Json::object();          ///< by name; see mcp/server_settings.h
  Json hooks = Json::object();                ///< by event; see hooks/hook.h
  Json project_mcp_servers = Json::object();  ///< of the project's file, used if it is trusted
  Json models = Json::array();                ///< rows of ModelRegistry, validated there
  Json answers = Json::array();               ///< rows of AnswerHabits, validated there
  Json vocabularies = Json::array();          ///< rows of ModelRegistry, validated there
};

}  // namespace pedro
