#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "agent_setup.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "llm/model.h"
#include "mcp/call_result.h"
#include "mcp/oauth_login.h"
#include "mcp/remote_tool.h"
#include "mcp/shown_text.h"
#include "mcp_setup.h"
#include "secret_setup.h"
#include "sys/redirect_listener.h"
#include "sys/url.h"
#include "tokenizer/model_tokenizer.h"
#include "tools/count_of.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShownResultBytes = 1u << 20;

// The project, its servers, and a counter of tokens.
class McpProject {
 public:
  static Result<McpProject> open(CommandContext& context) {
    PEDRO_TRY(LoadedConfig config, load_project_config(context));
    PEDRO_TRY(std::string root, overrides_root(context, config));
    PEDRO_TRY(McpTable table, read_mcp_servers(context, config, root));
    return McpProject(context, std::move(config), std::move(root), std::move(table));
  }

  const McpTable& table() const { return table_; }

  // Starts a server by its name.
  Result<std::unique_ptr<McpServer>> start(const std::string& name) {
    PEDRO_TRY(auto settings, find_mcp_server(table_, name));
    return start_mcp_server(context_, config_.config, root_, name, std::move(settings));
  }

  // Returns the given name, or those of all servers.
  std::vector<std::string> names_of(const std::string& given) const {
    if (!given.empty()) return {given};
    std::vector<std::string> names;
    for (const auto& [name, settings] : table_.servers) names.push_back(name);
    if (names.empty()) {
      print_note(context_.global, "no MCP servers; set mcpServers, see docs/guide/mcp.md");
    }
    return names;
  }

  // Counts by the vocabulary of model.model_name, or estimates.
  std::pair<long long, bool> tokens_of(std::string_view text) {
    if (!asked_) open_tokenizer();
    const auto count = tokenizer_ ? tokenizer_->count(text) : Result<std::size_t>(Error{});
    if (count) return {static_cast<long long>(*count), tokenizer_->is_exact()};
    return {static_cast<long long>(text.size()) / kBytesPerToken + 1, false};
  }

  std::string hide(const McpServer& server, std::string text) const {
    Secrets secrets(context_, config_.config, {});
    secrets.cover(server);
    return secrets.hide(std::move(text));
  }

 private:
  McpProject(CommandContext& context, LoadedConfig config, std::string root, McpTable table)
      : context_(context),
        config_(std::move(config)),
        root_(std::move(root)),
        table_(std::move(table)) {}

  void open_tokenizer() {
    asked_ = true;
    const auto registry = registry_of(config_);
    if (!registry || config_.config.model.model_name.empty()) return;
    VocabularyStore store(context_.files, vocabulary_folders(context_), *registry);
    auto tokenizer = counting_tokenizer(config_.config.model.model_name, *registry, store);
    if (tokenizer) tokenizer_ = *std::move(tokenizer);
  }

  CommandContext& context_;
  LoadedConfig config_;
  std::string root_;
  McpTable table_;
  std::unique_ptr<Tokenizer> tokenizer_;
  bool asked_ = false;
};

std::string target_of(const mcp::ServerSettings& settings) {
  if (settings.command.empty()) return public_url(settings.url);
  // The arguments may contain secrets of the environment.
  const std::size_t count = settings.args.size();
  return settings.command + (count == 0 ? "" : " with " + count_of(count, "argument"));
}

Result<int> list_servers(CommandContext& context) {
  PEDRO_TRY(const McpProject project, McpProject::open(context));
  const McpTable& table = project.table();
  for (const auto& [name, settings] : table.servers) {
    const std::string target = target_of(settings);
    const std::string& place = table.places.at(name);
    if (context.global.json) {
      print_json({{"name", name}, {"target", target}, {"net", settings.net}, {"from", place}});
    } else {
      print(make_printable(fmt::format("{:<16} {}  ({})\n", name, target, place)));
    }
  }
  for (const auto& [name, folder] : table.untrusted) {
    print_note(context.global, find_mcp_server(table, name).error().message);
  }
  (void)project.names_of("");
  return kExitDone;
}

using ShowServer = void (*)(const CommandContext&, McpProject&, const McpServer&);

// Runs `show` for each server. The exit code is that of the last failure.
Result<int> for_each_server(CommandContext& context, const std::string& given, ShowServer show) {
  PEDRO_TRY(McpProject project, McpProject::open(context));
  int code = kExitDone;
  for (const std::string& name : project.names_of(given)) {
    const auto server = project.start(name);
    if (server) {
      show(context, project, **server);
    } else {
      code = report_error(server.error(), context.cancel);
    }
    if (context.cancel.cancelled()) break;
  }
  return code;
}

// Prints the tools of a server as a model would see them, with their tokens.
void show_server_tools(const CommandContext& context, McpProject& project,
                       const McpServer& server) {
  long long sum = 0;
  bool exact = true;
  const std::string& name = server.server->name();
  for (const mcp::ToolDeclaration& tool : server.server->tools()) {
    const auto manifest = mcp::manifest_of(name, tool);
    if (!manifest) {
      print_note(context.global,
                 fmt::format("{}.{}: left out: {}", name, tool.name, manifest.error().message));
      continue;
    }
    const auto [tokens, is_exact] = project.tokens_of(describe(*manifest));
    sum += tokens;
    exact = exact && is_exact;
    if (context.global.json) {
      print_json({{"name", manifest->server_tool},
                  {"tool", manifest->name},
                  {"tokens", tokens},
                  {"exact", is_exact},
                  {"about", manifest->description},
                  {"args", manifest->actions.front().schema_json},
                  {"declared", tool.input_schema}});
      continue;
    }
    print(fmt::format("{:>6} {:<32} {}\n", (is_exact ? "" : kAbout) + std::to_string(tokens),
                      manifest->server_tool, truncate_utf8(manifest->description, 80)));
  }
  if (!context.global.json) {
    print(fmt::format("{:>6} tokens in all for {}.*\n", (exact ? "" : kAbout) + std::to_string(sum),
                      name));
  }
}

void show_test(const CommandContext& context, McpProject& /*project*/, const McpServer& server) {
  const mcp::Client& client = server.server->client();
  const std::string& name = server.server->name();
  const std::size_t tools = server.server->tools().size();
  if (context.global.json) {
    print_json({{"name", name},
                {"protocol", client.protocol()},
                {"title", client.title()},
                {"tools", tools}});
    return;
  }
  print(fmt::format("{}: {} tools; protocol {}; {}\n", name, tools, client.protocol(),
                    client.title().empty() ? "no name of its own" : client.title()));
}

// Prints the result of a server, masked and bounded.
int print_result(const McpProject& project, const McpServer& server, bool ok,
                 const std::string& given) {
  const std::string text = project.hide(server, make_printable(given));
  print(cut_middle(text, kMaxShownResultBytes, "") + "\n");
  return ok ? kExitDone : kExitNo;
}

struct CallOptions {
  std::string server;
  std::string tool;
  std::string args = "{}";
};

Result<int> call_server(CommandContext& context, const CallOptions& options) {
  const Result<Json> args = parse_json(options.args);
  if (!args) return usage_error("the arguments are not JSON: " + args.error().message);
  PEDRO_TRY(McpProject project, McpProject::open(context));
  PEDRO_TRY(const auto server, project.start(options.server));
  std::vector<std::string> known;
  for (const mcp::ToolDeclaration& tool : server->server->tools()) {
    known.push_back(tool.name);
    if (tool.name != options.tool) continue;
    const auto manifest = mcp::manifest_of(options.server, tool);
    if (!manifest) return usage_error(options.tool + ": " + manifest.error().message);
    const CheckedArgs checked = check_args(*manifest, *args);
    if (!checked.problem.empty()) return usage_error(checked.problem);
    PEDRO_TRY(const ToolResult result, server->server->call(tool, checked.args, context.cancel));
    return print_result(project, *server, result.ok, result.text);
  }
  return usage_error(fmt::format("{} has no tool '{}'{}; it has: {}", options.server, options.tool,
                                 did_you_mean(options.tool, known), join(known, ", ")));
}

// Prints one declaration: its name, then a text about it.
void print_declared(const CommandContext& context, const Json& declared, const std::string& name,
                    const std::string& about) {
  print(context.global.json
            ? to_line(declared) + "\n"
            : make_printable(
                  fmt::format("{:<40} {}\n", name, truncate_utf8(mcp::one_line(about, 200), 80))));
}

Result<int> list_resources(CommandContext& context, const std::string& name) {
  PEDRO_TRY(McpProject project, McpProject::open(context));
  PEDRO_TRY(const auto server, project.start(name));
  PEDRO_RETURN_IF_ERROR(server->server->list_resources(context.cancel));
  for (const mcp::ResourceDeclaration& one : server->server->resources()) {
    print_declared(context,
                   {{"uri", one.uri},
                    {"template", one.is_template},
                    {"name", one.name},
                    {"type", one.type},
                    {"about", one.description}},
                   one.uri, one.description.empty() ? one.name : one.description);
  }
  return kExitDone;
}

Result<int> read_resource(CommandContext& context, const std::string& name,
                          const std::string& uri) {
  PEDRO_TRY(McpProject project, McpProject::open(context));
  PEDRO_TRY(const auto server, project.start(name));
  PEDRO_TRY(const ToolResult result, server->server->read(uri, context.cancel));
  return print_result(project, *server, result.ok, result.text);
}

// Returns the form of a prompt's arguments: "city, units?".
std::string arguments_of(const mcp::PromptDeclaration& prompt) {
  std::vector<std::string> names;
  for (const Json& one : prompt.arguments) {
    names.push_back(text_of(one, "name") + (truth_of(one, "required") ? "" : "?"));
  }
  return join(names, ", ");
}

Result<int> list_prompts(CommandContext& context, const std::string& name) {
  PEDRO_TRY(McpProject project, McpProject::open(context));
  PEDRO_TRY(const auto server, project.start(name));
  PEDRO_TRY(const auto prompts, server->server->client().list_prompts(context.cancel));
  for (const mcp::PromptDeclaration& one : prompts) {
    const std::string arguments = arguments_of(one);
    print_declared(context,
                   {{"name", one.name}, {"about", one.description}, {"arguments", one.arguments}},
                   arguments.empty() ? one.name : fmt::format("{} ({})", one.name, arguments),
                   one.description);
  }
  return kExitDone;
}

// Prints the text of a prompt, for a file or another command.
Result<int> show_prompt(CommandContext& context, const CallOptions& options) {
  const Result<Json> args = parse_json(options.args);
  if (!args) return usage_error("the arguments are not JSON: " + args.error().message);
  const bool fits = args->is_object() &&
                    std::ranges::all_of(*args, [](const Json& value) { return value.is_string(); });
  if (!fits) return usage_error("the arguments of a prompt are an object of strings");
  PEDRO_TRY(McpProject project, McpProject::open(context));
  PEDRO_TRY(const auto server, project.start(options.server));
  const auto got = server->server->client().get_prompt(options.tool, *args, context.cancel);
  if (!got && got.error().kind == ErrorKind::kRefused) {
    std::string text = got.error().message;
    PEDRO_TRY(const auto prompts, server->server->client().list_prompts(context.cancel));
    const auto known = std::ranges::find(prompts, options.tool, &mcp::PromptDeclaration::name);
    std::vector<std::string> names;
    for (const mcp::PromptDeclaration& one : prompts) names.push_back(one.name);
    text += known == prompts.end() ? "\nThe server's prompts: " + join(names, ", ")
                                   : "\nIts arguments: " + arguments_of(*known);
    return print_result(project, *server, false, text);
  }
  if (!got) return got.error();
  return print_result(project, *server, true, mcp::text_of_prompt(*got));
}

CommandFunction add_for_each(CLI::App& command, ShowServer show) {
  auto name = std::make_shared<std::string>();
  command.add_option("server", *name, "The server; without it, all");
  return [name, show](CommandContext& context) {
    return exit_code(for_each_server(context, *name, show), context.cancel);
  };
}

CommandFunction add_mcp_list(CLI::App&) {
  return running(list_servers);
}

CommandFunction add_mcp_tools_command(CLI::App& command) {
  return add_for_each(command, show_server_tools);
}

CommandFunction add_mcp_test(CLI::App& command) {
  return add_for_each(command, show_test);
}

CommandFunction add_mcp_call(CLI::App& command) {
  auto options = std::make_shared<CallOptions>();
  command.add_option("server", options->server, "The server")->required();
  command.add_option("tool", options->tool, "One of its tools")->required();
  command.add_option("args", options->args, "The arguments, in JSON");
  return running(call_server, options);
}

// Declares a command about one server.
CommandFunction add_with_server(CLI::App& command,
                                Result<int> (*run)(CommandContext&, const std::string&)) {
  auto name = std::make_shared<std::string>();
  command.add_option("server", *name, "The server")->required();
  return running(run, name);
}

CommandFunction add_mcp_resources(CLI::App& command) {
  return add_with_server(command, list_resources);
}

CommandFunction add_mcp_prompts(CLI::App& command) {
  return add_with_server(command, list_prompts);
}

CommandFunction add_mcp_read(CLI::App& command) {
  auto options = std::make_shared<CallOptions>();
  command.add_option("server", options->server, "The server")->required();
  command.add_option("uri", options->tool, "The address of a resource")->required();
  return [options](CommandContext& context) {
    return exit_code(read_resource(context, options->server, options->tool), context.cancel);
  };
}

CommandFunction add_mcp_prompt(CLI::App& command) {
  auto options = std::make_shared<CallOptions>();
  command.add_option("server", options->server, "The server")->required();
  command.add_option("prompt", options->tool, "One of its prompts")->required();
  command.add_option("args", options->args, "The arguments, a JSON object of strings");
  return running(show_prompt, options);
}

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
  PEDRO_TRY(const McpProject project, McpProject::open(context));
  PEDRO_TRY(mcp::ServerSettings settings, find_mcp_server(project.table(), server));
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
  PEDRO_TRY(const mcp::Grant earlier, grants.load(settings.url));
  mcp::OauthLogin login(
      http, context.clock,
      {settings.url, options.scope, settings.client_id, settings.client_secret, earlier});
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

// `mcp login SERVER`: signs in through a browser and stores the token.
CommandFunction add_mcp_login(CLI::App& command) {
  auto options = std::make_shared<LoginOptions>();
  command.add_option("server", options->server, "The server, one with an address")->required();
  command.add_option(
      "--scope", options->scope,
      "The access to ask for, in addition to that of the last sign-in; default: the server's own");
  return running(log_in, options);
}

// `mcp logout SERVER`: removes the stored token.
CommandFunction add_mcp_logout(CLI::App& command) {
  return add_with_server(command, log_out);
}

}  // namespace

CommandFunction add_mcp_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"list", "List the configured servers; starts none", add_mcp_list},
      {"tools", "List the tools of servers, with the tokens that each costs",
       add_mcp_tools_command},
      {"test", "Start servers and show their protocol", add_mcp_test},
      {"call", "Call a tool and print its result", add_mcp_call},
      {"resources", "List the resources of a server", add_mcp_resources},
      {"read", "Read a resource and print it", add_mcp_read},
      {"prompts", "List the prompts of a server", add_mcp_prompts},
      {"prompt", "Print a prompt of a server", add_mcp_prompt},
      {"login", "Sign in to a server through a browser", add_mcp_login},
      {"logout", "Remove the token of a server", add_mcp_logout},
  };
  return add_commands_below(
      command, kCommands,
      "Exit codes: 0 done, 1 the tool failed, 2 usage, 3 configuration, 4 the server.\n");
}

}  // namespace pedro
