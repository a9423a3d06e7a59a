#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/utf8.h"
#include "command.h"
#include "find_server.h"
#include "llm/context_window.h"
#include "llm/llama_client.h"
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

// Completes the list with the window of a llama-server's only model, which only /props reports.
void add_window(JsonClient& client, std::vector<ListedModel>& models) {
  if (models.size() != 1 || models.front().context_tokens > 0) return;
  const Result<Json> props = client.get("/props");
  if (!props) return;
  models.front().context_tokens = number_of(member(*props, "default_generation_settings"), "n_ctx");
}

Result<std::vector<ListedModel>> models_of_server(CommandContext& context, LoadedConfig& config) {
  find_server(context, config, ServerKinds::kAll);
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions options, client_options(context, config, trace, events));
  while (options.url.ends_with('/')) options.url.pop_back();
  if (options.url.ends_with("/v1")) options.url.resize(options.url.size() - 3);
  CurlHttp http;
  const ModelsRoute route = models_route(config.config.model.type);
  JsonClient client(http, std::move(options), route.manners, context.cancel);
  Result<std::vector<ListedModel>> models = list_models(client, route.path);
  if (models && config.config.model.type == "llamacpp") add_window(client, *models);
  return models;
}

// Returns the properties by the server, the settings and the table, with their sources.
std::vector<ModelFact> facts_about(const ListedModel& model, const Config& config,
                                   const ModelRegistry& registry) {
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
  if (!model.state.empty()) facts.insert(facts.begin(), {"state", model.state, "the server"});
  return facts;
}

Result<int> show_models(CommandContext& context, const std::string& name) {
  PEDRO_TRY(LoadedConfig config, load_project_config(context));
  PEDRO_TRY(const ModelRegistry registry, registry_of(config));
  Result<std::vector<ListedModel>> models = models_of_server(context, config);
  if (!models && (name.empty() || context.cancel.cancelled())) return models.error();
  if (!models) {
    print_note(context.global, "pedrocli: note: by the table only: " + models.error().message);
    models = std::vector<ListedModel>();
  }
  if (!name.empty()) {
    std::erase_if(*models, [&](const ListedModel& model) { return model.id != name; });
    if (models->empty()) models->push_back({name});
  }
  for (const ListedModel& model : *models) {
    const std::vector<ModelFact> facts = facts_about(model, config.config, registry);
    print(context.global.json ? in_json_lines(model.id, facts)
                              : make_printable(model.id) + "\n" + in_lines(facts));
  }
  return static_cast<int>(kExitDone);
}

}  // namespace

CommandFunction add_models_command(CLI::App& command) {
  auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "Only this model, which the server need not have");
  return [name](CommandContext& context) {
    return exit_code(show_models(context, *name), context.cancel);
  };
}

}  // namespace pedro
