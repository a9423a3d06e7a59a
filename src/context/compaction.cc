#include "context/compaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 3> kStrategies = {"clear", "middle", "oldest"};

// The number of cuts to try, plus one.
constexpr long long kCuts = 8;
// Total number of exchanges in the drafts after which no further cut is tried.
constexpr std::size_t kMostDrafted = 100'000;
constexpr double kMostLoss = 1.25;

// A candidate plan.
struct Draft {
  std::size_t cut = 0;  // first exchange that may change
  std::vector<bool> gone;
  std::vector<Strategy> why;
  std::vector<long long> saved;  // per exchange, by clearing
  std::vector<Compaction::Cleared> cleared;
  long long after = 0;
  bool noted = false;
  double lost = 0;        // importance lost
  std::size_t first = 0;  // first exchange that changes
};

// A result that may be replaced with a marker.
struct Clearable {
  std::size_t exchange = 0;
  std::size_t message = 0;
  std::size_t part = 0;
  long long tokens = 0;
};

// Builds the plan, strategy by strategy.
class Planner {
 public:
  Planner(const Ledger& ledger, const Budget& budget, const CompactionRules& rules)
      : ledger_(ledger),
        exchanges_(ledger.exchanges()),
        budget_(budget),
        low_(budget.low()),
        rules_(rules),
        errors_(open_errors(ledger)),
        pins_(find_pins(ledger, budget, errors_)),
        scores_(score_exchanges(ledger, rules.weights, errors_)) {}

  Result<Compaction> run() {
    Draft plan = begin(0);
    if (enough(plan)) return take(plan);
    sort_by_worth();
    find_clearable();
    plan = draft(0);
    if (enough(plan) && !rules_.moves_cache) plan = cheapest(std::move(plan));
    if (plan.after > budget_.high()) clear_newest(plan);
    if (plan.after > budget_.high()) return too_large(plan);
    return take(plan);
  }

 private:
  Draft begin(std::size_t cut) const {
    const std::size_t count = exchanges_.size();
    return {cut,
            std::vector<bool>(count, false),
            std::vector<Strategy>(count, Strategy::kOldest),
            std::vector<long long>(count, 0),
            {},
            ledger_.total(),
            false,
            0,
            count};
  }

  Draft draft(std::size_t cut) const {
    Draft out = begin(cut);
    for (const Strategy strategy : rules_.strategies) {
      if (enough(out)) break;
      use(strategy, out);
    }
    return out;
  }

  bool enough(const Draft& draft) const { return draft.after <= low_; }

  void use(Strategy strategy, Draft& draft) const {
    switch (strategy) {
      case Strategy::kClear:
        return clear_old(draft);
      case Strategy::kMiddle:
        return remove_middle(draft);
      case Strategy::kOldest:
        return remove_oldest(draft);
    }
  }

  // Returns the tokens to prefill again (all after the first change) per token that fits before the
  // next compaction. `kept` is the size of the unchanged prefix.
  double cost(const Draft& draft, long long kept) const {
    return static_cast<double>(draft.after - kept) /
           static_cast<double>(std::max(1LL, budget_.high() - draft.after));
  }

  // Returns the cheapest draft among `first` and later cuts. A draft may lose at most kMostLoss
  // times as much as `first`.
  Draft cheapest(Draft first) const {
    std::vector<long long> front = {0};  // tokens before each exchange
    for (const Exchange& exchange : exchanges_) front.push_back(front.back() + exchange.tokens);
    const double most_loss = kMostLoss * first.lost;
    Draft best = std::move(first);
    double least = cost(best, front[best.first]);
    std::size_t drafted = 0;
    for (long long cut = 1; cut < kCuts && drafted < kMostDrafted; ++cut) {
      drafted += exchanges_.size();
      const auto at = std::lower_bound(front.begin() + 1, front.end(),
                                       (ledger_.total() * cut + kCuts - 1) / kCuts);
      if (at == front.end()) break;
      Draft other = draft(static_cast<std::size_t>(at - front.begin()));
      if (!enough(other) || other.lost > most_loss) break;  // later cuts have fewer candidates
      const double costs = cost(other, front[other.first]);
      if (costs >= least) continue;
      least = costs;
      best = std::move(other);
    }
    return best;
  }

  // Returns the size of the note that becomes necessary if this exchange is cleared, else 0. The
  // note describes a failure that is too large to be pinned.
  long long note_for(const Draft& draft, std::size_t exchange) const {
    return errors_[exchange] && !draft.noted ? rules_.note_tokens : 0;
  }

  // A smaller gain is not worth invalidating the KV cache.
  bool is_worth_clearing(long long tokens, long long note_tokens) const {
    return tokens > 2 * rules_.marker_tokens + note_tokens;
  }

  static bool is_whole_result(const ContextPart& part) {
    return part.kind == PartKind::kResult && !part.cleared;
  }

  double loss_of(std::size_t exchange, long long saved) const {
    return scores_[exchange] * static_cast<double>(saved) /
           static_cast<double>(std::max(1LL, exchanges_[exchange].tokens));
  }

  void clear(Draft& draft, const Clearable& result) const {
    const std::size_t exchange = result.exchange;
    const long long saved = result.tokens - rules_.marker_tokens;
    draft.after += note_for(draft, exchange);
    draft.noted = draft.noted || errors_[exchange];
    draft.cleared.push_back({result.message, result.part, saved});
    draft.saved[exchange] += saved;
    draft.after -= saved;
    draft.first = std::min(draft.first, exchange);
    draft.lost += loss_of(exchange, saved);
  }

  // Collects the results that kClear may clear, oldest first, for all drafts. Skips pinned
  // exchanges and the newest `protect_tokens`.
  void find_clearable() {
    const auto& ways = rules_.strategies;
    if (std::find(ways.begin(), ways.end(), Strategy::kClear) == ways.end()) return;
    const long long protect = std::min(rules_.protect_tokens, low_ / 2);
    long long behind = 0;
    std::size_t end = exchanges_.size();
    while (end > 0 &&
           (end == exchanges_.size() || behind + exchanges_[end - 1].tokens <= protect)) {
      behind += exchanges_[--end].tokens;
    }
    clearable_.reserve(end);
    for (std::size_t i = 0; i < end; ++i) {
      if (pins_[i] == Pin::kNone) find_results(i, 0, clearable_);
    }
  }

  void find_results(std::size_t exchange, long long note_tokens,
                    std::vector<Clearable>& results) const {
    for (std::size_t m = exchanges_[exchange].first; m < exchanges_[exchange].end; ++m) {
      const auto parts = ledger_.parts(m);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (is_whole_result(parts[p]) && is_worth_clearing(parts[p].tokens, note_tokens)) {
          results.push_back({exchange, m, p, parts[p].tokens});
        }
      }
    }
  }

  void clear_old(Draft& draft) const {
    draft.cleared.reserve(clearable_.size());
    for (const Clearable& result : clearable_) {
      if (enough(draft)) return;
      const std::size_t exchange = result.exchange;
      if (exchange < draft.cut || draft.gone[exchange]) continue;
      if (is_worth_clearing(result.tokens, note_for(draft, exchange))) clear(draft, result);
    }
  }

  // Removes an exchange. Its token count may be 0 or less if its prompt was never counted.
  void remove(Draft& draft, std::size_t exchange, Strategy why) const {
    if (!draft.noted) draft.after += rules_.note_tokens;
    draft.noted = true;
    draft.gone[exchange] = true;
    draft.why[exchange] = why;
    draft.after -= left(draft, exchange);
    draft.first = std::min(draft.first, exchange);
    draft.lost += scores_[exchange] - loss_of(exchange, draft.saved[exchange]);
  }

  bool is_free(const Draft& draft, std::size_t exchange) const {
    return exchange >= draft.cut && pins_[exchange] == Pin::kNone && !draft.gone[exchange] &&
           left(draft, exchange) > 0;
  }

  bool is_middle(std::size_t exchange) const {
    const auto start = static_cast<std::size_t>(std::max(0, rules_.start_messages));
    const auto last = static_cast<std::size_t>(std::max(0, rules_.end_messages));
    return exchanges_[exchange].first >= start &&
           exchanges_[exchange].end + last <= ledger_.messages().size();
  }

  void sort_by_worth() {
    by_worth_.reserve(exchanges_.size());
    for (std::size_t i = 0; i < exchanges_.size(); ++i) {
      if (pins_[i] != Pin::kNone || !is_middle(i) || exchanges_[i].tokens <= 0) continue;
      // Pairs of eight bytes sort faster than pairs of sixteen. Smaller differences are ties.
      const double worth = scores_[i] / static_cast<double>(exchanges_[i].tokens);
      by_worth_.push_back({static_cast<float>(worth), static_cast<std::uint32_t>(i)});
    }
    std::sort(by_worth_.begin(), by_worth_.end());
  }

  void remove_middle(Draft& draft) const {
    for (const auto& [worth, exchange] : by_worth_) {
      if (enough(draft)) return;
      if (is_free(draft, exchange)) remove(draft, exchange, Strategy::kMiddle);
    }
  }

  void remove_oldest(Draft& draft) const {
    for (std::size_t i = draft.cut; i < exchanges_.size() && !enough(draft); ++i) {
      if (is_free(draft, i)) remove(draft, i, Strategy::kOldest);
    }
  }

  // Clears results of the newest exchange, largest first, if they exceed the budget together with
  // the pinned exchanges.
  void clear_newest(Draft& draft) const {
    const std::size_t last = exchanges_.size() - 1;
    std::vector<Clearable> results;
    find_results(last, note_for(draft, last), results);
    std::stable_sort(results.begin(), results.end(),
                     [](const auto& a, const auto& b) { return a.tokens > b.tokens; });
    for (const Clearable& result : results) {
      if (draft.after <= budget_.high()) return;
      clear(draft, result);
    }
  }

  Error too_large(const Draft& draft) const {
    std::size_t largest = 0;
    for (std::size_t i = 0; i < exchanges_.size(); ++i) {
      if (!draft.gone[i] && left(draft, i) > left(draft, largest)) largest = i;
    }
    return Error{ErrorKind::kLimit,
                 fmt::format("the conversation has {} tokens, {} of them cannot be removed, the "
                             "limit is {}; the largest is message {} ({}) with {}; start the "
                             "server with a larger -c, or shorten the task",
                             ledger_.total(), draft.after, budget_.high(),
                             ledger_.messages()[exchanges_[largest].first].id,
                             to_string(pins_[largest]), left(draft, largest)),
                 Overflow{ledger_.total(), budget_.context_tokens}};
  }

  long long left(const Draft& draft, std::size_t exchange) const {
    return exchanges_[exchange].tokens - draft.saved[exchange];
  }

  Compaction take(Draft& draft) const {
    Compaction plan;
    plan.before = ledger_.total();
    plan.after = draft.after;
    for (std::size_t i = 0; i < exchanges_.size(); ++i) {
      if (draft.gone[i]) {
        plan.removed.push_back({i, exchanges_[i].tokens, scores_[i], draft.why[i]});
      }
    }
    plan.cleared = std::move(draft.cleared);
    std::size_t at = 0;  // most of them are in order
    std::erase_if(plan.cleared, [&](const Compaction::Cleared& one) {
      if (at >= exchanges_.size() || one.message < exchanges_[at].first) at = 0;
      while (one.message >= exchanges_[at].end) ++at;
      return draft.gone[at];
    });
    return plan;
  }

  const Ledger& ledger_;
  const std::vector<Exchange>& exchanges_;
  const Budget& budget_;
  const long long low_;
  const CompactionRules& rules_;
  std::vector<bool> errors_;
  std::vector<Pin> pins_;
  std::vector<double> scores_;
  std::vector<std::pair<float, std::uint32_t>> by_worth_;  // candidates for kMiddle, by worth
  std::vector<Clearable> clearable_;
};

std::string calls_in(const Ledger& ledger, const Exchange& exchange) {
  std::vector<std::string> calls;
  for (const ContextPart& part : ledger.parts(exchange.first, exchange.end)) {
    if (part.facts) calls.push_back(part.facts->call);
  }
  return join(calls, "; ");
}

}  // namespace

std::string_view to_string(Strategy strategy) {
  return kStrategies[static_cast<std::size_t>(strategy)];
}

Result<std::vector<Strategy>> read_strategies(std::string_view names) {
  std::vector<Strategy> strategies;
  for (const std::string_view name : split(trim(names), ' ')) {
    if (name.empty()) continue;
    const auto* const found = std::find(kStrategies.begin(), kStrategies.end(), name);
    if (found == kStrategies.end()) {
      return Error{ErrorKind::kConfig,
                   fmt::format("unknown strategy '{}'; there are: clear middle oldest", name)};
    }
    const auto strategy = static_cast<Strategy>(found - kStrategies.begin());
    if (std::find(strategies.begin(), strategies.end(), strategy) != strategies.end()) {
      return Error{ErrorKind::kConfig, fmt::format("strategy '{}' appears twice", name)};
    }
    strategies.push_back(strategy);
  }
  return strategies;
}

bool is_due(const Ledger& ledger, const Budget& budget) {
  if (ledger.messages().empty()) return false;
  const auto newest = ledger.parts(ledger.messages().size() - 1);
  const bool phase_begins = std::any_of(newest.begin(), newest.end(), [](const ContextPart& part) {
    return part.kind == PartKind::kOpening;
  });
  return ledger.total() > (phase_begins ? budget.between() : budget.high());
}

Result<Compaction> plan_compaction(const Ledger& ledger, const Budget& budget,
                                   const CompactionRules& rules) {
  return Planner(ledger, budget, rules).run();
}

void apply(Ledger& ledger, const Compaction& compaction, long long marker_tokens) {
  for (const Compaction::Cleared& one : compaction.cleared) {
    ContextPart marker = ledger.parts(one.message)[one.part];
    marker.cleared = true;
    marker.tokens = marker_tokens;
    ledger.replace_part(one.message, one.part, std::move(marker));
  }
  if (compaction.removed.empty()) return;
  std::vector<bool> gone(ledger.exchanges().size(), false);
  for (const Compaction::Removed& one : compaction.removed) gone[one.exchange] = true;
  ledger.remove_exchanges(gone);
}

CompactionReport describe(const Compaction& compaction, const Ledger& ledger,
                          const Budget& budget) {
  const auto& messages = ledger.messages();
  const auto& exchanges = ledger.exchanges();
  CompactionReport report;
  report.before = compaction.before;
  report.after = compaction.after;
  report.estimated = !ledger.exact();
  report.limit = budget.limit();
  for (const Compaction::Cleared& one : compaction.cleared) {
    const MessageId id = messages[one.message].id;
    const ContextPart& part = ledger.parts(one.message)[one.part];
    report.left.push_back({id, id, part.facts ? part.facts->call : "", one.saved, 0,
                           std::string(to_string(Strategy::kClear)), true, ""});
  }
  std::vector<bool> gone(exchanges.size(), false);
  for (const Compaction::Removed& one : compaction.removed) {
    const Exchange& exchange = exchanges[one.exchange];
    gone[one.exchange] = true;
    report.left.push_back({messages[exchange.first].id, messages[exchange.end - 1].id,
                           calls_in(ledger, exchange), one.tokens, one.score,
                           std::string(to_string(one.why)), false, ""});
  }
  const std::vector<Pin> pins = find_pins(ledger, budget);
  for (std::size_t i = 0; i < pins.size(); ++i) {
    if (pins[i] == Pin::kNone || gone[i]) continue;
    report.stayed.push_back({messages[exchanges[i].first].id, messages[exchanges[i].end - 1].id,
                             exchanges[i].tokens, pins[i]});
  }
  return report;
}

}  // namespace pedro
