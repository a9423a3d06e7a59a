#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"

namespace pedro::mcp {

/// The limits of a message from a server.
inline constexpr JsonLimits kMessageLimits{.max_bytes = std::size_t{4} << 20, .max_depth = 64};

/// Returns the messages in a text: one, or the elements of a batch. Error (kModel): not JSON.
Result<Json> messages_in(std::string_view text);

/// The time limits of an exchange.
struct Patience {
  double idle_s = 60;  ///< without any message
  double total_s = 600;
};

/// The next step after a message of the server.
struct Heard {
  bool is_done = false;  ///< it completes the exchange
  Json reply = nullptr;  ///< the answer to a request of the server; null: none
};

/// Receives each message of the server. An Error ends the exchange.
using OnMessage = std::function<Result<Heard>(const Json& message)>;

/// A connection to a server, which carries JSON-RPC messages. Use it in one thread.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Sends a request and passes all messages to `on_message` until one completes the exchange.
  /// Errors: kModel if the server is silent, ends, or breaks a limit; kInterrupted; those of
  /// `on_message`.
  virtual Status exchange(const Json& message, const Patience& patience,
                          const OnMessage& on_message, const CancelToken& cancel) = 0;

  /// Sends a notification. Errors: see exchange().
  virtual Status notify(const Json& message, const CancelToken& cancel) = 0;

  /// Sets the protocol version of all later messages, for transports that repeat it.
  virtual void use_version(std::string_view version) = 0;

  /// Returns true if calls must repeat the parameters of HeaderParameter in headers.
  virtual bool repeats_parameters() const { return false; }

  /// Sets further headers of all later calls of tools, in place of earlier ones.
  virtual void use_headers(std::vector<std::string> /*lines*/) {}
};

}  // namespace pedro::mcp
