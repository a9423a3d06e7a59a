#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"

namespace pedro::json_rpc {

/// The error codes of JSON-RPC 2.0 (jsonrpc.org/specification), and of its users for missing
/// things.
enum ErrorCode {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kNotFound = -32002,  ///< a session or a resource does not exist
};

/// A request that fails.
struct RpcError {
  int code = kInternalError;
  std::string message;
  Json id = nullptr;  ///< of the request; null if it is unknown
};

/// A message with a method. A notification has no id and gets no response.
struct Call {
  Json id = {};  ///< integer or string; null in a notification
  std::string method;
  Json params = Json::object();

  bool is_notification() const { return id.is_null(); }
};

/// The answer to a request of this side.
struct Response {
  Json id = {};
  Json result = {};  ///< null after an error
  Json error = {};   ///< {code, message}, or null
};

using Message = std::variant<Call, Response, RpcError>;

/// Reads a frame of a client. An RpcError is the answer to an invalid one.
Message read_message(std::string_view frame);

/// The frames of this agent, without a newline.
std::string request(long long id, std::string_view method, Json params);
std::string notification(std::string_view method, Json params);
std::string response(const Json& id, Json result);
std::string response(const RpcError& error);

}  // namespace pedro::json_rpc
