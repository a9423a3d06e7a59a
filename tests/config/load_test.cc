#include "config/load.h"

#include <doctest/doctest.h>

#include "config/show.h"

namespace pedro {
namespace {

const std::string kProject = "/some/project";
const std::string kProjectFile = "/some/project/.pedrocli.json";

struct World {
  FakeFileSystem files;
  Environment environment{{{"HOME", "/home/ada"}}};

  Result<LoadedConfig> load(std::vector<ConfigOverride> flags = {}, std::string path = "") {
    return load_config({files, environment, kProject, std::move(path), std::move(flags)});
  }
};

// Returns the output for a user: the error's message, the warnings, or "ok".
std::string outcome(const Result<LoadedConfig>& loaded, ErrorKind kind = ErrorKind::kConfig) {
  if (!loaded) {
    CHECK(loaded.error().kind == kind);
    return loaded.error().message;
  }
  std::string out;
  for (const std::string& warning : loaded->warnings) out += warning + "\n";
  return out.empty() ? "ok" : out;
}

std::string outcome_of(const std::string& text) {
  World world;
  world.files.files[kProjectFile] = text;
  return outcome(world.load());
}

}  // namespace

TEST_CASE("config: without any file the defaults hold") {
  World world;
  const auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(loaded->config.model.server_url == "http://127.0.0.1:8080");
  CHECK(loaded->config.git.branch_prefix == "pedrocli/");
  CHECK(loaded->files.empty());
  CHECK(loaded->origin_of("model.mode").place == "default");
}

TEST_CASE("config: each layer wins over the one before it") {
  World world;
  const auto name_in = [](const std::string& name) {
    return "{\n\"model\": {\n\"model_name\": \"" + name + "\"}}";
  };
  const auto check = [&](const std::string& name, const std::string& place,
                         std::vector<ConfigOverride> flags = {}) {
    const auto loaded = world.load(std::move(flags));
    REQUIRE(loaded);
    CHECK(loaded->config.model.model_name == name);
    CHECK(loaded->origin_of("model.model_name").place == place);
  };
  check("", "default");
  world.files.files["/home/ada/.pedrocli.json"] = name_in("home");
  check("home", "/home/ada/.pedrocli.json:3");
  world.files.files["/home/ada/.config/pedrocli/config.json"] = name_in("xdg");
  check("xdg", "/home/ada/.config/pedrocli/config.json:3");
  world.files.files[kProjectFile] = name_in("project");
  check("project", "/some/project/.pedrocli.json:3");
  world.environment.variables["PEDROCLI_MODEL_MODEL_NAME"] = "variable";
  check("variable", "PEDROCLI_MODEL_MODEL_NAME");
  check("flag", "-model",
        {{"model.model_name", "first", "-x"}, {"model.model_name", "flag", "-model"}});
}

TEST_CASE("config: rows are lists of objects, whose keys are not checked here") {
  World world;
  world.files.files[kProjectFile] = "{\n\"models\": [{\"pattern\": \"x\", \"anything\": {}}]}";
  world.environment.variables["PEDROCLI_VOCABULARIES"] = "[{\"name\": \"n\"}]";
  const auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(to_line(loaded->config.models) == R"([{"pattern":"x","anything":{}}])");
  CHECK(to_line(loaded->config.vocabularies) == R"([{"name":"n"}])");
  CHECK(loaded->origin_of("models").place == "/some/project/.pedrocli.json:2");
  CHECK(outcome_of(R"({"models": {}})") ==
        "/some/project/.pedrocli.json:1: models: expected a list of at most 1000 objects, got {}");
  CHECK(outcome_of(R"({"models": [1]})") ==
        "/some/project/.pedrocli.json:1: models: expected a list of at most 1000 objects, got [1]");
}

TEST_CASE("config: an empty variable counts as not set") {
  World world;
  world.environment.variables["PEDROCLI_MODEL_MODE"] = "";
  const auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(loaded->config.model.mode == "grammar");
}

TEST_CASE("config: -config reads that file and no other") {
  World world;
  world.files.files[kProjectFile] = R"({"model": {"mode": "schema"}})";
  world.files.files["/etc/p.json"] = R"({"model": {"model_name": "x", "api_key_env": "MY_KEY"}})";
  const auto loaded = world.load({}, "/etc/p.json");
  REQUIRE(loaded);
  CHECK(loaded->config.model.mode == "grammar");
  CHECK(loaded->config.model.model_name == "x");
  CHECK(loaded->files == std::vector<std::string>{"/etc/p.json"});
  CHECK(outcome(world.load({}, "/etc/q.json")) == "/etc/q.json: No such file or directory");
}

TEST_CASE("config: the home folder as project is read once, as the user's own") {
  World world;
  world.files.files["/home/ada/.pedrocli.json"] = R"({"model": {"api_key_env": "MY_KEY"}})";
  const auto loaded = load_config({world.files, world.environment, "/home/ada/"});
  REQUIRE(loaded);
  CHECK(loaded->files.size() == 1);
}

TEST_CASE("config: without HOME only the project's file is looked for") {
  World world;
  world.environment.variables.clear();
  world.files.files["/.pedrocli.json"] = R"({"model": {"mode": "schema"}})";
  world.files.files["/.config/pedrocli/config.json"] = R"({"model": {"mode": "hybrid"}})";
  const auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(loaded->files.empty());
}

TEST_CASE("config: errors in a file") {
  struct Row {
    const char* name;
    const char* text;
    const char* expected;
  };
  const Row rows[] = {
      {"an unknown group", "{\n\n\"modle\": {\"type\": \"llamacpp\"}}",
       "/some/project/.pedrocli.json:3: unknown key 'modle' (did you mean 'model'?)"},
      {"an unknown key in a group", "{\"model\": {\n\"temprature\": 1}}",
       "/some/project/.pedrocli.json:2: unknown key 'model.temprature' (did you mean "
       "'model.temperature'?)"},
      {"an unknown key that is near nothing", R"({"zzzzzz": 1})",
       "/some/project/.pedrocli.json:1: unknown key 'zzzzzz'"},
      {"an unknown key with an escape sequence for terminals", R"({"a\u001b[2Jb": 1})",
       "/some/project/.pedrocli.json:1: unknown key 'a\xEF\xBF\xBD[2Jb'"},
      {"text for a number", "{\"model\": {\n\n\"temperature\": \"hot\"}}",
       "/some/project/.pedrocli.json:3: model.temperature: expected a number from 0 to 2, got "
       "\"hot\""},
      {"a number out of range", R"({"model": {"temperature": 2.5}})",
       "/some/project/.pedrocli.json:1: model.temperature: expected a number from 0 to 2, got 2.5"},
      {"a fraction for a whole number", R"({"model": {"max_retries": 1.5}})",
       "/some/project/.pedrocli.json:1: model.max_retries: expected a whole number from 0 to 100, "
       "got 1.5"},
      {"a number no integer holds", R"({"model": {"max_retries": 18446744073709551615}})",
       "/some/project/.pedrocli.json:1: model.max_retries: expected a whole number from 0 to 100, "
       "got 18446744073709551615"},
      {"text for a truth value", R"({"debug": {"enabled": "yes"}})",
       "/some/project/.pedrocli.json:1: debug.enabled: expected true or false, got \"yes\""},
      {"null", R"({"model": {"model_name": null}})",
       "/some/project/.pedrocli.json:1: model.model_name: expected one line of text, got null"},
      {"text of two lines", R"({"model": {"model_name": "a\nb"}})",
       "/some/project/.pedrocli.json:1: model.model_name: expected one line of text, got \"a\\n"
       "b\""},
      {"no choice", R"({"model": {"type": "llama"}})",
       "/some/project/.pedrocli.json:1: model.type: expected one of llamacpp, openai, anthropic, "
       "ollama, vllm, "
       "lmstudio, got \"llama\""},
      {"no URL", R"({"model": {"server_url": "localhost:8080"}})",
       "/some/project/.pedrocli.json:1: model.server_url: expected a URL that begins with http:// "
       "or https://, or unix:/PATH, got \"localhost:8080\""},
      {"a name that git would take for an option", R"({"git": {"remote": "--upload-pack=x"}})",
       "/some/project/.pedrocli.json:1: git.remote: expected a name without blanks that does not "
       "begin with '-', got \"--upload-pack=x\""},
      {"an empty name", R"({"git": {"branch_prefix": ""}})",
       "/some/project/.pedrocli.json:1: git.branch_prefix: expected a name without blanks that "
       "does "
       "not begin with '-', got \"\""},
      {"one command instead of a list", R"({"checks": "make test"})",
       "/some/project/.pedrocli.json:1: checks: expected a list of at most 32 commands, none "
       "empty, got \"make test\""},
      {"an empty command", R"({"checks": ["make", " "]})",
       "/some/project/.pedrocli.json:1: checks: expected a list of at most 32 commands, none "
       "empty, got [\"make\",\" \"]"},
      {"a list of checks and its setting", R"({"checks": ["make"], "checks.clean": false})", "ok"},
      {"a setting of checks alone", R"({"checks": {"clean": false}})", "ok"},
      {"an earlier name", R"({"git": {"clean_checks": false}})",
       "/some/project/.pedrocli.json:1: unknown key 'git.clean_checks' (did you mean "
       "'checks.clean'?)"},
      {"a group that is none", "{\n\"model\": \"qwen\"}",
       "/some/project/.pedrocli.json:2: model: expected an object with settings, got string"},
      {"a key set twice", "{\"model\": {\"mode\": \"schema\",\n\"mode\": \"grammar\"}}",
       "/some/project/.pedrocli.json:2: 'model.mode' is set twice, first on line 1"},
      {"no object", "[1]",
       "/some/project/.pedrocli.json:1: expected an object with settings, got array"},
      {"a variable that a repository wants read", R"({"model": {"api_key_env": "AWS_SECRET"}})",
       "/some/project/.pedrocli.json:1: model.api_key_env: a project's file cannot set this; use "
       "PEDROCLI_MODEL_API_KEY_ENV or your own configuration"},
      {"the same, but empty, as in a copy of the example", R"({"model": {"api_key_env": ""}})",
       "ok"},
      {"comments are no keys", R"({"// note": 1, "// note": 2, "model": {"//": "x"}})", "ok"},
      {"nothing set", "{}", "ok"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(outcome_of(row.text) == row.expected);
  }
}

TEST_CASE("config: a file that is no JSON names the place") {
  CHECK(outcome_of("{\n  \"model\": }").starts_with("/some/project/.pedrocli.json:2:12: "));
  CHECK(outcome_of("").starts_with("/some/project/.pedrocli.json:1:1: "));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{\"a\":";
  CHECK(outcome_of(deep) == "/some/project/.pedrocli.json:1:161: JSON nested more than 32 deep");
  CHECK(outcome_of("{\"\": \"" + std::string(1u << 20, 'x') + "\"}") ==
        "/some/project/.pedrocli.json: Longer than the limit of 1048576 bytes");
}

TEST_CASE("config: errors in a variable or a flag") {
  World world;
  CHECK(outcome(world.load({{"model.temperature", "hot", "-temperature"}}), ErrorKind::kUsage) ==
        "-temperature: model.temperature: expected a number from 0 to 2, got \"hot\"");
  CHECK(outcome(world.load({{"model.modle", "x", "-c"}}), ErrorKind::kUsage) ==
        "-c: unknown key 'model.modle' (did you mean 'model.mode'?)");
  world.environment.variables["PEDROCLI_MODEL_MAX_RETRIES"] = "12x";
  CHECK(outcome(world.load()) ==
        "PEDROCLI_MODEL_MAX_RETRIES: model.max_retries: expected a whole number from 0 to 100, "
        "got \"12x\"");
}

TEST_CASE("config: a misspelt variable causes a warning, unrelated ones do not") {
  World world;
  world.environment.variables["PEDROCLI_MODEL_SERVR_URL"] = "http://x";
  world.environment.variables["PEDROCLI_GITHUB_API"] = "http://x";
  world.environment.variables["PEDROCLI_CACHE"] = "/tmp";
  CHECK(outcome(world.load()) ==
        "PEDROCLI_MODEL_SERVR_URL: unknown setting (did you mean 'PEDROCLI_MODEL_SERVER_URL'?)\n");
}

TEST_CASE("config: texts of flags and variables become the setting's type") {
  World world;
  world.environment.variables = {{"PEDROCLI_MODEL_TEMPERATURE", "0.75"},
                                 {"PEDROCLI_MODEL_CONTEXT_SIZE", "32768"},
                                 {"PEDROCLI_DEBUG_ENABLED", "1"},
                                 {"PEDROCLI_GIT_ALWAYS_DRAFT_PR", "false"},
                                 {"PEDROCLI_CHECKS", R"(["make", "make test"])"}};
  auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(loaded->config.model.temperature == 0.75);
  CHECK(loaded->config.model.context_size == 32768);
  CHECK(loaded->config.debug.enabled);
  CHECK_FALSE(loaded->config.git.always_draft_pr);
  CHECK(loaded->config.checks == std::vector<std::string>{"make", "make test"});
  loaded = world.load({{"checks", "ctest --output-on-failure", "-test-cmd"}});
  REQUIRE(loaded);
  CHECK(loaded->config.checks == std::vector<std::string>{"ctest --output-on-failure"});
  CHECK(outcome(world.load({{"model.temperature", "nan", "-t"}}), ErrorKind::kUsage) ==
        "-t: model.temperature: expected a number from 0 to 2, got null");
}

TEST_CASE("config: keys of the Go program load with one warning each") {
  CHECK(outcome_of("{\n\"lsp\": {\n\"enabled\": true,\n\"servers\": {\"go\": {\"command\": 1}}},\n"
                   "\"tools\": {},\n\"model\": {\"threads\": 8,\n\"ollama_url\": \"http://x\"}}") ==
        "/some/project/.pedrocli.json:3: 'lsp.enabled' has no effect and is ignored\n"
        "/some/project/.pedrocli.json:4: 'lsp.servers' has no effect and is ignored\n"
        "/some/project/.pedrocli.json:6: 'model.threads' has no effect and is ignored\n"
        "/some/project/.pedrocli.json:7: 'model.ollama_url' has no effect and is ignored; see "
        "'model.server_url'\n");
  CHECK(outcome_of("{\"hooks\": {\"enabled\": true}}") ==
        "/some/project/.pedrocli.json:1: 'hooks' has no effect and is ignored\n");
}

TEST_CASE("config: very many meaningless keys are counted") {
  std::string text = "{\"blog\": {\"k0\": 0";
  for (int i = 1; i < 40; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
  World world;
  world.files.files[kProjectFile] = text + "}}";
  const auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(loaded->warnings.size() == 33);
  CHECK(loaded->warnings.back() ==
        "/some/project/.pedrocli.json: 8 more keys have no effect and are ignored");
}

TEST_CASE("config: a file as the Go program's users have it loads") {
  const auto text = RealFileSystem().read(TEST_DATA "/config/original.json", 1u << 20);
  REQUIRE(text);
  World world;
  world.files.files[kProjectFile] = *text;
  const auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(loaded->config.model.model_name == "qwen2.5-coder:32b");
  CHECK(loaded->config.model.context_size == 16384);
  CHECK(loaded->config.limits.max_inference_runs == 25);
  CHECK(loaded->warnings.size() == 23);
  CHECK(loaded->config.project_policy.allowed_bash_commands ==
        std::vector<std::string>{"git", "go", "cat"});
  CHECK(loaded->config.project_policy.forbidden_commands == std::vector<std::string>{"rm", "sudo"});
}

TEST_CASE("config: a project's policy is added to the user's, and removes nothing from it") {
  World world;
  world.files.files[kProjectFile] =
      "{\"policy\": {\"commands\": {\"rm\": \"allow\"}},\n\"tools\": {\"forbidden_commands\": []}}";
  world.environment.variables["PEDROCLI_POLICY_COMMANDS"] = R"({"rm": "deny"})";
  world.environment.variables["PEDROCLI_TOOLS_FORBIDDEN_COMMANDS"] = R"(["sudo"])";
  const auto loaded = world.load();
  REQUIRE(loaded);
  CHECK(to_line(loaded->config.policy.commands) == R"({"rm":"deny"})");
  CHECK(to_line(loaded->config.project_policy.commands) == R"({"rm":"allow"})");
  CHECK(loaded->config.policy.forbidden_commands == std::vector<std::string>{"sudo"});
  CHECK(loaded->config.project_policy.forbidden_commands.empty());
  CHECK(loaded->origin_of("policy.commands").place == "PEDROCLI_POLICY_COMMANDS");
  CHECK(loaded->origin_of(project_origin("policy.commands")).place ==
        "/some/project/.pedrocli.json:1");
}

TEST_CASE("config: a server without token endpoints is reported where they are needed") {
  World world;
  world.files.files[kProjectFile] = "{\"model\":\n{\"type\": \"ollama\"}}";
  const auto loaded = world.load();
  REQUIRE(loaded);
  const Status status = require_llama_server(*loaded);
  REQUIRE_FALSE(status);
  CHECK(status.error().message ==
        "/some/project/.pedrocli.json:2: model.type: this command needs a llama-server for tokens "
        "and templates, got 'ollama'; name one with -backend llamacpp -model-url URL");
  CHECK(require_llama_server(LoadedConfig{}));
}

TEST_CASE("config: a kind of server has its usual address, until one is named") {
  struct Row {
    const char* type;
    const char* url;
  };
  for (const Row& row :
       {Row{"llamacpp", "http://127.0.0.1:8080"}, Row{"openai", "https://api.openai.com"},
        Row{"anthropic", "https://api.anthropic.com"}, Row{"ollama", "http://127.0.0.1:11434"},
        Row{"vllm", "http://127.0.0.1:8000"}, Row{"lmstudio", "http://127.0.0.1:1234"}}) {
    CAPTURE(row.type);
    World world;
    world.environment.variables["PEDROCLI_MODEL_TYPE"] = row.type;
    CHECK(world.load()->config.model.server_url == row.url);
    CHECK_FALSE(world.load()->origins.contains("model.server_url"));
    world.files.files[kProjectFile] = R"({"model": {"server_url": "http://127.0.0.1:8080"}})";
    CHECK(world.load()->config.model.server_url == "http://127.0.0.1:8080");
  }
}

TEST_CASE("config: the API key") {
  World world;
  auto& variables = world.environment.variables;
  const auto key = [&] {
    const auto loaded = world.load();
    REQUIRE(loaded);
    const auto found = api_key(*loaded, world.environment);
    return found ? *found : "error: " + found.error().message;
  };
  CHECK(key().empty());
  variables["PEDROCLI_API_KEY"] = "general";
  CHECK(key() == "general");
  variables["PEDROCLI_MODEL_API_KEY_ENV"] = "MY_KEY";
  CHECK(key() ==
        "error: PEDROCLI_MODEL_API_KEY_ENV: model.api_key_env: the environment variable 'MY_KEY' "
        "is not set");
  variables["MY_KEY"] = "mine";
  CHECK(key() == "mine");
}

TEST_CASE("config: a server that the project's file names is used if the user trusts the project") {
  struct Row {
    const char* project;  // the project's file
    std::map<std::string, std::string> variables;
    const char* error;  // "": no error
  };
  for (const Row& row : {
           Row{R"({"model": {"server_url": "http://u:p@evil.example/x"}})",
               {},
               "model.server_url: the project's file names the server 'http://evil.example/x'"},
           Row{R"({"model": {"server_url": "http://127.0.0.1:9931"}})",
               {},
               "model.server_url: the project's file names the server 'http://127.0.0.1:9931'"},
           Row{R"({"model": {"type": "openai"}})",
               {},
               "model.type: the project's file names the server 'https://api.openai.com'"},
           Row{R"({"model": {"type": "openai", "server_url": "http://127.0.0.1:9931"}})",
               {{"PEDROCLI_MODEL_TYPE", "openai"}},
               "model.server_url: the project's file names the server 'http://127.0.0.1:9931'"},
           Row{R"({"model": {"type": "ollama"}})", {}, ""},
           Row{R"({"model": {"server_url": "http://127.0.0.1:8080"}})", {}, ""},  // the default
           Row{R"({"model": {"server_url": "http://evil.example/x"}})",
               {{"PEDROCLI_MODEL_SERVER_URL", "http://mine.example"}},
               ""},
           Row{R"({"model": {"server_url": "http://mine.example"}})",
               {{"PEDROCLI_MODEL_TRUSTED_PROJECTS", "[\"/some/project/\"]"}},
               ""},
           Row{R"({"model": {"server_url": "http://mine.example"}})",
               {{"PEDROCLI_MODEL_TRUSTED_PROJECTS", "[\"/some\"]"}},
               "model.server_url: the project's file names the server 'http://mine.example'"},
       }) {
    CAPTURE(row.project);
    World world;
    world.environment.variables = row.variables;
    world.files.files[kProjectFile] = row.project;
    const auto loaded = world.load();
    REQUIRE(loaded);
    const auto key = api_key(*loaded, world.environment);
    CHECK(key.ok() == (*row.error == '\0'));
    if (!key) {
      CHECK(key.error().kind == ErrorKind::kConfig);
      CHECK(key.error().message.find(std::string("/some/project/.pedrocli.json:1: ") + row.error) ==
            0);
    }
  }
  World world;
  world.files.files[kProjectFile] = R"({"model": {"trusted_projects": ["/some/project"]}})";
  CHECK_FALSE(world.load());  // only the user's own settings may trust a project
}

}  // namespace pedro
