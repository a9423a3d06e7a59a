#include "mcp/transport.h"

#include <fmt/format.h>

#include <utility>

namespace pedro::mcp {

Result<Json> messages_in(std::string_view text) {
  Result<Json> json = parse_json(text, kMessageLimits);
  if (!json) {
    return Error{ErrorKind::kModel,
                 fmt::format("sent a message that is not JSON: {}", json.error().message)};
  }
  return json->is_array() ? *std::move(json) : Json::array({*std::move(json)});
}

}  // namespace pedro::mcp
