#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "context/budget.h"
#include "context/importance.h"
#include "context/ledger.h"

namespace pedro {

/// Ways to free tokens. Applied in a configured order until enough tokens are free.
enum class Strategy : std::uint8_t {
  kClear,   ///< replaces old results with markers, oldest first
  kMiddle,  ///< removes exchanges between the first and last messages, least important first
  kOldest,  ///< removes exchanges, oldest first
};
std::string_view to_string(Strategy strategy);

/// Parses a list, for example "clear middle oldest": any order, each name at most once. Errors:
/// kConfig, naming the invalid strategy.
Result<std::vector<Strategy>> read_strategies(std::string_view names);

struct CompactionRules {
  std::vector<Strategy> strategies = {Strategy::kClear, Strategy::kMiddle, Strategy::kOldest};
  int start_messages = 4;           ///< messages at the beginning that kMiddle keeps
  int end_messages = 5;             ///< messages at the end that kMiddle keeps
  long long protect_tokens = 8000;  ///< newest tokens whose results kClear keeps, at most
  long long marker_tokens = 48;     ///< size of a marker
  long long note_tokens = 0;        ///< largest size of the note about removed exchanges
  bool moves_cache = false;  ///< the server can shift its KV cache, so removals cost no prefill
  ImportanceWeights weights;
};

/// The parts and exchanges that a compaction removes, with reasons.
struct Compaction {
  struct Cleared {
    std::size_t message = 0;  ///< index in the ledger
    std::size_t part = 0;
    long long saved = 0;
  };
  struct Removed {
    std::size_t exchange = 0;
    long long tokens = 0;
    double score = 0;
    Strategy why = Strategy::kOldest;
  };
  std::vector<Cleared> cleared;  ///< never in a removed exchange
  std::vector<Removed> removed;  ///< ascending by exchange
  long long before = 0;
  long long after = 0;  ///< an upper estimate: counts markers and note at their largest

  bool empty() const { return cleared.empty() && removed.empty(); }
};

/// Returns true if a conversation must be compacted before the next request. The threshold is
/// `budget.high()`. At the start of a phase it is `budget.between()`: earlier messages matter least
/// there, and the phase runs without compaction. O(parts of the last message).
bool is_due(const Ledger& ledger, const Budget& budget);

/// Plans one compaction down to `budget.low()`, or as close as the pinned exchanges allow
/// (find_pins()).
/// The server must prefill everything after the first change again. Several plans are compared
/// whose loss of importance is at most a quarter above the least. The plan with the least prefill
/// per token freed for later messages is used. The plan is empty if the conversation already fits.
/// Results in pinned exchanges are kept. Results of failures too large to be pinned may be cleared;
/// the note about them is then counted. If the pinned exchanges alone are too large, results of the
/// newest exchange are cleared, largest first.
/// Errors: kLimit, naming the largest exchange, if more than `budget.high()` would remain; a retry
/// cannot succeed. O(messages log messages).
Result<Compaction> plan_compaction(const Ledger& ledger, const Budget& budget,
                                   const CompactionRules& rules);

/// Applies a plan to a ledger, with a marker of `marker_tokens` for each cleared result. Does not
/// change texts, see Conversation::compact().
void apply(Ledger& ledger, const Compaction& compaction, long long marker_tokens);

/// The outcome of a compaction, for the journal and the user.
struct CompactionReport {
  /// Messages removed together, or one whose result was replaced with a marker.
  struct Left {
    MessageId first = 0;
    MessageId last = 0;
    std::string what;  ///< the calls in it; may be ""
    long long tokens = 0;
    double score = 0;  ///< importance of an exchange; 0 for a marker
    std::string why;   ///< name of the strategy
    bool cleared = false;
    std::string kept_as;  ///< name of the full text of a cleared result
  };
  /// An exchange that is pinned.
  struct Stayed {
    MessageId first = 0;
    MessageId last = 0;
    long long tokens = 0;
    Pin why = Pin::kNone;
  };

  std::vector<Left> left;
  std::vector<Stayed> stayed;
  long long before = 0;
  long long after = 0;     ///< measured or estimated
  bool estimated = false;  ///< true if the two counts above are estimates
  long long limit = 0;
  long long note_tokens = 0;
  std::string kept_as;        ///< name of the removed text; "" if only results were cleared
  std::string note = "none";  ///< replacement for removed exchanges: "digest", "summary", "none"
  std::string note_problem;   ///< reason why the requested summary of the model is missing
  Usage note_usage;           ///< of the request for the summary
};

/// Describes a plan before apply(): the removed and the pinned exchanges.
CompactionReport describe(const Compaction& compaction, const Ledger& ledger, const Budget& budget);

}  // namespace pedro
