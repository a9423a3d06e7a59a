// The cost of fitting a long conversation into a window: 100,000 messages of a job. Prints the time
// of an append at the beginning and at the end, and their ratio. Also prints the times of a budget
// check and of a compaction (planning and applying it). Compares the compaction with one of a tenth
// of the messages, and the peak memory with the bytes of text.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "base/median.h"
#include "bench/timing.h"
#include "context/random_conversation.h"
#include "support/heap_peak.h"

namespace pedro {
namespace {

long long text_bytes(const Conversation& conversation) {
  long long bytes = 0;
  for (const ChatMessage& message : conversation.request().messages) {
    bytes += static_cast<long long>(text_of(message).size());
  }
  return bytes;
}

struct Run {
  double first_append_us = 0;
  double last_append_us = 0;
  double check_us = 0;
  double choose_ms = 0;
  double compact_ms = 0;  // planning and applying it
  double memory_ratio = 0;
};

// Alternates replies and results, 1 KiB on average.
Run run(std::size_t messages) {
  constexpr std::size_t kSample = 2000;
  Dice dice(1);
  Run out;
  start_heap_peak();
  Conversation conversation(count_quarters);
  conversation.append(text_message(Role::kSystem, ""), {{PartKind::kSystem, "rules"}});
  conversation.append(text_message(Role::kUser, ""), {{PartKind::kTask, "task"}});
  std::vector<double> appends;
  while (conversation.request().messages.size() < messages) {
    WrittenPart reply{PartKind::kReply,
                      std::string(static_cast<std::size_t>(dice.below(2048)), 'r')};
    WrittenPart result{PartKind::kResult,
                       std::string(static_cast<std::size_t>(dice.below(2048)), 'x')};
    CallFacts facts;
    facts.tool = "file";
    facts.target = fmt::format("f{}", dice.below(1000));
    facts.call = facts.tool + " read " + facts.target;
    facts.ok = dice.below(5) != 0;
    result.facts = std::make_shared<CallFacts>(std::move(facts));
    const SteadyClock::time_point start = SteadyClock::now();
    conversation.append(text_message(Role::kAssistant, ""), {std::move(reply)});
    conversation.append(text_message(Role::kUser, ""), {std::move(result)});
    appends.push_back(us_since(start) / 2);
  }
  const std::size_t sample = std::min(kSample, appends.size() / 2);
  const auto at = static_cast<std::ptrdiff_t>(sample);
  out.first_append_us = median({appends.begin(), appends.begin() + at});
  out.last_append_us = median({appends.end() - at, appends.end()});
  out.memory_ratio =
      static_cast<double>(heap_peak()) / static_cast<double>(text_bytes(conversation));
  const Budget budget{conversation.ledger().total(), 4096, 0, 0.85, 0.35};
  std::vector<double> checks;
  for (int i = 0; i < 1000; ++i) {
    const SteadyClock::time_point start = SteadyClock::now();
    const bool over = conversation.ledger().total() > budget.high();
    checks.push_back(us_since(start) + (over ? 0 : 1e9));
  }
  out.check_us = median(checks);
  const CompactionRules rules;
  Result<Compaction> plan = Compaction{};
  std::vector<double> choices;
  for (int i = 0; i < 15; ++i) {
    const SteadyClock::time_point start = SteadyClock::now();
    plan = plan_compaction(conversation.ledger(), budget, rules);
    choices.push_back(us_since(start) / 1000);
  }
  out.choose_ms = median(std::move(choices));
  if (!plan || plan->removed.empty() || plan->cleared.empty()) {
    fmt::print("nothing was to leave\n");
    return out;
  }
  std::vector<WrittenPart> markers;  // the caller that stores the originals writes these texts
  for (const Compaction::Cleared& one : plan->cleared) {
    WrittenPart marker{PartKind::kResult, std::string(100, 's'), false, "out-1"};
    marker.facts = conversation.ledger().parts(one.message)[one.part].facts;
    markers.push_back(std::move(marker));
  }
  const SteadyClock::time_point again = SteadyClock::now();
  (void)conversation.compact(*plan, std::move(markers), {PartKind::kNote, "note"});
  out.compact_ms = out.choose_ms + us_since(again) / 1000;
  return out;
}

// Returns the run with the median compaction time. A conversation can be compacted only once, so
// each run builds one.
Run median_run(std::size_t messages) {
  std::vector<Run> runs;
  for (int i = 0; i < 5; ++i) runs.push_back(run(messages));
  std::nth_element(runs.begin(), runs.begin() + 2, runs.end(),
                   [](const Run& a, const Run& b) { return a.compact_ms < b.compact_ms; });
  return runs[2];
}

void print() {
  const Run small = median_run(10000);
  const Run large = median_run(100000);
  fmt::print("append      {:.2f} us, {:.2f} at the end: {:.2f} times\n", large.first_append_us,
             large.last_append_us, large.last_append_us / large.first_append_us);
  fmt::print("check       {:.2f} us\n", large.check_us);
  fmt::print(
      "compaction  {:.1f} ms of 100,000 messages, {:.1f} of it to choose; {:.1f} of 10,000: {:.1f} "
      "times\n",
      large.compact_ms, large.choose_ms, small.compact_ms, large.compact_ms / small.compact_ms);
  fmt::print("memory      {:.2f} times the text\n", large.memory_ratio);
}

}  // namespace
}  // namespace pedro

int main() {
  pedro::print();
  return 0;
}
