#include "rpc_connection.h"

#include <fmt/format.h>

#include <cstdio>

#include "command.h"
#include "sys/terminal.h"

namespace pedro {

bool RpcConnection::read(const std::function<void(const json_rpc::Message& message)>& on_message) {
  std::string bytes;
  const bool goes_on = read_input(bytes);
  frames_.feed(bytes, [&](std::string_view frame, bool too_long) {
    const json_rpc::Message message =
        too_long ? json_rpc::RpcError{json_rpc::kInvalidRequest,
                                      fmt::format("a message of more than {} MiB was skipped",
                                                  json_rpc::kMaxFrameBytes >> 20)}
                 : json_rpc::read_message(frame);
    if (const auto* error = std::get_if<json_rpc::RpcError>(&message)) {
      send(json_rpc::response(*error));
    } else {
      on_message(message);
    }
  });
  return goes_on;
}

void RpcConnection::send(const std::string& frame) {
  print(frame + "\n");
  if (std::fflush(stdout) != 0) is_gone_ = true;
}

}  // namespace pedro
