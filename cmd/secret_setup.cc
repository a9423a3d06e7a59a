#include "secret_setup.h"

#include <fmt/format.h>

#include "sandbox/sandbox_environment.h"

namespace pedro {

Secrets::Secrets(const CommandContext& context, const Config& config,
                 std::vector<std::string> roots)
    : on_(config.secrets.mask),
      files_(context.files, context.clock, on_ ? std::move(roots) : std::vector<std::string>(),
             mask_, [&options = context.global](const std::string& text) {
               print_note(options, "pedrocli: warning: " + text);
             }) {
  if (!on_) return;
  const std::string& variable = config.model.api_key_env;
  const std::string& given = context.global.api_key;
  mask_.add_key("the server's key",
                given.empty()
                    ? context.environment.get(variable.empty() ? "PEDROCLI_API_KEY" : variable)
                    : given);
  files_.look();
  for (const std::string& prefix : config.secrets.prefixes) {
    mask_.add_prefix(prefix + "…", prefix);
  }
}

void Secrets::follow(McpServer& server) {
  cover(server);
  if (server.token == nullptr) return;
  server.token->on_change = [this, &server] { cover(server); };
}

void Secrets::cover(const McpServer& server) {
  const std::string of = " of the MCP server " + server.server->name();
  if (server.token != nullptr) {
    for (std::string& text : server.token->secrets()) mask_.add_key("a token" + of, text);
  }
  const mcp::ServerSettings& settings = server.settings;
  if (!settings.client_secret.empty()) mask_.add_key("a key" + of, settings.client_secret);
  for (const auto& [variable, value] : settings.env) {
    if (names_secret(variable)) mask_.add_key(variable + of, value);
  }
  for (const std::string& header : settings.headers) {
    const std::string value = header.substr(header.find(':') + 2);
    const std::size_t blank = value.find(' ');  // after a scheme such as "Bearer"
    mask_.add_value("a header" + of, blank == value.npos ? value : value.substr(blank + 1));
  }
}

void Secrets::cover(Trace& trace) const {
  if (!on_ || !trace.sink) return;
  trace.sink = [this, sink = std::move(trace.sink)](TraceTopic topic, const std::string& text) {
    sink(topic, mask_.mask(text));
  };
}

}  // namespace pedro
