#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "support/fault_script.h"
#include "support/loopback_server.h"

namespace pedro {

/// Stands between a client and a server, on a free port of 127.0.0.1, and does what a script says.
/// What no rule wants is passed on as it is; answers are read whole before they are passed on.
/// Ends with the object.
class FaultProxy {
 public:
  /// `upstream` is the server's address without a path; it may be one that nobody listens at, where
  /// every request has an answer in the rules.
  FaultProxy(std::vector<FaultRule> rules, std::string upstream);
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;
  ~FaultProxy();

  std::string url() const { return server_.url(""); }
  /// How many requests the rule has had.
  int applied(std::size_t rule) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Use {
    long long wanted = 0;  // with those that were skipped
    int applied = 0;
    std::optional<Clock::time_point> first;
  };

  LoopbackReply reply_to(const LoopbackRequest& request);
  const FaultRule* rule_for(const LoopbackRequest& request);
  LoopbackReply forward(const LoopbackRequest& request, const Json& with) const;

  std::vector<FaultRule> rules_;
  std::string upstream_;
  mutable std::mutex mutex_;  // of uses_
  std::vector<Use> uses_;
  CancelToken cancel_;
  LoopbackServer server_;  // the last: its threads use the rest
};

}  // namespace pedro
