#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "context/budget.h"
#include "context/ledger.h"

namespace pedro {

/// The weights of an exchange's importance. Each weight is multiplied by a factor from 0 to 1; the
/// products are added.
struct ImportanceWeights {
  double recency = 3;     ///< halves with each eighth of the conversation after it
  double role = 1;        ///< contains the task or the prompt of a phase
  double error = 2;       ///< contains a failed call that has not succeeded since
  double editing = 2;     ///< concerns a file that was changed
  double referenced = 1;  ///< its target appears again later
  double note = 2;        ///< contains a note of the model
  double size = 1;        ///< 1 minus its size relative to the largest exchange
};

/// Parses an object of numbers from 0 to 100, with the names above as keys. Absent weights keep
/// their defaults. Errors: kConfig, naming the invalid key or value.
Result<ImportanceWeights> read_weights(const Json& object);

/// The reason why an exchange must stay.
enum class Pin { kNone, kHead, kOpening, kNewest, kError };
/// "", "head", "opening", "newest", "error".
std::string_view to_string(Pin pin);

/// Returns true for each exchange with a failed call and no later success on the same topic.
/// O(messages).
std::vector<bool> open_errors(const Ledger& ledger);

/// Returns the pin of each exchange.
/// Pinned are the head (rules, task), the prompt of the current phase, other pinned parts and the
/// newest exchange. Unresolved failures are pinned too, newest first, up to an eighth of
/// `budget.limit()`. A failure that does not fit is skipped; older ones may still fit. `errors` are
/// open_errors(). O(messages).
std::vector<Pin> find_pins(const Ledger& ledger, const Budget& budget,
                           const std::vector<bool>& errors);
inline std::vector<Pin> find_pins(const Ledger& ledger, const Budget& budget) {
  return find_pins(ledger, budget, open_errors(ledger));
}

/// Returns the importance of each exchange. `errors` are open_errors(). O(messages).
std::vector<double> score_exchanges(const Ledger& ledger, const ImportanceWeights& weights,
                                    const std::vector<bool>& errors);
inline std::vector<double> score_exchanges(const Ledger& ledger, const ImportanceWeights& weights) {
  return score_exchanges(ledger, weights, open_errors(ledger));
}

}  // namespace pedro
