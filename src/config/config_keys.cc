#include "config/config_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace pedro {
namespace {

// clang-format off
constexpr ConfigKey kKeys[] = {
    {.name = "model.type",
     .doc = "Kind of server; see below",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.type; },
     .choices = "llamacpp|openai|anthropic|ollama|vllm|lmstudio", .form = TextForm::kChoice},
    {.name = "model.model_name",
     .doc = "Name of the model, for servers that have several; empty: the loaded one",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.model_name; }},
    {.name = "model.server_url",
     .doc = "Address of the server; kinds other than llamacpp have other defaults, see below",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.server_url; },
     .form = TextForm::kUrl},
    {.name = "model.api_key_env",
     .doc = "Name of the environment variable that holds the API key; empty: PEDROCLI_API_KEY",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.api_key_env; },
     .form = TextForm::kVariable, .only_user = true},
    {.name = "model.trusted_projects",
     .doc = "Folders of projects whose .pedrocli.json may name the server, and MCP servers",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.trusted_projects; },
     .form = TextForm::kPath, .only_user = true},
    {.name = "model.context_size",
     .doc = "Tokens of context to use; 0: as many as the server reports",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.context_size; },
     .min = 0, .max = 16777216},
    {.name = "model.temperature",
     .doc = "Randomness of sampling; 0 takes the likeliest token; unset: the value of the table of models, if it has one",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.temperature; },
     .min = 0, .max = 2},
    {.name = "model.tries",
     .doc = "Answers to try before the phases, chosen by the checks; 0: none; -1: by model",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.tries; },
     .min = -1, .max = 1000},
    {.name = "model.phases",
     .doc = "Phases of build; short: solve; long: analyze, plan, implement; auto: short where the prompt shows all files of the task",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.phases; },
     .choices = "auto|short|long", .form = TextForm::kChoice},
    {.name = "model.max_tokens",
     .doc = "Maximum tokens of one reply",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.max_tokens; },
     .min = 1, .max = 1048576},
    {.name = "model.max_retries",
     .doc = "How often a refused or overloaded request is tried again",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.max_retries; },
     .min = 0, .max = 100},
    {.name = "model.mode",
     .doc = "How replies are constrained to calls; see server.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.mode; },
     .choices = "unconstrained|grammar|schema|hybrid", .form = TextForm::kChoice},
    {.name = "model.thinking_tokens",
     .doc = "Maximum tokens of thinking before each reply, if the model supports it; 0: no thinking",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.thinking_tokens; },
     .min = 0, .max = 1048576},
    {.name = "model.grounding",
     .doc = "Limit calls and edits to the state of the job: possible files, lines and ends of phases",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.grounding; }},
    {.name = "model.steering",
     .doc = "Calls in one request, or in stages that the model only fills in; auto: the faster one",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.steering; },
     .choices = "single|staged|auto", .form = TextForm::kChoice},
    {.name = "model.format",
     .doc = "Format of the model's family: a name from `pedrocli format list`, learned, or auto: detected",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.format; },
     .form = TextForm::kName},
    {.name = "model.logit_bias",
     .doc = "Texts to make likelier or less likely, by text, and by model; see formats.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.logit_bias; },
     .is_object = true},
    {.name = "model.tool_bias",
     .doc = "Tools to choose more often or less, by name; see formats.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.tool_bias; },
     .is_object = true},
    {.name = "model.bodies",
     .doc = "Place of code in calls: in the JSON, or raw after it; auto: by the model's family",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.bodies; },
     .choices = "auto|json|raw", .form = TextForm::kChoice},
    {.name = "model.idle_timeout_seconds",
     .doc = "Seconds without any data from the server before a request fails",
     .slot = [](Config& c) -> ConfigSlot { return &c.model.idle_timeout_seconds; },
     .min = 1, .max = 86400},
    {.name = "context.high_water",
     .doc = "Part of the window above which messages are removed; see context.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.high_water; },
     .min = 0.1, .max = 1},
    {.name = "context.low_water",
     .doc = "Part of the window that may remain used afterwards",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.low_water; },
     .min = 0, .max = 0.9},
    {.name = "context.files_share",
     .doc = "Part of the window for the task's files in the first prompt; 0: no files, and no answers before the phases",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.files_share; },
     .min = 0, .max = 0.9},
    {.name = "context.strategies",
     .doc = "What is removed, in this order: clear (old results), middle, oldest (exchanges)",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.strategies; }},
    {.name = "context.start_messages",
     .doc = "First messages that `middle` keeps",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.start_messages; },
     .min = 0, .max = 100000},
    {.name = "context.end_messages",
     .doc = "Last messages that `middle` keeps",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.end_messages; },
     .min = 0, .max = 100000},
    {.name = "context.protect_tokens",
     .doc = "Newest tokens in which `clear` keeps results, at most half of what may remain",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.protect_tokens; },
     .min = 0, .max = 16777216},
    {.name = "context.reserve_tokens",
     .doc = "Tokens of the window that stay free in addition to the reply",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.reserve_tokens; },
     .min = 0, .max = 16777216},
    {.name = "context.shift_cache",
     .doc = "Let the server move its cache when messages are removed; auto: if it can",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.shift_cache; },
     .choices = "auto|off", .form = TextForm::kChoice},
    {.name = "context.note",
     .doc = "Replacement for removed exchanges: a few generated lines, or a summary by the model",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.note; },
     .choices = "digest|summary|none", .form = TextForm::kChoice},
    {.name = "context.weights",
     .doc = "Weights of the importance of exchanges, by name; see context.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.context.weights; },
     .is_object = true},
    {.name = "limits.max_inference_runs",
     .doc = "Maximum replies of the model in one job; 0: only the phases' own limits",
     .slot = [](Config& c) -> ConfigSlot { return &c.limits.max_inference_runs; },
     .min = 0, .max = 1000000},
    {.name = "limits.max_task_duration_minutes",
     .doc = "Minutes after which a job stops; 0: no limit",
     .slot = [](Config& c) -> ConfigSlot { return &c.limits.max_task_duration_minutes; },
     .min = 0, .max = 100000},
    {.name = "limits.check_timeout_seconds",
     .doc = "Seconds after which a check command is killed",
     .slot = [](Config& c) -> ConfigSlot { return &c.limits.check_timeout_seconds; },
     .min = 1, .max = 86400},
    {.name = "limits.idle_seconds",
     .doc = "Seconds after which a command that prints nothing and does nothing is killed; 0: never",
     .slot = [](Config& c) -> ConfigSlot { return &c.limits.idle_seconds; },
     .min = 0, .max = 86400},
    {.name = "git.branch_prefix",
     .doc = "Prefix of the names of new branches",
     .slot = [](Config& c) -> ConfigSlot { return &c.git.branch_prefix; },
     .form = TextForm::kName},
    {.name = "git.remote",
     .doc = "The remote that branches are pushed to and issues come from",
     .slot = [](Config& c) -> ConfigSlot { return &c.git.remote; },
     .form = TextForm::kName},
    {.name = "git.always_draft_pr",
     .doc = "Open pull requests as drafts",
     .slot = [](Config& c) -> ConfigSlot { return &c.git.always_draft_pr; }},
    {.name = "git.pre_commit",
     .doc = "Run the repository's pre-commit hook, confined, as the last check",
     .slot = [](Config& c) -> ConfigSlot { return &c.git.pre_commit; },
     .only_user = true},
    {.name = "git.stay_on_branch",
     .doc = "Stay on the job's branch after a job; otherwise the checkout is restored",
     .slot = [](Config& c) -> ConfigSlot { return &c.git.stay_on_branch; }},
    {.name = "sandbox.mode",
     .doc = "auto: commands of a model and checks run confined or not at all; off: they have all your rights",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.mode; },
     .choices = "auto|off", .form = TextForm::kChoice, .only_user = true},
    {.name = "sandbox.allow_net",
     .doc = "Let confined commands use the network, as -allow-net does",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.allow_net; },
     .only_user = true},
    {.name = "sandbox.net_commands",
     .doc = "Commands that may use the network anyway, by their first words: \"npm ci\"",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.net_commands; },
     .only_user = true},
    {.name = "sandbox.read",
     .doc = "What confined commands may read besides the system and the project; see sandbox.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.read; },
     .form = TextForm::kPath, .only_user = true},
    {.name = "sandbox.write",
     .doc = "What they may change besides the project, such as ~/.cache/ccache",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.write; },
     .form = TextForm::kPath, .only_user = true},
    {.name = "sandbox.environment",
     .doc = "Variables to pass to them besides the usual ones; never one named like a secret",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.environment; },
     .form = TextForm::kVariable, .only_user = true},
    {.name = "sandbox.max_processes",
     .doc = "Maximum processes and threads of a confined command",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.max_processes; },
     .min = 16, .max = 1000000, .only_user = true},
    {.name = "sandbox.max_memory_mb",
     .doc = "Maximum megabytes of data of each of its processes; 0: no limit",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.max_memory_mb; },
     .min = 0, .max = 16777216, .only_user = true},
    {.name = "sandbox.max_file_mb",
     .doc = "Maximum megabytes of a file that it writes; 0: no limit",
     .slot = [](Config& c) -> ConfigSlot { return &c.sandbox.max_file_mb; },
     .min = 0, .max = 16777216, .only_user = true},
    {.name = "policy.permissions",
     .doc = "What a model may do, by class: read, write, execute, history, network; see policy.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.policy.permissions; },
     .is_object = true,
     .project_slot = [](Config& c) -> ConfigSlot { return &c.project_policy.permissions; }},
    {.name = "policy.commands",
     .doc = "The same by the first words of a command; the last match applies",
     .slot = [](Config& c) -> ConfigSlot { return &c.policy.commands; },
     .is_object = true,
     .project_slot = [](Config& c) -> ConfigSlot { return &c.project_policy.commands; }},
    {.name = "policy.mcp",
     .doc = "The same for tools of MCP servers: SERVER.TOOL or SERVER.*; without a rule: ask",
     .slot = [](Config& c) -> ConfigSlot { return &c.policy.mcp; },
     .is_object = true,
     .project_slot = [](Config& c) -> ConfigSlot { return &c.project_policy.mcp; }},
    {.name = "tools.allowed_bash_commands",
     .doc = "The only commands that a model may run; empty: any",
     .slot = [](Config& c) -> ConfigSlot { return &c.policy.allowed_bash_commands; },
     .project_slot =
         [](Config& c) -> ConfigSlot { return &c.project_policy.allowed_bash_commands; }},
    {.name = "tools.forbidden_commands",
     .doc = "Commands that a model may never run",
     .slot = [](Config& c) -> ConfigSlot { return &c.policy.forbidden_commands; },
     .project_slot = [](Config& c) -> ConfigSlot { return &c.project_policy.forbidden_commands; }},
    {.name = "secrets.mask",
     .doc = "Hide keys, tokens and values of .env files from the model, the journal and debug output",
     .slot = [](Config& c) -> ConfigSlot { return &c.secrets.mask; },
     .only_user = true},
    {.name = "secrets.prefixes",
     .doc = "Prefixes of tokens of your own services, such as acme-",
     .slot = [](Config& c) -> ConfigSlot { return &c.secrets.prefixes; },
     .form = TextForm::kName},
    {.name = "checks",
     .doc = "Shell commands that must succeed before a job is done; empty: detected in the project",
     .slot = [](Config& c) -> ConfigSlot { return &c.checks; }},
    {.name = "checks.clean",
     .doc = "Repeat the checks in a clean checkout of the commit; otherwise no work is verified for a clone",
     .slot = [](Config& c) -> ConfigSlot { return &c.clean_checks; }},
    {.name = "monitor.metrics_file",
     .doc = "Write a job's metrics to this file, in Prometheus format; empty: none; see monitoring.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.monitor.metrics_file; },
     .only_user = true},
    {.name = "monitor.warn_at",
     .doc = "Thresholds of warnings about resource use, by name, 0: never; see monitoring.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.monitor.warn_at; },
     .is_object = true},
    {.name = "notify.terminal",
     .doc = "Sequence for the terminal when a long job ends or asks; see guide/ask-and-tell.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.notify.terminal; },
     .choices = "off|bell|osc9|osc777", .form = TextForm::kChoice, .only_user = true},
    {.name = "notify.command",
     .doc = "Shell command to run then; PEDROCLI_NOTIFICATION has the text; empty: none",
     .slot = [](Config& c) -> ConfigSlot { return &c.notify.command; },
     .only_user = true},
    {.name = "diagnostics.mode",
     .doc = "Add the problems that an edit introduces to its result; see guide/diagnostics.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.diagnostics.mode; },
     .choices = "on|off", .form = TextForm::kChoice},
    {.name = "diagnostics.on_edit",
     .doc = "Your own checks of edited files, before the built-in ones; see guide/diagnostics.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.diagnostics.on_edit; },
     .only_user = true},
    {.name = "debug.enabled",
     .doc = "Print more on stderr, as -verbose does",
     .slot = [](Config& c) -> ConfigSlot { return &c.debug.enabled; }},
    {.name = "project.workdir",
     .doc = "The folder to work in; empty: the current one",
     .slot = [](Config& c) -> ConfigSlot { return &c.project.workdir; }},
    {.name = "mcpServers",
     .doc = "MCP servers by name, with command, args and env, or url and headers; see guide/mcp.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.mcp_servers; },
     .is_object = true,
     .project_slot = [](Config& c) -> ConfigSlot { return &c.project_mcp_servers; }},
    {.name = "hooks",
     .doc = "Your own commands at events of a job, by event; see guide/hooks.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.hooks; },
     .only_user = true,
     .is_object = true},
    {.name = "models",
     .doc = "Facts about models, before the built-in rows; see tokens.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.models; }},
    {.name = "answers",
     .doc = "Tries and forms of answers by model, before the built-in rows; see tokens.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.answers; }},
    {.name = "vocabularies",
     .doc = "Vocabularies by name, before the built-in rows; see tokens.md",
     .slot = [](Config& c) -> ConfigSlot { return &c.vocabularies; }},
};
// clang-format on

std::string_view group_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::string text_expectation(const ConfigKey& key) {
  switch (key.form) {
    case TextForm::kLine:
      return "one line of text";
    case TextForm::kChoice:
      return "one of " + replace_all(key.choices, "|", ", ");
    case TextForm::kUrl:
      return "a URL that begins with http:// or https://, or unix:/PATH";
    case TextForm::kName:
      return "a name without blanks that does not begin with '-'";
    case TextForm::kVariable:
      return "the name of an environment variable";
    case TextForm::kPath:
      return "a path that begins with '/' or '~/' and has no '..'";
  }
  return "";
}

std::string list_expectation(const ConfigKey& key) {
  if (key.form == TextForm::kPath) {
    return "a list of at most 32 paths that begin with '/' or '~/' and have no '..'";
  }
  if (key.form == TextForm::kVariable) return "a list of at most 32 names of environment variables";
  if (key.form == TextForm::kName) {
    return "a list of at most 32 names without blanks that do not begin with '-'";
  }
  return "a list of at most 32 commands, none empty";
}

// Source: the structs and example files of all versions of the Go program.
constexpr LegacyKey kLegacyKeys[] = {
    {"model.usable_context", "model.context_size"},
    {"model.ollama_url", "model.server_url"},
    {"model.timeout_seconds", "model.idle_timeout_seconds"},
    {"model.enable_grammar", "model.mode"},
    {"model.enable_tools", "model.mode"},
    {"model.grammar_logging"},
    {"model.model_path"},
    {"model.llamacpp_path"},
    {"model.n_gpu_layers"},
    {"model.threads"},
    {"project.name"},
    {"project.tech_stack"},
    {"debug.keep_temp_files"},
    {"debug.log_level"},
    {"blog.*"},
    {"calcom.*"},
    {"context.tool_result_limits"},
    {"context.compact_every_n_rounds"},
    {"context.cache_tool_results"},
    {"context.cache_dir"},
    {"database.*"},
    {"execution.*"},
    {"fileio.*"},
    {"hooks.*"},
    {"http_bridge.*"},
    {"init.*"},
    {"lsp.*"},
    {"model_profiles.*"},
    {"modes.*"},
    {"oauth.*"},
    {"orchestration.*"},
    {"platform.*"},
    {"podcast.*"},
    {"repo_storage.*"},
    {"tools.*"},
    {"vision.*"},
    {"voice.*"},
    {"web.*"},
    {"web_scraping.*"},
};

std::string_view first_part(std::string_view key) {
  return key.substr(0, key.find('.'));
}

bool matches(std::string_view pattern, std::string_view key) {
  return pattern.ends_with(".*") ? first_part(pattern) == first_part(key) : pattern == key;
}

}  // namespace

std::span<const ConfigKey> config_keys() {
  return kKeys;
}

const ConfigKey* find_config_key(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kKeys), std::end(kKeys),
                                         [&](const ConfigKey& key) { return key.name == name; });
  return found == std::end(kKeys) ? nullptr : found;
}

bool is_config_group(std::string_view name) {
  return !name.empty() &&
         std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](const ConfigKey& key) { return group_of(key.name) == name; });
}

std::string nearest_config_key(std::string_view name) {
  if (name == "git.clean_checks") return " (did you mean 'checks.clean'?)";  // its earlier name
  const std::string_view group = group_of(name);
  std::vector<std::string> beside;
  for (const ConfigKey& key : kKeys) {
    const std::string_view of_key = group_of(key.name);
    if (of_key == group) {
      beside.emplace_back(key.name);
    } else if (group.empty()) {
      beside.emplace_back(of_key);
    }
  }
  return did_you_mean(name, beside);
}

std::string variable_of(const ConfigKey& key) {
  std::string name = "PEDROCLI_";
  for (const char c : key.name) {
    name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name;
}

std::string expectation_of(const ConfigKey& key) {
  Config any;
  const ConfigSlot slot = key.slot(any);
  if (std::holds_alternative<bool*>(slot)) return "true or false";
  if (std::holds_alternative<int*>(slot)) {
    return fmt::format("a whole number from {:.0f} to {:.0f}", key.min, key.max);
  }
  if (std::holds_alternative<double*>(slot)) {
    return fmt::format("a number from {} to {}", key.min, key.max);
  }
  if (std::holds_alternative<std::string*>(slot)) return text_expectation(key);
  if (std::holds_alternative<Json*>(slot)) {
    return key.is_object ? "an object" : "a list of at most 1000 objects";
  }
  return list_expectation(key);
}

const LegacyKey* find_legacy_key(std::string_view key) {
  if (find_config_key(key) != nullptr) return nullptr;  // a known key in an otherwise ignored group
  const auto* const found =
      std::find_if(std::begin(kLegacyKeys), std::end(kLegacyKeys),
                   [&](const LegacyKey& row) { return matches(row.pattern, key); });
  return found == std::end(kLegacyKeys) ? nullptr : found;
}

bool is_legacy_group(std::string_view key) {
  return key.find('.') == std::string_view::npos && find_legacy_key(key) != nullptr;
}

}  // namespace pedro
