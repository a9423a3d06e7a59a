#include "json_rpc/message.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro::json_rpc {
namespace {

constexpr std::size_t kShownMethodBytes = 100;

// Returns the id of a request, or null if it is not valid.
Json valid_id(const Json& id) {
  return id.is_number_integer() || id.is_string() ? id : Json();
}

Message read_call(const Json& message) {
  const Json& id = member(message, "id");
  const bool has_id = message.contains("id");
  if (has_id && valid_id(id).is_null()) {
    return RpcError{kInvalidRequest, "id: expected an integer or a string"};
  }
  if (!member(message, "method").is_string()) {
    return RpcError{kInvalidRequest, "method: expected a string", id};
  }
  const Json& params = member(message, "params");
  if (!params.is_null() && !params.is_object()) {
    return RpcError{kInvalidParams,
                    fmt::format("{}: params: expected an object",
                                truncate_utf8(text_of(message, "method"), kShownMethodBytes)),
                    id};
  }
  Call call{id, text_of(message, "method")};
  if (params.is_object()) call.params = params;
  return call;
}

}  // namespace

void FrameReader::take(std::string_view part) {
  if (too_long_ || rest_.size() + part.size() > max_bytes_) {
    too_long_ = true;
    rest_.clear();
    rest_.shrink_to_fit();
  } else {
    rest_ += part;
  }
}

void FrameReader::feed(std::string_view bytes, const OnFrame& on_frame) {
  for (std::size_t end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
    take(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    const std::string frame = std::exchange(rest_, "");
    const bool too_long = std::exchange(too_long_, false);
    if (too_long || !trim(frame).empty()) on_frame(frame, too_long);
  }
  take(bytes);
}

Message read_message(std::string_view frame) {
  const Result<Json> message = parse_json(frame);
  if (!message) return RpcError{kParseError, message.error().message};
  if (!message->is_object()) {
    return RpcError{kInvalidRequest, "expected one JSON-RPC object in a line"};
  }
  const Json id = valid_id(member(*message, "id"));
  if (text_of(*message, "jsonrpc") != "2.0") {
    return RpcError{kInvalidRequest, R"(jsonrpc: expected "2.0")", id};
  }
  const bool is_response = message->contains("result") || message->contains("error");
  if (message->contains("method") || !is_response) return read_call(*message);
  return Response{id, member(*message, "result"), member(*message, "error")};
}

std::string request(long long id, std::string_view method, Json params) {
  return to_line(
      {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

std::string notification(std::string_view method, Json params) {
  return to_line({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

std::string response(const Json& id, Json result) {
  return to_line({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string response(const RpcError& error) {
  return to_line({{"jsonrpc", "2.0"},
                  {"id", error.id},
                  {"error", {{"code", error.code}, {"message", error.message}}}});
}

}  // namespace pedro::json_rpc
