#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "mcp/header_parameters.h"
#include "mcp/protocol.h"
#include "mcp/transport.h"

namespace pedro::mcp {

/// A tool as its server declares it. All texts are foreign and unchecked.
struct ToolDeclaration {
  std::string name;
  std::string description;
  Json input_schema;
  Json output_schema;                          ///< null: none
  std::vector<HeaderParameter> repeated = {};  ///< in headers of its calls
  std::string problem = {};                    ///< reason that it must not be called; "": none

  bool operator==(const ToolDeclaration&) const = default;
};

/// A resource as its server declares it, or a template of addresses. Only the address is checked.
struct ResourceDeclaration {
  std::string uri;  ///< printable, without blanks; of a template "note:///{name}"
  std::string name;
  std::string description;
  std::string type;  ///< MIME type, "" if unknown
  bool is_template = false;
};

/// A prompt as its server declares it. All texts are foreign; the name is printable.
struct PromptDeclaration {
  std::string name;
  std::string description;
  Json arguments;  ///< a list of {"name", "description", "required"}, or null
};

/// A client of the Model Context Protocol (https://modelcontextprotocol.io/specification). Speaks
/// the versions in protocol.h and declares no abilities of its own. It answers pings, declines
/// questions to the user, and refuses all other requests of a server. Errors of all functions:
/// kInterrupted; kModel if the server fails or breaks the protocol. kRefused with the message of a
/// JSON-RPC error. One thread.
///
///     Client client(std::move(transport), PEDROCLI_VERSION, clock);
///     PEDRO_RETURN_IF_ERROR(client.open(cancel));
///     PEDRO_TRY(const auto tools, client.list_tools(cancel));  // a ToolDeclaration each.
///     PEDRO_TRY(const Json result, client.call_tool(tools[0], {{"message", "hi"}}, cancel));
class Client {
 public:
  static constexpr std::size_t kMaxTools = 1000;     ///< also of resources, and of prompts
  static constexpr int kMaxPages = 100;              ///< of a list
  static constexpr int kMaxMessages = 10'000;        ///< in one exchange
  static constexpr int kMaxQuestions = 5;            ///< rounds of input that one request may want
  static constexpr long long kMinFresh_ms = 60'000;  ///< between two lists without a notification

  /// `version` is this program's, for the server. Borrows the clock.
  Client(std::unique_ptr<Transport> transport, std::string version, const Clock& clock,
         Patience patience = {})
      : transport_(std::move(transport)),
        own_version_(std::move(version)),
        clock_(&clock),
        patience_(patience) {}

  /// Agrees on a version: asks with `server/discover`, else with `initialize`. Must succeed first.
  Status open(const CancelToken& cancel);

  /// Returns the declared tools of all pages, without those whose declaration has no name or
  /// schema. Resets tools_changed(). All pages together have the time of one exchange.
  Result<std::vector<ToolDeclaration>> list_tools(const CancelToken& cancel);

  /// Returns the result of a call, an object with `content`. Like all requests after open(), one
  /// that ends early is cancelled at the server.
  Result<Json> call_tool(const ToolDeclaration& tool, const Json& args, const CancelToken& cancel);

  /// Returns the declared resources, then the templates; none if the server offers none. Omits
  /// those without a usable address.
  Result<std::vector<ResourceDeclaration>> list_resources(const CancelToken& cancel);

  /// Returns the contents of a resource, an object with `contents`.
  Result<Json> read_resource(const std::string& uri, const CancelToken& cancel);

  /// Returns the declared prompts; none if the server offers none.
  Result<std::vector<PromptDeclaration>> list_prompts(const CancelToken& cancel);

  /// Returns a prompt, an object with `messages`. `args` is an object of strings.
  Result<Json> get_prompt(const std::string& name, const Json& args, const CancelToken& cancel);

  /// Returns true if the tools may be others since list_tools(). The server has announced it, or,
  /// without a session, the time that it gave for its list has passed.
  bool tools_changed() const {
    return tools_changed_ ||
           (protocol_ == kStatelessVersion && clock_->ticks_ms() >= tools_fresh_until_ms_);
  }
  const std::string& protocol() const { return protocol_; }
  /// Returns the server's name and version by its own account; "" if it gave none.
  const std::string& title() const { return title_; }

 private:
  // A list of a server: its method, and the member of its results.
  struct Listing {
    const char* method;
    const char* key;
    const char* feature;  // of the server's capabilities
  };
  Result<Json> list(const Listing& listing, const CancelToken& cancel);
  Result<Json> list_pages(const Listing& listing, const CancelToken& cancel);
  Result<Json> request(std::string_view method, Json params, const Patience& patience,
                       const CancelToken& cancel);
  Result<Json> request_once(std::string_view method, Json params, const Patience& patience,
                            const CancelToken& cancel);
  Heard hear(const Json& message, long long id, Json& answer);
  Status discover(const CancelToken& cancel);
  Status initialize(const CancelToken& cancel);
  void introduce(const Json& server_info);
  void use(std::string_view protocol);
  Json meta(long long id) const;

  std::unique_ptr<Transport> transport_;
  std::string own_version_;
  const Clock* clock_;
  Patience patience_;
  std::string protocol_;
  std::string title_;
  Json capabilities_;
  bool tools_changed_ = false;
  long long tools_fresh_until_ms_ = 0;
  long long listed_for_ms_ = 0;  // of the last list: the shortest time of its pages
  long long last_id_ = 0;
  Json last_error_;  // of the last request; null: none
};

}  // namespace pedro::mcp
