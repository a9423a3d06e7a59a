#include "context/compaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 3> kStrategies = {"clear", "middle", "oldest"};

// Makes the choice, strategy by strategy.
class Planner {
 public:
  Planner(const Ledger& ledger, const Budget& budget, const CompactionRules& rules)
      : ledger_(ledger),
        budget_(budget),
        rules_(rules),
        pins_(find_pins(ledger, budget)),
        scores_(score_exchanges(ledger, rules.weights)),
        gone_(pins_.size(), false),
        saved_(pins_.size(), 0),
        why_(pins_.size(), Strategy::kOldest) {
    plan_.before = ledger.total();
    plan_.after = plan_.before;
  }

  Result<Compaction> run() {
    if (plan_.before <= budget_.low()) return std::move(plan_);
    for (const Strategy strategy : rules_.strategies) {
      if (enough()) break;
      use(strategy);
    }
    if (plan_.after > budget_.high()) clear_newest();
    if (plan_.after > budget_.high()) return too_large();
    return take();
  }

 private:
  bool enough() const { return plan_.after <= budget_.low(); }

  void use(Strategy strategy) {
    switch (strategy) {
      case Strategy::kClear:
        return clear_old();
      case Strategy::kMiddle:
        return remove_middle();
      case Strategy::kOldest:
        return remove_oldest();
    }
  }

  bool can_clear(const ContextPart& part) const {
    // Less is not worth a place where the cache ends.
    return part.kind == PartKind::kResult && !part.cleared && part.tokens > 2 * rules_.stub_tokens;
  }

  void clear(std::size_t exchange, std::size_t message, std::size_t part) {
    const long long saved = ledger_.parts(message)[part].tokens - rules_.stub_tokens;
    plan_.cleared.push_back({message, part, saved});
    saved_[exchange] += saved;
    plan_.after -= saved;
  }

  void clear_old() {
    const auto& exchanges = ledger_.exchanges();
    const long long protect = std::min(rules_.protect_tokens, budget_.low() / 2);
    long long behind = 0;
    std::size_t end = exchanges.size();
    while (end > 0 && (end == exchanges.size() || behind + exchanges[end - 1].tokens <= protect)) {
      behind += exchanges[--end].tokens;
    }
    for (std::size_t i = 0; i < end && !enough(); ++i) {
      for (std::size_t m = exchanges[i].first; m < exchanges[i].end && !enough(); ++m) {
        const auto parts = ledger_.parts(m);
        for (std::size_t p = 0; p < parts.size() && !enough(); ++p) {
          if (can_clear(parts[p]) && !gone_[i]) clear(i, m, p);
        }
      }
    }
  }

  // The exchange's tokens may be none: it came in with a prompt that was never counted.
  void remove(std::size_t exchange, Strategy why) {
    if (!noted_) plan_.after += rules_.note_tokens;
    noted_ = true;
    gone_[exchange] = true;
    why_[exchange] = why;
    plan_.after -= ledger_.exchanges()[exchange].tokens - saved_[exchange];
  }

  bool is_free(std::size_t exchange) const {
    return pins_[exchange] == Pin::kNone && !gone_[exchange] &&
           ledger_.exchanges()[exchange].tokens > saved_[exchange];
  }

  void remove_middle() {
    const auto& exchanges = ledger_.exchanges();
    const auto start = static_cast<std::size_t>(std::max(0, rules_.start_messages));
    const auto last = static_cast<std::size_t>(std::max(0, rules_.end_messages));
    const std::size_t messages = ledger_.messages().size();
    std::vector<std::pair<double, std::size_t>> middle;  // by what it is worth, the older first
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      if (is_free(i) && exchanges[i].first >= start && exchanges[i].end + last <= messages) {
        middle.emplace_back(scores_[i] / static_cast<double>(exchanges[i].tokens - saved_[i]), i);
      }
    }
    std::sort(middle.begin(), middle.end());
    for (const auto& [worth, exchange] : middle) {
      if (enough()) return;
      remove(exchange, Strategy::kMiddle);
    }
  }

  void remove_oldest() {
    for (std::size_t i = 0; i < gone_.size() && !enough(); ++i) {
      if (is_free(i)) remove(i, Strategy::kOldest);
    }
  }

  // What came in last is too much for what has to stay.
  void clear_newest() {
    const std::size_t last = pins_.size() - 1;
    const Exchange& newest = ledger_.exchanges()[last];
    std::vector<Compaction::Cleared> results;
    for (std::size_t m = newest.first; m < newest.end; ++m) {
      const auto parts = ledger_.parts(m);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (can_clear(parts[p])) results.push_back({m, p, parts[p].tokens});
      }
    }
    std::stable_sort(results.begin(), results.end(),
                     [](const auto& a, const auto& b) { return a.saved > b.saved; });
    for (const auto& result : results) {
      if (plan_.after <= budget_.high()) return;
      clear(last, result.message, result.part);
    }
  }

  Error too_large() const {
    std::size_t largest = 0;
    for (std::size_t i = 0; i < pins_.size(); ++i) {
      if (!gone_[i] && left(i) > left(largest)) largest = i;
    }
    const Exchange& exchange = ledger_.exchanges()[largest];
    return Error{
        ErrorKind::kLimit,
        fmt::format("the conversation has {} tokens, and {} of them cannot leave, where {} may be "
                    "left; the most is message {} ({}) with {}; start the server with a larger -c, "
                    "or give the job less",
                    plan_.before, plan_.after, budget_.high(),
                    ledger_.messages()[exchange.first].id, to_string(pins_[largest]),
                    left(largest)),
        Overflow{plan_.before, budget_.context_tokens}};
  }

  long long left(std::size_t exchange) const {
    return ledger_.exchanges()[exchange].tokens - saved_[exchange];
  }

  Compaction take() {
    const auto& exchanges = ledger_.exchanges();
    for (std::size_t i = 0; i < gone_.size(); ++i) {
      if (gone_[i]) plan_.removed.push_back({i, exchanges[i].tokens, scores_[i], why_[i]});
    }
    std::erase_if(plan_.cleared, [&](const Compaction::Cleared& one) {
      const auto at = std::upper_bound(
          exchanges.begin(), exchanges.end(), one.message,
          [](std::size_t message, const Exchange& exchange) { return message < exchange.end; });
      return gone_[static_cast<std::size_t>(at - exchanges.begin())];
    });
    return std::move(plan_);
  }

  const Ledger& ledger_;
  const Budget& budget_;
  const CompactionRules& rules_;
  std::vector<Pin> pins_;
  std::vector<double> scores_;
  std::vector<bool> gone_;
  std::vector<long long> saved_;  // of each exchange, by clearing
  std::vector<Strategy> why_;
  Compaction plan_;
  bool noted_ = false;
};

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
      return Error{ErrorKind::kConfig, fmt::format("strategy '{}' is there twice", name)};
    }
    strategies.push_back(strategy);
  }
  return strategies;
}

Result<Compaction> plan_compaction(const Ledger& ledger, const Budget& budget,
                                   const CompactionRules& rules) {
  return Planner(ledger, budget, rules).run();
}

void apply(Ledger& ledger, const Compaction& compaction, long long stub_tokens) {
  for (const Compaction::Cleared& one : compaction.cleared) {
    ContextPart stub = ledger.parts(one.message)[one.part];
    stub.cleared = true;
    stub.tokens = stub_tokens;
    ledger.replace_part(one.message, one.part, std::move(stub));
  }
  if (compaction.removed.empty()) return;
  std::vector<bool> gone(ledger.exchanges().size(), false);
  for (const Compaction::Removed& one : compaction.removed) gone[one.exchange] = true;
  ledger.remove_exchanges(gone);
}

}  // namespace pedro
