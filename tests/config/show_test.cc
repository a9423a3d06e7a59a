#include "config/show.h"

#include <doctest/doctest.h>

#include <set>

#include "base/json.h"
#include "config/config_keys.h"
#include "config/config_value.h"

namespace pedro {
namespace {

std::string file_in_tree(const std::string& path) {
  const auto text = RealFileSystem().read(TEST_DATA "/../../" + path, 1u << 20);
  return text ? *text : text.error().message;
}

}  // namespace

TEST_CASE("config keys: each has a place of its own, a description and a default it accepts") {
  std::set<std::string> names;
  std::set<std::string> variables;
  Config config;
  for (const ConfigKey& key : config_keys()) {
    CAPTURE(key.name);
    CHECK(names.emplace(key.name).second);
    CHECK(variables.insert(variable_of(key)).second);
    CHECK_FALSE(key.doc.empty());
    CHECK(set_from_json(config, key, value_of(Config{}, key)));
    CHECK(find_legacy_key(key.name) == nullptr);
  }
  CHECK(variable_of(*find_config_key("model.server_url")) == "PEDROCLI_MODEL_SERVER_URL");
}

TEST_CASE("config: the example file is the defaults") {
  const std::string example = file_in_tree(".pedrocli.json.example");
  CHECK(example == example_config());
  FakeFileSystem files;
  files.files["/example.json"] = example;
  const auto loaded = load_config({files, Environment{}, "", "/example.json"});
  REQUIRE(loaded);
  CHECK(loaded->warnings.empty());
  CHECK(loaded->origins.size() == config_keys().size());
  for (const ConfigKey& key : config_keys()) {
    CAPTURE(key.name);
    CHECK(value_of(loaded->config, key) == value_of(Config{}, key));
  }
}

TEST_CASE("config: the documentation lists every setting as it is") {
  const std::string page = file_in_tree("docs/reference/config.md");
  CHECK(page.find(config_reference()) != std::string::npos);
}

TEST_CASE("config show: columns are aligned, and each value has its origin") {
  FakeFileSystem files;
  files.files["/c.json"] = "{\n\"git\": {\"remote\": \"up\"}}";
  const Environment environment{{{"PEDROCLI_MODEL_MODE", "schema"}}};
  const auto loaded = load_config(
      {files, environment, "", "/c.json", {{"model.temperature", "0", "-temperature"}}});
  REQUIRE(loaded);
  CHECK(render_config(*loaded, ShowOrigin::kYes) ==
        "model.type                        \"llamacpp\"               default\n"
        "model.model_name                  \"\"                       default\n"
        "model.server_url                  \"http://127.0.0.1:8080\"  default\n"
        "model.api_key_env                 \"\"                       default\n"
        "model.trusted_projects            []                       default\n"
        "model.context_size                0                        default\n"
        "model.temperature                 0.0                      -temperature\n"
        "model.tries                       -1                       default\n"
        "model.phases                      \"auto\"                   default\n"
        "model.max_tokens                  4096                     default\n"
        "model.max_retries                 5                        default\n"
        "model.mode                        \"schema\"                 PEDROCLI_MODEL_MODE\n"
        "model.thinking_tokens             0                        default\n"
        "model.grounding                   true                     default\n"
        "model.steering                    \"auto\"                   default\n"
        "model.format                      \"auto\"                   default\n"
        "model.logit_bias                  {}                       default\n"
        "model.tool_bias                   {}                       default\n"
        "model.bodies                      \"auto\"                   default\n"
        "model.idle_timeout_seconds        300                      default\n"
        "context.high_water                0.85                     default\n"
        "context.low_water                 0.35                     default\n"
        "context.files_share               0.25                     default\n"
        "context.strategies                \"clear middle oldest\"    default\n"
        "context.start_messages            4                        default\n"
        "context.end_messages              5                        default\n"
        "context.protect_tokens            8000                     default\n"
        "context.reserve_tokens            0                        default\n"
        "context.shift_cache               \"auto\"                   default\n"
        "context.note                      \"digest\"                 default\n"
        "context.weights                   {}                       default\n"
        "limits.max_inference_runs         0                        default\n"
        "limits.max_task_duration_minutes  0                        default\n"
        "limits.check_timeout_seconds      900                      default\n"
        "limits.idle_seconds               120                      default\n"
        "git.branch_prefix                 \"pedrocli/\"              default\n"
        "git.remote                        \"up\"                     /c.json:2\n"
        "git.always_draft_pr               true                     default\n"
        "git.pre_commit                    false                    default\n"
        "git.stay_on_branch                false                    default\n"
        "sandbox.mode                      \"auto\"                   default\n"
        "sandbox.allow_net                 false                    default\n"
        "sandbox.net_commands              []                       default\n"
        "sandbox.read                      "
        "[\"~/.cargo/bin\",\"~/.cargo/registry\",\"~/.cargo/git\",\"~/.rustup\",\"~/go\",\"~/"
        ".nvm\",\"~/.pyenv\",\"~/.rbenv\",\"~/.sdkman\",\"~/.local/bin\",\"~/.local/lib\",\"~/.m2/"
        "repository\"]  default\n"
        "sandbox.write                     []                       default\n"
        "sandbox.environment               []                       default\n"
        "sandbox.max_processes             4096                     default\n"
        "sandbox.max_memory_mb             0                        default\n"
        "sandbox.max_file_mb               8192                     default\n"
        "policy.permissions                {}                       default\n"
        "policy.commands                   {}                       default\n"
        "policy.mcp                        {}                       default\n"
        "tools.allowed_bash_commands       []                       default\n"
        "tools.forbidden_commands          []                       default\n"
        "secrets.mask                      true                     default\n"
        "secrets.prefixes                  []                       default\n"
        "checks                            []                       default\n"
        "checks.clean                      true                     default\n"
        "monitor.metrics_file              \"\"                       default\n"
        "monitor.warn_at                   {}                       default\n"
        "notify.terminal                   \"bell\"                   default\n"
        "notify.command                    \"\"                       default\n"
        "diagnostics.mode                  \"on\"                     default\n"
        "diagnostics.on_edit               []                       default\n"
        "debug.enabled                     false                    default\n"
        "project.workdir                   \"\"                       default\n"
        "mcpServers                        {}                       default\n"
        "hooks                             {}                       default\n"
        "models                            []                       default\n"
        "answers                           []                       default\n"
        "vocabularies                      []                       default\n");
  CHECK(render_config(*loaded, ShowOrigin::kNo)
            .starts_with("model.type                        \"llamacpp\"\nmodel.model_name"));
}

}  // namespace pedro
