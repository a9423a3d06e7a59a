#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "llm/serve_plan.h"
#include "status_line.h"
#include "sys/child_program.h"

namespace pedro {

/// Returns the answer of a server's /health: "ready", "loading", or "" if it does not answer within
/// a second.
std::string health_of(const std::string& url, const CancelToken& cancel);

/// Keeps a llama-server as a child process: starts it, waits until it answers, and ends it when
/// this process gets a signal. One object per server.
class ServerKeeper {
 public:
  /// `model`: its name for the user. Borrows `context`.
  ServerKeeper(CommandContext& context, std::string model, ServePlan plan);

  /// Runs until the server ends or a signal arrives. Prints one line on stdout when the server is
  /// ready. Returns the exit code after a signal. Errors: kModel, after the server's last lines on
  /// stderr, if it ends by itself; those of ChildProgram.
  Result<int> keep(const std::vector<std::string>& argv);

 private:
  void hear(std::string_view line);
  void look();
  void tell_ready() const;
  void end();
  Error died() const;

  CommandContext& context_;
  std::string model_;
  ServePlan plan_;
  std::unique_ptr<ChildProgram> server_;
  std::deque<std::string> last_lines_;
  StatusLine line_;
  long long began_ms_;
  bool is_ready_ = false;
};

}  // namespace pedro
