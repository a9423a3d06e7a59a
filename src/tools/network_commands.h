#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "sys/process.h"

namespace pedro {

/// Gives commands that the user has named access to the network in a sandbox without it. Applies to
/// lines that consist of such commands only (see Policy for the matching). Their child processes
/// have access too. Borrows the runner, and is as thread-safe as it.
class NetworkCommands : public ProcessRunner {
 public:
  /// `key` is the setting with `commands`. Errors (kConfig): "KEY: 'words': ...".
  static Result<NetworkCommands> make(ProcessRunner& runner, const std::string& key,
                                      const std::vector<std::string>& commands);

  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override;
  std::string find(const std::string& name) const override { return runner_.find(name); }

 private:
  NetworkCommands(ProcessRunner& runner, policy::Policy named)
      : runner_(runner), named_(std::move(named)) {}

  bool is_named(const Command& command) const;

  ProcessRunner& runner_;
  policy::Policy named_;  // allows these, denies all others; empty: none is named
};

}  // namespace pedro
