#include "batch_servers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "find_server.h"
#include "llm/llama_client.h"
#include "model_factory.h"
#include "sys/url.h"

namespace pedro {
namespace {

Result<LoadedConfig> config_of_batch(CommandContext& context) {
  PEDRO_TRY(const std::string folder, find_project(context, ""));
  return load_command_config(context, folder);
}

/// Returns the number of requests that the configured server processes concurrently.
Result<int> slots_of_server(CommandContext& context) {
  if (!context.global.replay.empty()) return 1;
  PEDRO_TRY(LoadedConfig config, config_of_batch(context));
  PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kAll));
  if (config.config.model.type != "llamacpp") return 1;
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions settings, client_options(context, config, trace, events));
  CurlHttp http;
  LlamaClient client(http, std::move(settings), context.cancel);
  PEDRO_RETURN_IF_ERROR(client.wait_until_ready());
  PEDRO_TRY(const Json props, client.props());
  return static_cast<int>(
      std::clamp(number_of(props, "total_slots", 1), 1LL, 1LL * BatchServers::kMaxJobs));
}

}  // namespace

Result<std::unique_ptr<BatchServers>> BatchServers::open(CommandContext& context,
                                                         const std::vector<std::string>& urls,
                                                         const std::vector<BatchTask>& tasks,
                                                         int jobs) {
  for (const std::string& url : urls) {
    if (Status good = check_url(url); !good)
      return usage_error(good.error().at("-model-url").message);
  }
  std::unique_ptr<BatchServers> servers(new BatchServers(jobs));
  std::vector<std::string> shared = urls;
  std::vector<std::string> named;
  for (const BatchTask& task : tasks) {
    if (!task.server.empty()) {
      named.push_back(task.server);
    } else if (shared.empty()) {
      shared.emplace_back();  // the configured server
    }
  }
  int configured = jobs;
  if (urls.empty() && !shared.empty() && jobs == 0) {
    PEDRO_TRY(configured, slots_of_server(context));
    servers->jobs_ = named.empty() ? configured : 0;
  }
  if (!urls.empty() || !named.empty()) {
    PEDRO_TRY(const LoadedConfig config, config_of_batch(context));
    PEDRO_TRY(const Trace trace, make_trace(context.global));
    GenerateEvents events;
    PEDRO_TRY(ServerOptions settings, client_options(context, config, trace, events));
    servers->api_key_ = std::move(settings.api_key);
  }
  const int per_server =
      urls.empty() ? 1 : (jobs + static_cast<int>(urls.size()) - 1) / static_cast<int>(urls.size());
  BatchServers* const self = servers.get();
  const auto look = [self, configured, &context](const std::string& url) {
    if (url.empty()) return ServerLook{.answers = true, .slots = configured};
    return look_at_server(self->http_, url, self->api_key_, context.cancel);
  };
  servers->pool_ = std::make_unique<ServerPool>(shared, named, per_server, look, context.clock);
  if (servers->pool_->size() > 0 && servers->pool_->answering() == 0) {
    return Error{ErrorKind::kModel,
                 fmt::format("no server answers at {}{}; start it, or give another -model-url",
                             servers->pool_->name(0),
                             servers->pool_->size() > 1 ? " or the other addresses" : "")};
  }
  return servers;
}

std::string BatchServers::summary() const {
  const int slots = std::min(max_at_once(), pool_->capacity());
  if (slots == 0) return "waiting until a server is ready";
  const std::string at_once = fmt::format("{} at once", slots);
  if (pool_->size() == 1) return at_once;
  return at_once + fmt::format(" on {} of {} servers", pool_->answering(), pool_->size());
}

}  // namespace pedro
