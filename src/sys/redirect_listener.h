#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/descriptor.h"

namespace pedro {

/// Receives the redirect of a browser on a free port of 127.0.0.1 (RFC 8252, section 7.3).
///
///     PEDRO_TRY(RedirectListener listener, RedirectListener::open());
///     show(address_with(listener.url()));
///     PEDRO_TRY(const std::string query, listener.wait(300, is_ours, cancel));
class RedirectListener {
 public:
  static constexpr std::size_t kMaxRequestBytes = 16u << 10;
  static constexpr double kRequest_s = 5;  ///< for one request to arrive

  /// Error (kInternal): no port can be opened.
  static Result<RedirectListener> open();

  /// "http://127.0.0.1:PORT/callback".
  std::string url() const;

  /// Waits for a GET of url() with a query that `accepts` takes, and returns the query without '?'.
  /// Answers all other requests with an error and goes on. Errors: kModel after `wait_s` seconds;
  /// kInterrupted.
  Result<std::string> wait(double wait_s, const std::function<bool(std::string_view)>& accepts,
                           const CancelToken& cancel);

 private:
  RedirectListener(Descriptor socket, int port) : socket_(std::move(socket)), port_(port) {}

  Descriptor socket_;
  int port_;
};

}  // namespace pedro
