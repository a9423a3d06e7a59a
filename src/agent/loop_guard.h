#pragma once

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
  int record(const ToolCall& call, const ToolResult& result);

  void clear() { seen_.clear(); }

  static constexpr int kHintAt = 2;   ///< from here on the model is told
  static constexpr int kStuckAt = 4;  ///< here the phase ends

 private:
  struct Seen {
    std::uint64_t result = 0;
    int times = 0;
    bool changes = false;  // it is an edit itself
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
};

}  // namespace pedro
