#pragma once

#include <memory>

#include "base/clock.h"
#include "mcp/transport.h"
#include "sys/line_program.h"
#include "sys/process.h"

namespace pedro::mcp {

/// A server as a program: one JSON message per line on its stdin and stdout.
class StdioTransport : public Transport {
 public:
  /// Starts the program, see LineProgram::start(). Borrows both references.
  static Result<std::unique_ptr<Transport>> start(ProcessRunner& runner, Command command,
                                                  const Clock& clock);

  Status exchange(const Json& message, const Patience& patience, const OnMessage& on_message,
                  const CancelToken& cancel) override;
  Status notify(const Json& message, const CancelToken& cancel) override;
  void use_version(std::string_view) override {}

 private:
  StdioTransport(std::unique_ptr<LineProgram> program, const Clock& clock)
      : program_(std::move(program)), clock_(clock) {}

  std::unique_ptr<LineProgram> program_;
  const Clock& clock_;
};

}  // namespace pedro::mcp
