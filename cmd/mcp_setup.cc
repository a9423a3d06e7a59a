#include "mcp_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "mcp/http_transport.h"
#include "mcp/remote_tool.h"
#include "mcp/stdio_transport.h"
#include "mcp/tool_finder.h"
#include "sandbox_setup.h"
#include "tools/count_of.h"

namespace pedro {
namespace {

constexpr double kServerLife_s = 7 * 86400;
constexpr std::size_t kMaxStderrBytes = 64u << 10;
constexpr std::uint64_t kMaxMcpFileBytes = 1u << 20;
constexpr const char* kMcpFile = ".mcp.json";

void warn_of_server(const CommandContext& context, std::string_view text) {
  print_note(context.global, fmt::format("pedrocli: warning: {}", text));
}

Status add_servers(McpTable& table, const std::string& place, const Json& servers,
                   const Environment& environment) {
  PEDRO_TRY(mcp::ServerTable read, mcp::read_servers(place, servers, environment));
  for (auto& [name, settings] : read) {
    if (table.servers.emplace(name, std::move(settings)).second) table.places[name] = place;
  }
  return {};
}

// Reads the servers of `.mcp.json`, an empty object if there is no such file.
Result<Json> servers_of_file(const CommandContext& context, const std::string& path) {
  if (context.files.link_info(path).kind == FileKind::kMissing) return Json::object();
  const auto text = context.files.read(path, kMaxMcpFileBytes);
  if (!text) return config_error(text.error().message);
  const auto json = parse_json(*text, {.max_bytes = kMaxMcpFileBytes, .max_depth = 32});
  if (!json) return config_error(path + ":" + json.error().message);
  return member(*json, "mcpServers");
}

Result<std::unique_ptr<mcp::Transport>> start_program(CommandContext& context, const Config& config,
                                                      const std::string& root, McpServer& made) {
  PEDRO_TRY(ScratchFolder folder,
            ScratchFolder::make_outside(root, context.environment.get("TMPDIR")));
  PEDRO_TRY(const std::string tree, context.files.canonical(folder.path()));
  made.folder.emplace(std::move(folder));
  PEDRO_TRY(Sandbox sandbox, open_server_sandbox(context, config,
                                                 {root, tree, made.settings.net, made.settings.read,
                                                  made.settings.write}));
  made.sandbox = std::make_unique<Sandbox>(std::move(sandbox));
  made.runner = std::make_unique<SandboxRunner>(*made.sandbox);
  Command command{.argv = {made.settings.command}, .folder = root};
  command.argv.insert(command.argv.end(), made.settings.args.begin(), made.settings.args.end());
  command.environment = made.settings.env;
  command.timeout_s = kServerLife_s;
  command.max_output_bytes = kMaxStderrBytes;
  return mcp::StdioTransport::start(*made.runner, std::move(command), context.clock);
}

Result<std::unique_ptr<mcp::Transport>> connect_to(CommandContext& context, McpServer& made) {
  const mcp::ServerSettings& settings = made.settings;
  made.http = std::make_unique<CurlHttp>();
  made.replies = std::make_unique<CurlHttp>();
  made.sign_in = std::make_unique<CurlHttp>();
  const bool has_own = std::ranges::any_of(settings.headers, [](const std::string& header) {
    return to_lower(header).starts_with("authorization:");
  });
  if (!has_own) {
    PEDRO_TRY(mcp::GrantStore grants, open_grants(context));
    made.grants = std::make_unique<mcp::GrantStore>(std::move(grants));
    std::string file = settings.token_file;
    if (file.starts_with("~/")) file = join_path(context.environment.get("HOME"), file.substr(2));
    made.token = std::make_unique<mcp::AccessToken>(context.files, *made.grants, *made.sign_in,
                                                    context.clock, std::move(file), settings.url);
  }
  return std::unique_ptr<mcp::Transport>(std::make_unique<mcp::HttpTransport>(
      *made.http, *made.replies, mcp::HttpAddress{settings.url, settings.headers},
      made.token.get()));
}

std::string_view server_of(std::string_view name) {
  return name.substr(0, name.find('.'));
}

// Returns true for "SERVER" and "SERVER.*", which include the resources.
bool names_whole_server(std::string_view name) {
  return name.find('.') == name.npos || name.ends_with(".*");
}

bool is_named_by(const std::string& pattern, const mcp::Server& server, std::string_view tool) {
  return pattern == server.name() + ".*" || pattern == fmt::format("{}.{}", server.name(), tool);
}

// Returns the patterns of all phases for this server.
std::set<std::string> patterns_for(const Workflow& workflow, std::string_view server) {
  std::set<std::string> patterns;
  for (const Phase& phase : workflow.phases) {
    for (const std::string& name : phase.mcp) {
      if (server_of(name) == server) patterns.insert(name);
    }
  }
  return patterns;
}

// Adds the named tools of one server, and returns those that phases offer by its name alone.
std::vector<Manifest> add_tools_of(const CommandContext& context, mcp::Server& server,
                                   Registry& registry, Workflow& workflow) {
  std::vector<Manifest> offered;
  std::set<std::string> unused = patterns_for(workflow, server.name());
  const std::set<std::string> patterns = unused;
  std::vector<std::string> known;
  for (const mcp::ToolDeclaration& tool : server.tools()) {
    const auto is_named = [&](const std::string& one) {
      return is_named_by(one, server, tool.name);
    };
    known.push_back(server.name() + "." + tool.name);
    const bool is_offered = patterns.contains(server.name());
    if (!is_offered && std::none_of(patterns.begin(), patterns.end(), is_named)) continue;
    std::erase_if(unused, is_named);
    auto manifest = mcp::manifest_of(server.name(), tool);
    if (!manifest) {
      warn_of_server(context,
                     fmt::format("{}: left out: {}", known.back(), manifest.error().message));
      continue;
    }
    const std::string name = manifest->name;
    auto remote = mcp::make_remote_tool(server, tool, *manifest);
    if (!registry.add(*manifest, std::move(remote))) {
      warn_of_server(context,
                     fmt::format("{}: left out: there is another tool '{}'", known.back(), name));
      continue;
    }
    for (Phase& phase : workflow.phases) {
      if (std::any_of(phase.mcp.begin(), phase.mcp.end(), is_named)) {
        phase.tools.push_back(name);
      } else if (std::ranges::count(phase.mcp, server.name()) > 0) {
        phase.offered.insert(name);
      }
    }
    if (is_offered) offered.push_back(*std::move(manifest));
  }
  unused.erase(server.name());
  for (const std::string& name : unused) {
    warn_of_server(context, fmt::format("mcp: there is no tool '{}'{}", make_printable(name),
                                        make_printable(did_you_mean(name, known))));
  }
  return offered;
}

// Adds the resources of a server. One that fails here still offers its tools.
Status add_resources_of(const CommandContext& context, mcp::Server& server,
                        mcp::ResourceTable& resources) {
  const Status listed = server.list_resources(context.cancel);
  if (!listed && listed.error().kind == ErrorKind::kInterrupted) return listed;
  if (!listed) warn_of_server(context, listed.error().message + "; its resources are left out");
  if (const std::size_t left_out = resources.add(server); left_out > 0) {
    warn_of_server(context,
                   fmt::format("{}: left out: {}", server.name(), count_of(left_out, "resource")));
  }
  return {};
}

// Returns true if a phase names a whole server that has resources.
bool can_read(const Phase& phase, const mcp::ResourceTable& resources) {
  return std::ranges::any_of(phase.mcp, [&](const std::string& name) {
    return names_whole_server(name) && resources.count(std::string(server_of(name))) > 0;
  });
}

// Adds the tool that finds and calls the offered tools, and reads resources.
void add_finder(const CommandContext& context, std::vector<Manifest> offered,
                mcp::ResourceTable resources, Registry& registry, Workflow& workflow) {
  if (offered.empty() && resources.empty()) return;
  std::vector<std::string> left_out;
  Manifest manifest = mcp::finder_manifest(offered, resources, left_out);
  for (const std::string& one : left_out) warn_of_server(context, "left out: " + one);
  for (Phase& phase : workflow.phases) {
    if (!phase.offered.empty() || can_read(phase, resources)) {
      phase.tools.emplace_back(mcp::kFinderName);
    }
  }
  (void)registry.add(std::move(manifest),
                     mcp::make_tool_finder(std::move(offered), std::move(resources)));
}

}  // namespace

Result<McpTable> read_mcp_servers(const CommandContext& context, const LoadedConfig& loaded,
                                  const std::string& root) {
  McpTable table;
  const Config& config = loaded.config;
  PEDRO_RETURN_IF_ERROR(add_servers(table, loaded.origin_of("mcpServers").place, config.mcp_servers,
                                    context.environment));
  PEDRO_TRY(const Json beside, servers_of_file(context, join_path(root, kMcpFile)));
  const std::string own_place = loaded.origin_of(project_origin("mcpServers")).place;
  const auto add_project = [&](const std::string& place, const Json& servers,
                               const std::string& folder) -> Status {
    if (!servers.is_object()) return {};
    if (is_trusted(loaded, context.environment, folder)) {
      return add_servers(table, place, servers, context.environment);
    }
    for (const auto& [name, settings] : servers.items()) {
      const bool is_comment = name.starts_with("//");
      if (!is_comment && !table.servers.contains(name)) table.untrusted.emplace(name, folder);
    }
    return {};
  };
  PEDRO_RETURN_IF_ERROR(add_project(own_place, config.project_mcp_servers, loaded.project_folder));
  PEDRO_RETURN_IF_ERROR(add_project(join_path(root, kMcpFile), beside, root));
  return table;
}

Result<mcp::ServerSettings> find_mcp_server(const McpTable& table, const std::string& name) {
  const auto found = table.servers.find(name);
  if (found != table.servers.end()) return found->second;
  const std::string shown = make_printable(truncate_utf8(name, 80));
  if (const auto untrusted = table.untrusted.find(name); untrusted != table.untrusted.end()) {
    return config_error(
        fmt::format("mcpServers: the project's files set the server '{}', which you may not trust; "
                    "if you do, add '{}' to model.trusted_projects in your own configuration",
                    shown, untrusted->second));
  }
  std::vector<std::string> known;
  for (const auto& [one, settings] : table.servers) known.push_back(one);
  return config_error(fmt::format("mcpServers: there is no server '{}'{}; there are: {}", shown,
                                  did_you_mean(name, known),
                                  known.empty() ? "none" : join(known, ", ")));
}

Result<mcp::GrantStore> open_grants(const CommandContext& context) {
  const std::string state = context.environment.state_folder();
  if (state.empty()) return config_error("set HOME or XDG_STATE_HOME, for the tokens of servers");
  return mcp::GrantStore(context.files, join_path(state, "mcp"));
}

Result<std::unique_ptr<McpServer>> start_mcp_server(CommandContext& context, const Config& config,
                                                    const std::string& root,
                                                    const std::string& name,
                                                    mcp::ServerSettings settings) {
  auto made = std::make_unique<McpServer>();
  made->settings = std::move(settings);
  std::unique_ptr<mcp::Transport> transport;
  if (made->settings.command.empty()) {
    PEDRO_TRY(transport, connect_to(context, *made));
  } else {
    auto started = start_program(context, config, root, *made);
    if (!started) return started.error().at(fmt::format("MCP server '{}'", name));
    transport = *std::move(started);
  }
  PEDRO_TRY(
      made->server,
      mcp::Server::connect(name, mcp::Client(std::move(transport), PEDROCLI_VERSION, context.clock),
                           context.cancel));
  return made;
}

Result<std::vector<std::unique_ptr<McpServer>>> add_mcp_tools(CommandContext& context,
                                                              const LoadedConfig& config,
                                                              const std::string& root,
                                                              Registry& registry,
                                                              Workflow& workflow) {
  std::vector<std::unique_ptr<McpServer>> servers;
  std::set<std::string> wanted;
  for (const Phase& phase : workflow.phases) {
    for (const std::string& name : phase.mcp) wanted.emplace(server_of(name));
  }
  if (wanted.empty()) return servers;
  PEDRO_TRY(const McpTable table, read_mcp_servers(context, config, root));
  std::vector<Manifest> offered;
  mcp::ResourceTable resources;
  for (const std::string& name : wanted) {
    PEDRO_TRY(auto settings, find_mcp_server(table, name));
    auto started = start_mcp_server(context, config.config, root, name, std::move(settings));
    if (!started && started.error().kind != ErrorKind::kModel) return started.error();
    if (!started) {
      warn_of_server(context, started.error().message + "; its tools are left out");
      continue;
    }
    auto more = add_tools_of(context, *(*started)->server, registry, workflow);
    std::ranges::move(more, std::back_inserter(offered));
    if (std::ranges::any_of(patterns_for(workflow, name), names_whole_server)) {
      PEDRO_RETURN_IF_ERROR(add_resources_of(context, *(*started)->server, resources));
    }
    servers.push_back(*std::move(started));
  }
  add_finder(context, std::move(offered), std::move(resources), registry, workflow);
  return servers;
}

void keep_mcp_images(const std::vector<std::unique_ptr<McpServer>>& servers, ImageFolder& images) {
  for (const auto& one : servers) {
    one->server->keep_images([&images](const Image& image) { return images.add(image); });
  }
}

}  // namespace pedro
