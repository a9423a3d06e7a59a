#include "models_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/utf8.h"
#include "command.h"
#include "find_server.h"
#include "llm/context_window.h"
#include "llm/model_list.h"
#include "model_factory.h"
#include "model_facts.h"
#include "sys/url.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

// The access to a server's list of models, in the manner of its API.
struct ModelsRoute {
  std::string path;
  ApiManners manners;
};

ModelsRoute models_route(const std::string& type) {
  if (type != "anthropic") return {"/v1/models", {}};
  return {"/v1/models?limit=1000",
          {.key_header = "x-api-key: ", .headers = {"anthropic-version: 2023-06-01"}}};
}

// A model of the list with the properties that only /props of a llama-server reports.
struct ModelRow {
  ListedModel listed;
  std::optional<bool> calls_tools = {};  // by its template
};

// Completes a model that answers. Does not load or wake others.
void add_props(JsonClient& client, ModelRow& model) {
  const std::string& state = model.listed.state;
  if (!state.empty() && state != "loaded") return;
  const std::string query = "?autoload=false&model=" + encode_query(model.listed.id);
  const Result<Json> props = client.get("/props" + (state.empty() ? "" : query));
  if (!props) return;
  const long long window = number_of(member(*props, "default_generation_settings"), "n_ctx");
  if (window > 0) model.listed.context_tokens = window;
  const Json& can = member(*props, "chat_template_caps");
  if (can.contains("supports_tools")) model.calls_tools = truth_of(can, "supports_tools");
}

// Adds the size of a file that the server has not opened yet. A relative path would be the
// server's.
void add_size(const FileSystem& files, ListedModel& model) {
  if (model.bytes == 0 && model.path.starts_with('/')) {
    model.bytes = static_cast<long long>(files.info(model.path).bytes);
  }
}

Result<std::vector<ModelRow>> models_of_server(CommandContext& context, LoadedConfig& config) {
  PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kAll));
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions options, client_options(context, config, trace, events));
  while (options.url.ends_with('/')) options.url.pop_back();
  if (options.url.ends_with("/v1")) options.url.resize(options.url.size() - 3);
  CurlHttp http;
  const ModelsRoute route = models_route(config.config.model.type);
  JsonClient client(http, std::move(options), route.manners, context.cancel);
  PEDRO_TRY(std::vector<ListedModel> listed, list_models(client, route.path));
  std::vector<ModelRow> models;
  for (ListedModel& model : listed) models.push_back({std::move(model)});
  if (config.config.model.type != "llamacpp") return models;
  const bool is_here = is_loopback_url(client.options().url);
  for (ModelRow& model : models) {
    add_props(client, model);
    if (is_here) add_size(context.files, model.listed);
  }
  return models;
}

// Returns the properties by the server, the settings and the table, with their sources.
std::vector<ModelFact> facts_about(const ModelRow& served, const Config& config,
                                   const ModelRegistry& registry) {
  const ListedModel& model = served.listed;
  const KnownModel* row = registry.model(model.id);
  std::vector<ModelFact> facts;
  if (row != nullptr) facts = facts_of(*row);
  const ContextWindow window =
      choose_window({model.context_tokens, "the server"}, config.model.context_size, row);
  std::erase_if(facts, [](const ModelFact& fact) { return fact.name == "window"; });
  const Json tokens = window.tokens > 0 ? Json(window.tokens) : Json();
  const std::string source =
      window.tokens > 0 ? window.source : "neither the server nor the table; model.context_size";
  facts.insert(facts.begin(), {"window", tokens, source});
  if (!model.state.empty()) {
    facts.insert(facts.begin(), {"state", state_text(model), "the server"});
  }
  if (model.bytes > 0) facts.push_back({"bytes", model.bytes, "the server"});
  if (served.calls_tools) {
    facts.push_back({"tools", *served.calls_tools, "the server, of the chat template"});
  }
  return facts;
}

Result<int> show_models(CommandContext& context, const std::string& name) {
  PEDRO_TRY(LoadedConfig config, load_project_config(context));
  PEDRO_TRY(const ModelRegistry registry, registry_of(config));
  Result<std::vector<ModelRow>> models = models_of_server(context, config);
  if (!models && (name.empty() || context.cancel.cancelled())) return models.error();
  if (!models) {
    print_note(context.global, "pedrocli: note: by the table only: " + models.error().message);
    models = std::vector<ModelRow>();
  }
  if (!name.empty()) {
    std::erase_if(*models, [&](const ModelRow& model) { return model.listed.id != name; });
    if (models->empty()) models->push_back({{name}});
  }
  for (const ModelRow& model : *models) {
    const std::vector<ModelFact> facts = facts_about(model, config.config, registry);
    const std::string& id = model.listed.id;
    print(context.global.json ? in_json_lines(id, facts)
                              : make_printable(id) + "\n" + in_lines(facts));
  }
  return static_cast<int>(kExitDone);
}

}  // namespace

CommandFunction add_models_command(CLI::App& command) {
  auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "Only this model, which the server need not have");
  CLI::App* load = command.add_subcommand("load", "Load a model of a router, with progress");
  CLI::App* unload = command.add_subcommand("unload", "Unload a model of a router");
  CLI::App* get = command.add_subcommand("get", "Download a small model into the cache");
  const CommandFunction run_get = add_models_get(*get);
  const CommandFunction run_load = add_models_load(*load);
  const CommandFunction run_unload = add_models_unload(*unload);
  return [=](CommandContext& context) {
    if (get->parsed()) return run_get(context);
    if (load->parsed()) return run_load(context);
    if (unload->parsed()) return run_unload(context);
    return exit_code(show_models(context, *name), context.cancel);
  };
}

}  // namespace pedro
