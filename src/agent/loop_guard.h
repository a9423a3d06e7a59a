#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "chat/message.h"

namespace pedro {

/// Detects a model that loops: the same call with the same arguments and the same result, while no
/// other call changes a file. A call with a different result starts a new count.
class LoopGuard {
 public:
  /// Records a call. Returns the number of consecutive times that it had this result, 1 for the
  /// first time. `acts`: the call may have changed state that other calls read.
  int record(const ToolCall& call, const ToolResult& result, bool acts = false);

  /// Returns true if this call was refused or repeated a result, and no call has acted since.
  bool is_spent(const ToolCall& call) const;

  void clear() { seen_.clear(); }

  static constexpr int kHintAt = 2;   ///< repetitions before a hint to the model
  static constexpr int kStuckAt = 4;  ///< repetitions that end the phase

 private:
  struct Seen {
    std::uint64_t result = 0;
    int times = 0;
    bool changes = false;  // the call is itself an edit
    bool ok = true;
    std::size_t acts = 0;  // number of successful acts at that time
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
  std::size_t acts_ = 0;
};

}  // namespace pedro
