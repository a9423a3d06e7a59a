#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "chat/message.h"

namespace pedro {

/// Notices a model that goes round in circles: the same call with the same arguments and the same
/// result, while no other call changes a file. A call that succeeded once may of course be made
/// again; only one whose result stays the same counts up.
class LoopGuard {
 public:
  /// How many times this very call has now given this very result in a row, 1 the first time.
  /// `acts`: the call may have changed something that other calls look at.
  int record(const ToolCall& call, const ToolResult& result, bool acts = false);

  /// True if this call was refused or gave nothing new, and no other call has acted since.
  bool is_spent(const ToolCall& call) const;

  void clear() { seen_.clear(); }

  static constexpr int kHintAt = 2;   ///< from here on the model is told
  static constexpr int kStuckAt = 4;  ///< here the phase ends

 private:
  struct Seen {
    std::uint64_t result = 0;
    int times = 0;
    bool changes = false;  // it is an edit itself
    bool ok = true;
    std::size_t acts = 0;  // how many calls had acted by then
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
  std::size_t acts_ = 0;
};

}  // namespace pedro
