#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "chat/image.h"
#include "chat/message.h"
#include "mcp/client.h"

namespace pedro::mcp {

/// A connected server under the user's name for it, with the tools that it declared first. Later
/// declarations cannot change a tool under a job: a changed tool is refused. One thread.
class Server {
 public:
  /// After this many failed calls in a row the server is not asked again.
  static constexpr int kMaxFailures = 2;

  /// Opens the connection and reads the tools. Errors: those of Client, with the name.
  static Result<std::unique_ptr<Server>> connect(std::string name, Client client,
                                                 const CancelToken& cancel);

  const std::string& name() const { return name_; }
  Client& client() { return client_; }
  const Client& client() const { return client_; }
  const std::vector<ToolDeclaration>& tools() const { return tools_; }

  /// Stores an image for the model and returns its mark. Null, the default: images are only named.
  using KeepImage = std::function<Result<std::string>(const Image& image)>;
  void keep_images(KeepImage keep) { keep_image_ = std::move(keep); }

  /// Calls a tool of tools(). Failures of the server are results with `ok == false`, and so is
  /// content that contradicts the tool's output schema. The text is marked as foreign and not
  /// bounded. Error: kInterrupted.
  Result<ToolResult> call(const ToolDeclaration& tool, const Json& args, const CancelToken& cancel);

  /// Asks for the resources. Errors: those of Client, with the name.
  Status list_resources(const CancelToken& cancel);

  /// Returns the resources that list_resources() found.
  const std::vector<ResourceDeclaration>& resources() const { return resources_; }

  /// Reads a resource, with the same failures as call().
  Result<ToolResult> read(const std::string& uri, const CancelToken& cancel);

 private:
  Server(std::string name, Client client) : name_(std::move(name)), client_(std::move(client)) {}
  Status note_changes(const CancelToken& cancel);
  ToolResult failed(const Error& error);
  ToolResult unavailable() const;
  Result<ToolResult> unanswered(const Error& error);
  Json with_marks(Json result) const;

  std::string name_;
  Client client_;
  std::vector<ToolDeclaration> tools_;
  std::vector<ResourceDeclaration> resources_;
  std::set<std::string> changed_;  // names of tools whose declaration has changed since
  KeepImage keep_image_;
  int failures_ = 0;  // in a row
  std::string last_failure_;
};

}  // namespace pedro::mcp
