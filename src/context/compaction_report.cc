#include "context/compaction_report.h"

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

std::string calls_in(const Ledger& ledger, const Exchange& exchange) {
  std::vector<std::string> calls;
  for (const ContextPart& part : ledger.parts(exchange.first, exchange.end)) {
    if (part.facts) calls.push_back(part.facts->call);
  }
  return join(calls, "; ");
}

}  // namespace

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
