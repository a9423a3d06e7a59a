#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "base/embedded_file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "find_server.h"
#include "llm/context_window.h"
#include "llm/llama_client.h"
#include "llm/model_list.h"
#include "llm/model_loading.h"
#include "model_factory.h"
#include "model_facts.h"
#include "status_line.h"
#include "sys/scratch_folder.h"
#include "sys/terminal_program.h"
#include "sys/url.h"
#include "vocabulary_setup.h"

namespace pedro {

extern const EmbeddedFile kFetchScripts[];
extern const std::size_t kFetchScriptsCount;

namespace {

// `models get` downloads small models. The program contains the script of the source tree for it.
constexpr const char* kTable = "weights.txt";
constexpr const char* kScript = "fetch-weights";
constexpr long long kBytesPerMegabyte = 1'000'000;

/// Published weights that the script knows.
struct Weights {
  std::string name;
  std::string file;
  long long bytes = 0;
};

std::string_view embedded(std::string_view path) {
  for (std::size_t i = 0; i < kFetchScriptsCount; ++i) {
    if (kFetchScripts[i].path == path) return kFetchScripts[i].bytes;
  }
  return {};
}

// Reads the rows "= NAME FILE BYTES SHA256".
std::vector<Weights> known_weights() {
  std::vector<Weights> all;
  for (const std::string_view line : split_lines(embedded(kTable))) {
    if (!line.starts_with("= ")) continue;
    const auto words = split(line, ' ');
    if (words.size() < 4) continue;
    all.push_back({std::string(words[1]), std::string(words[2]),
                   number_from<long long>(words[3]).value_or(0)});
  }
  return all;
}

Result<int> list_weights(CommandContext& context) {
  const std::string folder = join_path(cache_folder(context), "models");
  for (const Weights& one : known_weights()) {
    const bool is_here = context.files.info(join_path(folder, one.file)).kind == FileKind::kFile;
    if (context.global.json) {
      print_json(
          {{"name", one.name}, {"file", one.file}, {"bytes", one.bytes}, {"in_cache", is_here}});
    } else {
      print(fmt::format("{:<20} {:>6} MB  {}\n", one.name, one.bytes / kBytesPerMegabyte,
                        is_here ? "in the cache" : "pedrocli models get " + one.name));
    }
  }
  return static_cast<int>(kExitDone);
}

Result<int> get_weights(CommandContext& context, const std::string& name) {
  const std::vector<Weights> all = known_weights();
  const auto known = std::ranges::find(all, name, &Weights::name);
  if (known == all.end()) {
    std::vector<std::string> names;
    for (const Weights& one : all) names.push_back(one.name);
    return usage_error(
        fmt::format("there are no weights '{}'{}; there are: {}; other models: "
                    "pedrocli serve -hf OWNER/REPO",
                    name, did_you_mean(name, names), join(names, ", ")));
  }
  PEDRO_TRY(const ScratchFolder scratch, ScratchFolder::make(context.environment.get("TMPDIR")));
  for (std::size_t i = 0; i < kFetchScriptsCount; ++i) {
    const std::string path = join_path(scratch.path(), std::string(kFetchScripts[i].path));
    PEDRO_RETURN_IF_ERROR(context.files.write_atomic(path, kFetchScripts[i].bytes, 0600));
  }
  // The script prints its progress on stderr. It installs nothing.
  PEDRO_TRY(const int code, run_terminal_program({"env", "PEDROCLI_NO_INSTALL=1", "bash", "-c",
                                                  "bash \"$0\" \"$1\" >/dev/null",
                                                  join_path(scratch.path(), kScript), name}));
  if (code != 0) {
    return Error{ErrorKind::kModel, fmt::format("cannot download {}; the reason is above", name)};
  }
  const std::string path = join_path(join_path(cache_folder(context), "models"), known->file);
  print(context.global.json ? to_line({{"name", name}, {"path", path}}) + "\n" : path + "\n");
  print_note(context.global, "start it with: pedrocli serve " + name);
  return static_cast<int>(kExitDone);
}

CommandFunction add_models_get(CLI::App& command) {
  auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "The weights; without it, lists them");
  command.footer("Needs bash, python3 and pip. docs/eval.md names the licences.");
  return [name](CommandContext& context) {
    const Result<int> code = name->empty() ? list_weights(context) : get_weights(context, *name);
    return exit_code(code, context.cancel);
  };
}

// `models load` and `models unload`: the models of a llama-server that routes to several.
using ChangeModel = Status (*)(JsonClient& client, const ListedModel& model,
                               const OnModelProgress& on_progress);

Error no_router(const std::string& url) {
  return {ErrorKind::kModel,
          public_url(url) +
              ": serves one model and cannot load others; a router is a llama-server that is "
              "started without a model, or with --models-dir FOLDER"};
}

Result<int> change_model(CommandContext& context, const std::string& name, ChangeModel change) {
  PEDRO_TRY(LoadedConfig config, load_project_config(context));
  PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kLlamaServer));
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions options, client_options(context, config, trace, events));
  options.model = name;
  CurlHttp http;
  LlamaClient client(http, std::move(options), context.cancel);
  PEDRO_TRY(const ListedModel model, choose_model(client, "/v1/models"));
  if (model.state.empty()) return no_router(client.options().url);
  StatusLine line(context.global);
  const std::string shown = make_printable(model.id);
  PEDRO_RETURN_IF_ERROR(change(client, model, [&](const ModelProgress& progress) {
    line.show(fmt::format("{}: {}", shown, to_text(progress)));
  }));
  line.clear();
  PEDRO_TRY(const ListedModel now, choose_model(client, "/v1/models"));
  print(context.global.json ? to_line({{"model", now.id}, {"state", state_text(now)}}) + "\n"
                            : fmt::format("{}: {}\n", shown, state_text(now)));
  return static_cast<int>(kExitDone);
}

CommandFunction add_change(CLI::App& command, ChangeModel change) {
  auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "Name of the model, as `pedrocli models` lists it")->required();
  return [name, change](CommandContext& context) {
    return exit_code(change_model(context, *name, change), context.cancel);
  };
}

CommandFunction add_models_load(CLI::App& command) {
  return add_change(command, load_model);
}

CommandFunction add_models_unload(CLI::App& command) {
  return add_change(command, unload_model);
}

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
