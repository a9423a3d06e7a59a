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

/// A proxy between a client and a server, on a free port of 127.0.0.1, which applies a script of
/// faults. Forwards a request unchanged if no rule applies to it. Reads each answer completely
/// before forwarding it. Stops when the object is destroyed.
class FaultProxy {
 public:
  /// `upstream` is the server's address without a path. Nothing needs to listen there if the rules
  /// answer every request.
  FaultProxy(std::vector<FaultRule> rules, std::string upstream);
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;
  ~FaultProxy();

  std::string url() const { return server_.url(""); }
  /// The number of requests that the rule was applied to.
  int applied(std::size_t rule) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Use {
    long long wanted = 0;  // matching requests, including skipped ones
    int applied = 0;
    std::optional<Clock::time_point> first;
  };

  LoopbackReply reply_to(const LoopbackRequest& request);
  const FaultRule* rule_for(const LoopbackRequest& request);
  LoopbackReply forward(const LoopbackRequest& request, const Json& with) const;

  std::vector<FaultRule> rules_;
  std::string upstream_;
  mutable std::mutex mutex_;  // guards uses_
  std::vector<Use> uses_;
  CancelToken cancel_;
  LoopbackServer server_;  // must be the last member: its threads use the others
};

}  // namespace pedro
