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

/// What an exchange's importance is the sum of; every summand is this times something from 0 to 1.
struct ImportanceWeights {
  double recency = 3;     ///< halves with each eighth of the conversation behind it
  double role = 1;        ///< how a phase began and ended, against a call like any other
  double error = 2;       ///< a call that failed and did not succeed since
  double editing = 2;     ///< it is about a file that was changed
  double referenced = 1;  ///< what it is about came up again later
  double note = 2;        ///< the model set something aside
  double size = 1;        ///< by how much less than the largest it takes
};

/// An object of numbers from 0 to 100 by the names above; what is not named stays as it is. Errors
/// (kConfig) name what is wrong.
Result<ImportanceWeights> read_weights(const Json& object);

/// Why an exchange must stay.
enum class Pin { kNone, kHead, kOpening, kNewest, kError };
/// "", "head", "opening", "newest", "error".
std::string_view to_string(Pin pin);

/// Of each exchange, whether a call of it failed and no later one of the same kind succeeded.
/// O(messages).
std::vector<bool> open_errors(const Ledger& ledger);

/// Of each exchange, whether it has to stay: the head (rules, task), the prompt of the phase at
/// hand and whatever else is pinned, the newest exchange, and what failed last and was not mended
/// since, newest first, as far as that takes no more than an eighth of the budget: one that does
/// not fit is no reason to lose those before it. `errors` are open_errors(). O(messages).
std::vector<Pin> find_pins(const Ledger& ledger, const Budget& budget,
                           const std::vector<bool>& errors);
inline std::vector<Pin> find_pins(const Ledger& ledger, const Budget& budget) {
  return find_pins(ledger, budget, open_errors(ledger));
}

/// Of each exchange, how much its loss would hurt. O(messages).
std::vector<double> score_exchanges(const Ledger& ledger, const ImportanceWeights& weights,
                                    const std::vector<bool>& errors);
inline std::vector<double> score_exchanges(const Ledger& ledger, const ImportanceWeights& weights) {
  return score_exchanges(ledger, weights, open_errors(ledger));
}

}  // namespace pedro
