#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "json_schema/schema.h"
#include "mcp/server.h"
#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro::mcp {

/// The resources that a job may read, of all servers that it names. Borrows the servers.
///
///     ResourceTable table;
///     if (!table.add(server)) warn(...);
///     Server* owner = table.server_of("note:///today");
class ResourceTable {
 public:
  static constexpr std::size_t kMaxKnown = 500;       ///< resources without a template
  static constexpr std::size_t kMaxTemplates = 50;    ///< templates
  static constexpr std::size_t kMaxValueChars = 200;  ///< of a variable in a template

  /// Adds the resources of Server::resources(). The first server of an address keeps it. Returns
  /// the number left out: beyond the limits, or templates that no pattern can express.
  std::size_t add(Server& server);

  bool empty() const { return known_.empty(); }
  /// Returns the number of resources and templates of a server.
  std::size_t count(const std::string& server) const;

  /// Returns a schema for the addresses of the table.
  Json uri_schema() const;

  /// Returns the server of an address, or null.
  Server* server_of(const std::string& uri) const;

  /// An entry of the table.
  struct Known {
    Server* server;
    ResourceDeclaration declared;
    std::string pattern;  ///< of a template, else ""
    Schema schema;        ///< of a template: the addresses that fit
  };
  const std::deque<Known>& known() const { return known_; }

 private:
  std::deque<Known> known_;
};

/// Returns the line for a model about a resource.
std::string describe(const ResourceDeclaration& resource);

/// Returns a regular expression for the addresses of a template (RFC 6570). Each variable is 1 to
/// 200 characters, without '/', '?' and '#' unless its expression has an operator. "" if the
/// template has no closed variable or more than 8.
std::string pattern_of_template(const std::string& uri_template);

/// The name of the tool that finds and calls the MCP tools outside of the prompt.
inline constexpr const char* kFinderName = "mcp";

/// Returns the manifest of the tool `mcp`. Its description names the servers of `tools` and
/// `resources`. Its action `call` has a target for each tool, and its action `read` takes the
/// addresses of `resources`. An action without either is left out. Removes a tool from `tools`
/// whose schema is invalid inside another schema, and returns name and reason in `left_out`.
///
///     Manifest manifest = finder_manifest(offered, resources, left_out);
///     registry.add(std::move(manifest), make_tool_finder(std::move(offered), resources));
Manifest finder_manifest(std::vector<Manifest>& tools, const ResourceTable& resources,
                         std::vector<std::string>& left_out);

/// Returns the tool `mcp`. Its action `find` returns the declarations of the 5 tools that fit a
/// query best, 12 KiB in all. It also returns their names in ToolResult::found, and the 5 best
/// resources. Its action `read` reads a resource; the policy knows it as "SERVER.resources/read".
std::unique_ptr<Tool> make_tool_finder(std::vector<Manifest> tools, ResourceTable resources);

}  // namespace pedro::mcp
