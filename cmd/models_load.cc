// `models load` and `models unload`: the models of a llama-server that routes to several.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/utf8.h"
#include "find_server.h"
#include "llm/llama_client.h"
#include "llm/model_loading.h"
#include "model_factory.h"
#include "models_command.h"
#include "status_line.h"
#include "sys/url.h"

namespace pedro {
namespace {

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

}  // namespace

CommandFunction add_models_load(CLI::App& command) {
  return add_change(command, load_model);
}

CommandFunction add_models_unload(CLI::App& command) {
  return add_change(command, unload_model);
}

}  // namespace pedro
