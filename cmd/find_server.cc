#include "find_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "serve_state.h"
#include "server_program.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

// A server that accepts a connection but is slow gets this time, if none answers at once.
constexpr double kSlowAnswer_s = 2;

std::string ports_searched() {
  std::vector<std::string> ports;
  for (const LocalServer& usual : usual_servers()) {
    ports.push_back(usual.url.substr(usual.url.rfind(':') + 1));
  }
  return join(ports, ", ");
}

std::string shown_server(const LocalServer& server) {
  return fmt::format("{} ({})", server.url, server.kind);
}

void note_choice(const CommandContext& context, const std::vector<LocalServer>& found,
                 const std::string& served_url) {
  std::vector<std::string> others;
  for (std::size_t i = 1; i < found.size(); ++i) others.push_back(shown_server(found[i]));
  const std::string why =
      found.front().url == served_url
          ? "`pedrocli serve` started it"
          : fmt::format("of the usual ports {} it is the first that answers", ports_searched());
  print_note(context.global,
             fmt::format("pedrocli: note: using {}: no address is set, and {}{}",
                         shown_server(found.front()), why,
                         others.empty() ? "" : "; also there: " + join(others, ", ")));
}

Error none_found(const CommandContext& context) {
  if (context.cancel.cancelled()) return interrupted(context.cancel);
  return {ErrorKind::kModel,
          fmt::format("no model server answers on port {} of 127.0.0.1; name its address with "
                      "-model-url, or {}",
                      ports_searched(), serve_advice(context).text())};
}

void use(LoadedConfig& config, const std::string& kind, const std::string& url) {
  config.config.model.type = kind;
  config.config.model.server_url = url;
  config.origins["model.server_url"] = {ConfigLayer::kFlag, "the search of usual ports"};
}

}  // namespace

std::vector<LocalServer> expected_servers(const CommandContext& context) {
  std::vector<LocalServer> expected = usual_servers();
  const auto served = running_serve(context);
  if (!served) return expected;
  std::erase_if(expected, [&](const LocalServer& usual) { return usual.url == served->url; });
  expected.insert(expected.begin(), {"llamacpp", served->url});
  return expected;
}

Status find_server(CommandContext& context, LoadedConfig& config, ServerKinds kinds) {
  GlobalOptions& global = context.global;
  if (config.origins.contains("model.server_url")) return {};
  const bool is_chosen = config.origins.contains("model.type");
  if (is_chosen && config.config.model.type != "llamacpp") return {};
  if (!global.model_url.empty()) {
    use(config, global.backend, global.model_url);
    return {};
  }
  const std::vector<LocalServer> expected = expected_servers(context);
  std::vector<LocalServer> found;
  for (const double timeout_s : {kSearchTimeout_s, kSlowAnswer_s}) {
    found = find_local_servers(
        expected, [] { return std::make_unique<CurlHttp>(); }, context.cancel, timeout_s);
    if (is_chosen || kinds == ServerKinds::kLlamaServer) {
      std::erase_if(found, [](const LocalServer& server) { return server.kind != "llamacpp"; });
    }
    if (!found.empty()) break;
  }
  if (found.empty()) return none_found(context);
  const auto served = running_serve(context);
  note_choice(context, found, served ? served->url : "");
  global.model_url = found.front().url;
  global.backend = found.front().kind;
  use(config, global.backend, global.model_url);
  return {};
}

}  // namespace pedro
