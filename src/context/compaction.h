#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "context/budget.h"
#include "context/importance.h"
#include "context/ledger.h"

namespace pedro {

/// How room is made. They are used in an order, each until there is enough room.
enum class Strategy : std::uint8_t {
  kClear,   ///< old results give way to a few words, oldest first
  kMiddle,  ///< exchanges between the first and the last messages leave, least important first
  kOldest,  ///< exchanges leave, oldest first
};
std::string_view to_string(Strategy strategy);

/// "clear middle oldest", in any order, each at most once. Errors (kConfig) name what is wrong.
Result<std::vector<Strategy>> read_strategies(std::string_view names);

struct CompactionRules {
  std::vector<Strategy> strategies = {Strategy::kClear, Strategy::kMiddle, Strategy::kOldest};
  int start_messages = 4;           ///< which kMiddle leaves at the beginning,
  int end_messages = 5;             ///< and at the end
  long long protect_tokens = 8000;  ///< newest ones, in which kClear leaves results, at most
  long long stub_tokens = 48;       ///< of the words for a result
  long long note_tokens = 0;        ///< of what will be said of the exchanges that left, at most
  bool moves_cache = false;         ///< the server: what only left costs nothing, wherever it stood
  ImportanceWeights weights;
};

/// What is to leave a conversation, and why.
struct Compaction {
  struct Cleared {
    std::size_t message = 0;  ///< of the ledger
    std::size_t part = 0;
    long long saved = 0;
  };
  struct Removed {
    std::size_t exchange = 0;
    long long tokens = 0;
    double score = 0;
    Strategy why = Strategy::kOldest;
  };
  std::vector<Cleared> cleared;  ///< none of them in an exchange that is removed
  std::vector<Removed> removed;  ///< in order
  long long before = 0;
  long long after = 0;  ///< as far as it is known: with stubs and a note as large as they may be

  bool empty() const { return cleared.empty() && removed.empty(); }
};

/// Whether a conversation has to be compacted before it is asked to go on: it is above
/// `budget.high()`, or, where a phase has just begun, above `budget.between()`: what came before is
/// missed least there, and a compaction there is none amid the phase. O(parts of the last message).
bool is_due(const Ledger& ledger, const Budget& budget);

/// Chooses, in one step, what has to leave until no more than `budget.low()` is left, or as little
/// as what must stay allows (find_pins()). Everything behind the first change has to be evaluated
/// once more, so of the choices by which hardly more is lost (by a quarter at most) it is that by
/// which the fewest tokens are, for each that may come in until the next time. Nothing leaves where
/// no more is there already. Results in exchanges that must stay do not give way; those of failures
/// that are too large to stay do, and the note that will tell of them is counted. Where what must
/// stay is too much, results of the newest exchange give way, the largest first; where more than
/// `budget.high()` would be left all the same, it is an Error (kLimit) that says what is too large:
/// trying again would not help. O(messages log messages).
Result<Compaction> plan_compaction(const Ledger& ledger, const Budget& budget,
                                   const CompactionRules& rules);

/// Does to a ledger what was chosen, with a stub of `stub_tokens` for each cleared result. The
/// texts are Conversation's matter.
void apply(Ledger& ledger, const Compaction& compaction, long long stub_tokens);

}  // namespace pedro
