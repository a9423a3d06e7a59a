#include "mcp_login.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>

#include "agent_setup.h"
#include "mcp/oauth_login.h"
#include "mcp_setup.h"
#include "sys/redirect_listener.h"

namespace pedro {
namespace {

constexpr double kBrowser_s = 600;
constexpr int kSecretChars = 64;

struct LoginOptions {
  std::string server;
  std::string scope;
};

// Returns a random text that nobody can guess.
std::string random_secret() {
  constexpr std::string_view kChars =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::random_device random;
  std::string text;
  for (int i = 0; i < kSecretChars; ++i) text += kChars[random() % kChars.size()];
  return text;
}

// Returns the settings of a server with an address.
Result<mcp::ServerSettings> settings_of(CommandContext& context, const std::string& server) {
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  PEDRO_TRY(const std::string root, overrides_root(context, config));
  PEDRO_TRY(const McpTable table, read_mcp_servers(context, config, root));
  PEDRO_TRY(mcp::ServerSettings settings, find_mcp_server(table, server));
  if (!settings.url.empty()) return settings;
  return usage_error(server + " is a program; only a server with a \"url\" has a sign-in");
}

Result<int> log_in(CommandContext& context, const LoginOptions& options) {
  PEDRO_TRY(const mcp::ServerSettings settings, settings_of(context, options.server));
  PEDRO_TRY(mcp::GrantStore grants, open_grants(context));
  PEDRO_TRY(RedirectListener listener, RedirectListener::open());
  const std::string state = random_secret();
  const auto is_ours = [&state](std::string_view query) {
    return mcp::query_value(query, "state") == state;
  };
  const mcp::LoginBrowser browser{
      .redirect_url = listener.url(),
      .state = state,
      .verifier = random_secret(),
      .show =
          [&](const std::string& url) {
            print_note(context.global, "Open this address in a browser on this machine:");
            print(url + "\n");
            std::fflush(stdout);  // a program may read it
          },
      .wait = [&] { return listener.wait(kBrowser_s, is_ours, context.cancel); }};
  CurlHttp http;
  mcp::OauthLogin login(http, context.clock,
                        {settings.url, options.scope, settings.client_id, settings.client_secret});
  const auto grant = login.run(browser, context.cancel);
  if (!grant) return grant.error().at(fmt::format("MCP server '{}'", options.server));
  PEDRO_RETURN_IF_ERROR(grants.save(settings.url, *grant));
  print_note(context.global, fmt::format("signed in; see 'pedrocli mcp test {}'", options.server));
  return kExitDone;
}

Result<int> log_out(CommandContext& context, const std::string& server) {
  PEDRO_TRY(const mcp::ServerSettings settings, settings_of(context, server));
  PEDRO_TRY(mcp::GrantStore grants, open_grants(context));
  PEDRO_TRY(const bool was_there, grants.remove(settings.url));
  print_note(context.global, was_there ? "its token is removed" : "there was no token");
  return kExitDone;
}

}  // namespace

CommandFunction add_mcp_login(CLI::App& command) {
  auto options = std::make_shared<LoginOptions>();
  command.add_option("server", options->server, "The server, one with an address")->required();
  command.add_option("--scope", options->scope, "The access to ask for; default: the server's own");
  return running(log_in, options);
}

CommandFunction add_mcp_logout(CLI::App& command) {
  auto server = std::make_shared<std::string>();
  command.add_option("server", *server, "The server")->required();
  return running(log_out, server);
}

}  // namespace pedro
