#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"

namespace pedro::json_rpc {

/// The limit of a frame, in bytes.
inline constexpr std::size_t kMaxFrameBytes = std::size_t{16} << 20;

/// Splits the bytes of a client into frames: lines that end with a newline. Keeps at most the limit
/// in memory. Skips blank lines.
///
///     FrameReader reader;
///     reader.feed("{\"id\":1}\n{\"id\"", [](std::string_view frame, bool too_long) { ... });
class FrameReader {
 public:
  /// Receives a frame without its newline. A frame over the limit is "" with `too_long`, once, when
  /// its end arrives.
  using OnFrame = std::function<void(std::string_view frame, bool too_long)>;

  explicit FrameReader(std::size_t max_bytes = kMaxFrameBytes) : max_bytes_(max_bytes) {}

  void feed(std::string_view bytes, const OnFrame& on_frame);

  /// Returns true inside a frame. At the end of the input, that frame is incomplete.
  bool is_inside() const { return too_long_ || !rest_.empty(); }

 private:
  void take(std::string_view part);

  std::size_t max_bytes_;
  std::string rest_;       // of the current frame
  bool too_long_ = false;  // the current frame
};

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
