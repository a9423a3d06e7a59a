#include "find_server.h"

#include <fmt/format.h>

#include "base/text.h"
#include "llm/server_search.h"

namespace pedro {
namespace {

std::string ports_searched() {
  std::vector<std::string> ports;
  for (const UsualPort& usual : usual_ports()) ports.push_back(std::to_string(usual.port));
  return join(ports, ", ");
}

std::string shown_server(const LocalServer& server) {
  return fmt::format("{} ({})", server.url, server.kind);
}

void note_choice(const CommandContext& context, const std::vector<LocalServer>& found) {
  std::vector<std::string> others;
  for (std::size_t i = 1; i < found.size(); ++i) others.push_back(shown_server(found[i]));
  print_note(context.global,
             fmt::format("pedrocli: note: using {}: no address is set, and of the usual ports {} "
                         "it is the first that answers{}",
                         shown_server(found.front()), ports_searched(),
                         others.empty() ? "" : "; also there: " + join(others, ", ")));
}

void use(LoadedConfig& config, const std::string& kind, const std::string& url) {
  config.config.model.type = kind;
  config.config.model.server_url = url;
  config.origins["model.server_url"] = {ConfigLayer::kFlag, "the search of usual ports"};
}

}  // namespace

void find_server(CommandContext& context, LoadedConfig& config, ServerKinds kinds) {
  GlobalOptions& global = context.global;
  if (config.origins.contains("model.server_url")) return;
  const bool is_chosen = config.origins.contains("model.type");
  if (is_chosen && config.config.model.type != "llamacpp") return;
  if (!global.model_url.empty()) return use(config, global.backend, global.model_url);
  std::vector<LocalServer> found = find_local_servers(
      usual_ports(), [] { return std::make_unique<CurlHttp>(); }, context.cancel);
  if (is_chosen || kinds == ServerKinds::kLlamaServer) {
    std::erase_if(found, [](const LocalServer& server) { return server.kind != "llamacpp"; });
  }
  if (found.empty()) {
    if (context.cancel.cancelled()) return;
    return print_note(global, fmt::format("pedrocli: note: no model server answers on port {} of "
                                          "127.0.0.1; start one, or name its address with "
                                          "-model-url",
                                          ports_searched()));
  }
  note_choice(context, found);
  global.model_url = found.front().url;
  global.backend = found.front().kind;
  use(config, global.backend, global.model_url);
}

}  // namespace pedro
