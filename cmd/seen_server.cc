#include "seen_server.h"

#include <fmt/format.h>

#include <memory>

#include "find_server.h"
#include "llm/json_client.h"
#include "llm/model_list.h"
#include "llm/vision.h"
#include "model_factory.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr double kFindTimeout_s = 0.15;
constexpr double kAskTimeout_s = 0.06;
constexpr double kImageTimeout_s = 1;

void ask_server(CommandContext& context, const LoadedConfig& config, SeenServer& seen,
                bool asks_for_images) {
  GenerateEvents events;
  Result<ServerOptions> options = client_options(context, config, {}, events);
  if (!options) return;
  options->retry.max_attempts = 1;
  options->retry.max_loading_wait_s = 0;
  options->answer_timeout_s = asks_for_images ? kImageTimeout_s : kAskTimeout_s;
  options->ask_model = nullptr;
  CurlHttp http;
  JsonClient client(http, *std::move(options), {}, context.cancel);
  const Result<ListedModel> model = choose_model(client, "/v1/models");
  // A refusal is an answer: the server wants a key, or loads its model.
  seen.answers = seen.answers || model || client.refusal().status != 0;
  if (asks_for_images) {
    const auto models = models_with_vision(client);
    seen.takes_images = models && !models->empty();
  }
  if (!model) return;
  seen.model = model->id.starts_with('/') ? std::string(base_name(model->id)) : model->id;
  const std::string query = "?autoload=false&model=" + encode_query(model->id);
  const bool is_alone = model->state.empty();
  if (!is_alone && !model->is_ready()) return;
  const Result<Json> props = client.get("/props" + (is_alone ? "" : query));
  if (!props) return;
  seen.window_tokens = number_of(member(*props, "default_generation_settings"), "n_ctx");
}

}  // namespace

SeenServer see_server(CommandContext& context, LoadedConfig config, bool asks_for_images) {
  SeenServer seen;
  ModelSettings& settings = config.config.model;
  const bool is_set = config.origins.contains("model.server_url") ||
                      (config.origins.contains("model.type") && settings.type != "llamacpp");
  if (!is_set) {
    const std::vector<LocalServer> found = find_local_servers(
        expected_servers(context), [] { return std::make_unique<CurlHttp>(); }, context.cancel,
        kFindTimeout_s);
    if (found.empty()) return seen;
    seen.answers = true;
    settings.type = found.front().kind;
    settings.server_url = found.front().url;
  }
  seen.place = fmt::format("{} ({})", public_url(settings.server_url), settings.type);
  seen.model = settings.model_name;
  seen.answers =
      seen.answers || !is_loopback_url(settings.server_url);  // elsewhere, it may take long
  seen.takes_images = asks_for_images && settings.type == "anthropic";  // all of its models do
  const bool asks = asks_for_images && !seen.takes_images;
  if (is_loopback_url(settings.server_url) || asks) ask_server(context, config, seen, asks);
  return seen;
}

}  // namespace pedro
