#pragma once

#include <functional>
#include <string>

#include "json_rpc/message.h"

namespace pedro {

/// A client of this program on standard input and output, with JSON-RPC messages in lines. Only for
/// the main thread, so that messages never mix.
class RpcConnection {
 public:
  /// Reads the next bytes, and waits if there are none. Passes on the messages in them, answers
  /// invalid ones. Returns false at the end of the input.
  bool read(const std::function<void(const json_rpc::Message& message)>& on_message);

  /// Returns true if the input ended, or stopped for now, inside a message.
  bool is_inside_message() const { return frames_.is_inside(); }
  /// Returns true if a message could not be written.
  bool is_gone() const { return is_gone_; }

  /// Writes a message at once.
  void send(const std::string& frame);

 private:
  json_rpc::FrameReader frames_;
  bool is_gone_ = false;
};

}  // namespace pedro
