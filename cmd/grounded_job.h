#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "sys/file_system.h"

namespace pedro {

/// A job's journal, as far as the grammar of a reply depends on it.
struct GroundedJob {
  struct Call {
    ToolCall call;
    ToolResult result;
  };
  struct Round {
    int number = 0;  ///< in its phase
  };
  using Event = std::variant<std::string, Round, Call>;  ///< a phase begins, a round begins, a call

  std::string agent;
  std::string workdir;
  std::vector<Event> events;  ///< in order
};

/// Errors as read_journal(). A journal without a beginning has no agent and no events.
Result<GroundedJob> read_grounded_job(const FileSystem& files, const std::string& path);

}  // namespace pedro
