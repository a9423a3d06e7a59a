#include "mcp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/utf8.h"
#include "mcp/call_result.h"

namespace pedro::mcp {

Result<std::unique_ptr<Server>> Server::connect(std::string name, Client client,
                                                const CancelToken& cancel) {
  std::unique_ptr<Server> server(new Server(std::move(name), std::move(client)));
  const auto with_name = [&server](const Error& error) {
    return error.at(fmt::format("MCP server '{}'", server->name_));
  };
  const Status opened = server->client_.open(cancel);
  if (!opened) return with_name(opened.error());
  auto tools = server->client_.list_tools(cancel);
  if (!tools) return with_name(tools.error());
  server->tools_ = *std::move(tools);
  return server;
}

// Lists the tools again if the server announced a change.
Status Server::note_changes(const CancelToken& cancel) {
  if (!client_.tools_changed()) return {};
  PEDRO_TRY(const std::vector<ToolDeclaration> now, client_.list_tools(cancel));
  changed_.clear();
  for (const ToolDeclaration& known : tools_) {
    if (std::find(now.begin(), now.end(), known) == now.end()) changed_.insert(known.name);
  }
  return {};
}

ToolResult Server::failed(const Error& error) {
  last_failure_ = make_printable(error.message);
  return {false,
          fmt::format("the MCP server '{}' failed: {}\nContinue without it.", name_, last_failure_),
          {}};
}

ToolResult Server::unavailable() const {
  return {false,
          fmt::format("the MCP server '{}' is no longer available: {}\nContinue without it.", name_,
                      last_failure_),
          {}};
}

// Converts an error of the client. Refusals are answers, and do not count as failures.
Result<ToolResult> Server::unanswered(const Error& error) {
  if (error.kind == ErrorKind::kInterrupted) return error;
  if (error.kind == ErrorKind::kRefused) {
    failures_ = 0;
    return error_result(name_, error.message);
  }
  ++failures_;
  return failed(error);
}

// Replaces the images of a result by their marks. Other data stays: it is named later.
Json Server::with_marks(Json result) const {
  if (!keep_image_ || !member(result, "content").is_array()) return result;
  for (Json& item : result["content"]) {
    std::string bytes;
    if (text_of(item, "type") != "image" || !append_base64(bytes, text_of(item, "data"))) continue;
    const Result<Image> image = image_of(std::move(bytes));
    const Result<std::string> mark = image ? keep_image_(*image) : image.error();
    if (mark) item = {{"type", "text"}, {"text", *mark}};
  }
  return result;
}

Result<ToolResult> Server::call(const ToolDeclaration& tool, const Json& args,
                                const CancelToken& cancel) {
  if (failures_ >= kMaxFailures) return unavailable();
  const Status noted = note_changes(cancel);
  if (noted && changed_.contains(tool.name)) {
    return ToolResult{false,
                      fmt::format("not called: the MCP server '{}' has changed this tool since the "
                                  "job began\nUse other tools.",
                                  name_),
                      {}};
  }
  Result<Json> result = noted ? client_.call_tool(tool, args, cancel) : noted.error();
  if (!result) return unanswered(result.error());
  failures_ = 0;
  return read_call_result(name_, tool, with_marks(*std::move(result)));
}

Status Server::list_resources(const CancelToken& cancel) {
  auto resources = client_.list_resources(cancel);
  if (!resources) return resources.error().at(fmt::format("MCP server '{}'", name_));
  resources_ = *std::move(resources);
  return {};
}

Result<ToolResult> Server::read(const std::string& uri, const CancelToken& cancel) {
  if (failures_ >= kMaxFailures) return unavailable();
  const Result<Json> result = client_.read_resource(uri, cancel);
  if (!result) return unanswered(result.error());
  failures_ = 0;
  return read_resource_result(name_, *result);
}

}  // namespace pedro::mcp
