#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/result.h"
#include "sys/file_system.h"
#include "sys/heartbeat.h"

namespace pedro {

/// The right of one host to use a state file in a folder that hosts share. A lock alone may be
/// local to each host there. The lease is a file `STATE.lease-N` with the host's name; a Heartbeat
/// sets its time. Only times of this file are compared, so the hosts' clocks may differ.
///
///   PEDRO_TRY(const auto lease, BatchLease::take(files, clock, cancel, path, host_name(), note));
///   if (!lease->check()) …   // another host has it: end all work.
///
/// N grows with each takeover, so that of two hosts which find an old lease, only one gets it.
/// Requires the lock of the state file: a lease of this host is then one of a process that ended.
/// Removes its file at the end. Borrows the references; `check()` is for one thread.
class BatchLease {
 public:
  /// Called with the reason before a wait.
  using Note = std::function<void(std::string_view message)>;

  /// A lease without a heartbeat for this long is void, in milliseconds.
  static constexpr long long kLease_ms = 60'000;

  /// Waits for up to `lease_ms` if another host has a lease, since that host may have died. Errors:
  /// kUsage if it is alive; kInterrupted; kInternal if the folder cannot be written.
  static Result<std::unique_ptr<BatchLease>> take(RealFileSystem& files, const Clock& clock,
                                                  const CancelToken& cancel,
                                                  const std::string& state, const std::string& host,
                                                  const Note& note, long long lease_ms = kLease_ms);
  ~BatchLease();
  BatchLease(const BatchLease&) = delete;
  BatchLease& operator=(const BatchLease&) = delete;

  /// Returns an error (kUsage) if another host has taken the lease, because this process was
  /// stopped for too long. Looks at the folder every two seconds.
  Status check();

 private:
  BatchLease(RealFileSystem& files, const Clock& clock, std::string state, int number,
             std::string text, long long lease_ms);
  bool is_ours() const;

  RealFileSystem& files_;
  const Clock& clock_;
  std::string state_;
  int number_;
  std::string text_;  // of the file; numbers begin again after the last host
  long long checked_ms_;
  std::unique_ptr<Heartbeat> heartbeat_;
};

}  // namespace pedro
