#include "context/importance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/named_numbers.h"

namespace pedro {
namespace {

constexpr double kLargestWeight = 100;

constexpr NamedNumber<ImportanceWeights> kRows[] = {{"recency", &ImportanceWeights::recency},
                                                    {"role", &ImportanceWeights::role},
                                                    {"error", &ImportanceWeights::error},
                                                    {"editing", &ImportanceWeights::editing},
                                                    {"referenced", &ImportanceWeights::referenced},
                                                    {"note", &ImportanceWeights::note},
                                                    {"size", &ImportanceWeights::size}};

template <typename Function>
void for_each_part(const Ledger& ledger, const Exchange& exchange, Function function) {
  for (const ContextPart& part : ledger.parts(exchange.first, exchange.end)) function(part);
}

}  // namespace

Result<ImportanceWeights> read_weights(const Json& object) {
  return read_numbers<ImportanceWeights>(object, kRows, "weight", kLargestWeight);
}

std::string_view to_string(Pin pin) {
  constexpr std::string_view kNames[] = {"", "head", "opening", "newest", "error"};
  return kNames[static_cast<std::size_t>(pin)];
}

std::vector<bool> open_errors(const Ledger& ledger) {
  std::vector<bool> open(ledger.exchanges().size(), false);
  std::vector<bool> settled(ledger.names(), false);
  for (std::size_t i = open.size(); i-- > 0;) {
    const Exchange& exchange = ledger.exchanges()[i];
    const std::span<const ContextPart> parts = ledger.parts(exchange.first, exchange.end);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      if (!part->facts) continue;
      // The newest call on a topic decides, failed or not.
      if (!settled[part->names.topic] && !part->names.ok) open[i] = true;
      settled[part->names.topic] = true;
    }
  }
  return open;
}

std::vector<Pin> find_pins(const Ledger& ledger, const Budget& budget,
                           const std::vector<bool>& errors) {
  const std::vector<Exchange>& exchanges = ledger.exchanges();
  std::vector<Pin> pins(exchanges.size(), Pin::kNone);
  if (pins.empty()) return pins;
  bool opening_seen = false;
  for (std::size_t i = pins.size(); i-- > 0;) {
    bool opens = false;
    for_each_part(ledger, exchanges[i], [&](const ContextPart& part) {
      if (part.kind == PartKind::kOpening) opens = true;
      if (part.pinned) pins[i] = Pin::kOpening;
    });
    if (opens && !opening_seen) pins[i] = Pin::kOpening;
    opening_seen = opening_seen || opens;
  }
  pins.back() = Pin::kNewest;
  pins.front() = Pin::kHead;
  long long error_tokens = budget.limit() / 8;
  for (std::size_t i = pins.size(); i-- > 0;) {
    if (!errors[i] || pins[i] != Pin::kNone) continue;
    if (exchanges[i].tokens > error_tokens) continue;
    error_tokens -= exchanges[i].tokens;
    pins[i] = Pin::kError;
  }
  return pins;
}

std::vector<double> score_exchanges(const Ledger& ledger, const ImportanceWeights& weights,
                                    const std::vector<bool>& errors) {
  const std::vector<Exchange>& exchanges = ledger.exchanges();
  const std::size_t count = exchanges.size();
  std::vector<bool> changed(ledger.names(), false);
  std::vector<std::size_t> last_about(ledger.names(), 0);
  long long largest = 1;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, exchanges[i].tokens);
    for_each_part(ledger, exchanges[i], [&](const ContextPart& part) {
      if (!part.facts) return;
      for (const std::uint32_t path : part.names.changed) changed[path] = true;
      last_about[part.names.target] = i;
    });
  }
  std::vector<double> scores(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const double age = static_cast<double>(count - 1 - i) / static_cast<double>(count);
    double score = weights.recency * std::exp2(-8 * age);
    bool opens = false;
    bool edits = false;
    bool again = false;
    bool notes = false;
    for_each_part(ledger, exchanges[i], [&](const ContextPart& part) {
      opens = opens || part.kind == PartKind::kOpening || part.kind == PartKind::kTask;
      if (!part.facts) return;
      const std::uint32_t target = part.names.target;
      edits = edits || !part.names.changed.empty() || (target != 0 && changed[target]);
      again = again || (target != 0 && last_about[target] > i);
      notes = notes || part.names.is_note;
    });
    score += weights.role * opens + weights.error * errors[i] + weights.editing * edits +
             weights.referenced * again + weights.note * notes;
    const double share =
        static_cast<double>(std::max(0LL, exchanges[i].tokens)) / static_cast<double>(largest);
    scores[i] = score + weights.size * (1 - share);
  }
  return scores;
}

}  // namespace pedro
