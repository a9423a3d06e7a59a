#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/process.h"
#include "tools/policy.h"

namespace pedro {

/// Lets commands that somebody has named use the network, where a sandbox keeps the others from it:
/// those with only such commands in them, as far as that can be read (see Policy for how words mean
/// a command). What they start themselves has it as well. Borrows the runner; as thread-safe.
class NetworkCommands : public ProcessRunner {
 public:
  /// `key` is the setting that `commands` comes from. Error (kConfig): "KEY: 'words': …".
  static Result<NetworkCommands> make(ProcessRunner& runner, const std::string& key,
                                      const std::vector<std::string>& commands);

  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override;
  std::string find(const std::string& name) const override { return runner_.find(name); }

 private:
  NetworkCommands(ProcessRunner& runner, Policy named)
      : runner_(runner), named_(std::move(named)) {}

  bool is_named(const Command& command) const;

  ProcessRunner& runner_;
  Policy named_;  // allows these, denies all others; without rules none is named
};

}  // namespace pedro
