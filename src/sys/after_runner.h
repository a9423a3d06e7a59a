#pragma once

#include <functional>
#include <string>
#include <utility>

#include "sys/process.h"

namespace pedro {

/// Runs commands with another runner. Calls a function with each command after its end, also after
/// an error. Borrows the runner.
class AfterRunner : public ProcessRunner {
 public:
  AfterRunner(ProcessRunner& commands, std::function<void(const Command&)> after)
      : commands_(commands), after_(std::move(after)) {}

  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override {
    Result<ProcessResult> result = commands_.run(command, cancel);
    after_(command);
    return result;
  }
  std::string find(const std::string& name) const override { return commands_.find(name); }

 private:
  ProcessRunner& commands_;
  std::function<void(const Command&)> after_;
};

}  // namespace pedro
