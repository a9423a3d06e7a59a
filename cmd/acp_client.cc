#include "acp_client.h"

#include <fmt/format.h>

#include <cstdio>

#include "command.h"
#include "sys/terminal.h"

namespace pedro {

bool AcpClient::read(const std::function<void(const acp::Message& message)>& on_message) {
  std::string bytes;
  const bool goes_on = read_input(bytes);
  frames_.feed(bytes, [&](std::string_view frame, bool too_long) {
    const acp::Message message =
        too_long ? acp::RpcError{acp::kInvalidRequest,
                                 fmt::format("a message of more than {} MiB was skipped",
                                             acp::kMaxFrameBytes >> 20)}
                 : acp::read_message(frame);
    if (const auto* error = std::get_if<acp::RpcError>(&message)) {
      send(acp::response(*error));
    } else {
      on_message(message);
    }
  });
  return goes_on;
}

void AcpClient::send(const std::string& frame) {
  print(frame + "\n");
  if (std::fflush(stdout) != 0) is_gone_ = true;
}

void AcpClient::update(const std::string& session_id, Json update) {
  send(acp::notification("session/update",
                         {{"sessionId", session_id}, {"update", std::move(update)}}));
}

}  // namespace pedro
