#include "agent/context_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "job/read_journal.h"

namespace pedro {
namespace {

Role role_named(std::string_view name) {
  for (const Role role : {Role::kSystem, Role::kAssistant, Role::kTool}) {
    if (name == to_string(role)) return role;
  }
  return Role::kUser;
}

ContextPart part_of(const Json& row) {
  ContextPart part;
  part.kind = part_kind_named(text_of(row, "kind"));
  part.pinned = truth_of(row, "pinned");
  part.bytes = static_cast<std::size_t>(count_of(row, "bytes"));
  part.tokens = count_of(row, "tokens");
  part.kept_as = text_of(row, "kept_as");
  const Json& call = member(row, "call");
  if (!call.is_object()) return part;
  CallFacts facts;
  facts.kind = static_cast<CallKind>(std::clamp(number_of(call, "kind"), 0LL, 3LL));
  facts.tool = text_of(call, "tool");
  facts.call = text_of(call, "name");
  facts.target = text_of(call, "target");
  facts.ok = truth_of(call, "ok");
  facts.changed = texts_of(member(call, "changed"));
  part.facts = std::make_shared<CallFacts>(std::move(facts));
  return part;
}

MessageId id_before(long long first) {
  constexpr long long kMost = std::numeric_limits<MessageId>::max();
  return static_cast<MessageId>(std::clamp(first - 1, 0LL, kMost));
}

// Returns true if an event starts a new conversation: its first part is the agent's rules. Each
// part of a review has its own conversation.
bool begins_anew(const Json& event) {
  const Json& messages = member(event, "messages");
  if (!messages.is_array() || messages.empty()) return false;
  const Json& parts = member(messages.front(), "parts");
  if (!parts.is_array() || parts.empty()) return false;
  return part_kind_named(text_of(parts.front(), "kind")) == PartKind::kSystem;
}

long long removed_tokens(const Compaction& plan) {
  long long tokens = 0;
  for (const Compaction::Removed& one : plan.removed) tokens += one.tokens;
  return tokens;
}

// Returns the number of tokens before the first change of a compaction.
long long unchanged_tokens(const Ledger& ledger, const Compaction& plan) {
  std::size_t message = ledger.messages().size();
  for (const Compaction::Cleared& one : plan.cleared) message = std::min(message, one.message);
  long long tokens = 0;
  const std::size_t first_gone =
      plan.removed.empty() ? ledger.exchanges().size() : plan.removed.front().exchange;
  for (std::size_t i = 0; i < first_gone; ++i) {
    const Exchange& exchange = ledger.exchanges()[i];
    if (exchange.end > message) break;
    tokens += exchange.tokens;
  }
  return tokens;
}

}  // namespace

Status ContextHistory::append(const Json& event) {
  Step step;
  step.anew = begins_anew(event);
  if (step.anew) now_.clear();
  const long long before = now_.total();
  long long parts_tokens = 0;
  for (const Json& row : member(event, "messages")) {
    std::vector<ContextPart> parts;
    for (const Json& part : member(row, "parts")) {
      parts.push_back(part_of(part));
      parts_tokens += parts.back().tokens;
    }
    const Role role = role_named(text_of(row, "role"));
    const MessageId id = now_.append(role, parts);
    if (id != number_of(row, "id")) {
      return Error{ErrorKind::kUsage,
                   fmt::format("the journal has no message {}; it is incomplete", id)};
    }
    step.messages.push_back({role, std::move(parts)});
  }
  if (step.messages.empty()) return {};
  const long long tokens = count_of(event, "tokens", before + parts_tokens);
  step.around = tokens - before - parts_tokens;
  now_.measured(tokens, !truth_of(event, "estimated"));
  ++requests_;
  if (past_ == Past::kKept) steps_.push_back(std::move(step));
  return {};
}

void ContextHistory::clear_result(std::size_t message, const Json& row) {
  for (std::size_t p = 0; p < now_.parts(message).size(); ++p) {
    ContextPart part = now_.parts(message)[p];
    if (part.kind != PartKind::kResult || part.cleared || !part.facts ||
        part.facts->call != text_of(row, "what")) {
      continue;
    }
    part.cleared = true;
    part.kept_as = text_of(row, "kept_as");
    part.tokens -= count_of(row, "tokens");
    return now_.replace_part(message, p, std::move(part));
  }
}

void ContextHistory::compact(const Json& event) {
  std::vector<bool> leaves(now_.exchanges().size(), false);
  for (const Json& row : member(event, "left")) {
    if (!row.is_object()) continue;
    const long long first = number_of(row, "first");
    const long long last = number_of(row, "last");
    const bool cleared = truth_of(row, "cleared");
    const auto why = std::make_shared<Json>(row);
    (*why)["round"] = requests_;
    if (!cleared) (*why)["kept_as"] = text_of(event, "kept_as");
    const std::vector<ContextMessage>& messages = now_.messages();
    const std::size_t begin = first > 0 ? now_.first_behind(id_before(first)) : 0;
    const auto exchange = std::lower_bound(
        now_.exchanges().begin(), now_.exchanges().end(), begin,
        [](const Exchange& one, std::size_t message) { return one.first < message; });
    const auto number = static_cast<std::size_t>(exchange - now_.exchanges().begin());
    if (!cleared && number > 0 && number < leaves.size() && exchange->first == begin &&
        messages[begin].id == first) {
      leaves[number] = true;
    }
    for (std::size_t m = begin; m < messages.size() && messages[m].id <= last; ++m) {
      if (past_ == Past::kKept) gone_[messages[m].id] = why;
      if (cleared) clear_result(m, row);
    }
  }
  if (leaves.empty()) return;
  now_.remove_exchanges(leaves);
  now_.measured(count_of(event, "after", now_.total()), !truth_of(event, "estimated"));
}

// Corrects an estimated prompt with the server's count, see ContextKeeper::measured().
void ContextHistory::correct(long long prompt_tokens) {
  if (prompt_tokens <= 0 || now_.exact() || now_.messages().empty()) return;
  if (past_ == Past::kKept) steps_.back().around += prompt_tokens - now_.total();
  now_.measured(prompt_tokens, false);  // the next request is estimated again
}

Status ContextHistory::hear(const Json& event) {
  const std::string type = text_of(event, "type");
  if (type == "context.appended") return append(event);
  if (type == "context.compacted") compact(event);
  if (type == "thread.started") moves_cache_ = truth_of(event, "moves_cache");
  if (type == "turn.completed") {
    window_tokens_ = count_of(member(event, "tokens"), "window");
    correct(count_of(member(event, "usage"), "input_tokens"));
  }
  return {};
}

Result<ContextHistory> ContextHistory::read(const FileSystem& files,
                                            const std::string& journal_path) {
  ContextHistory history;
  Status whole;
  PEDRO_RETURN_IF_ERROR(read_journal(files, journal_path, [&](const Json& event) {
    if (whole) whole = history.hear(event);
  }));
  if (!whole) return whole.error().at(journal_path);
  return history;
}

Json ContextHistory::why_gone(MessageId message) const {
  const auto found = gone_.find(message);
  return found == gone_.end() ? Json() : *found->second;
}

namespace {

// Returns the tokens of replies, which the server already has in its KV cache.
long long written_by_model(const ContextHistory::Step& step) {
  long long tokens = 0;
  for (const ContextHistory::Step::Message& message : step.messages) {
    if (message.role != Role::kAssistant) continue;
    for (const ContextPart& part : message.parts) tokens += part.tokens;
  }
  return tokens;
}

// Removes old notes. Each new note covers all removed exchanges.
void drop_notes(Ledger& ledger) {
  for (std::size_t m = 0; m < ledger.messages().size(); ++m) {
    for (std::size_t p = 0; p < ledger.parts(m).size(); ++p) {
      const ContextPart& part = ledger.parts(m)[p];
      if (part.kind == PartKind::kNote && part.tokens > 0) {
        ledger.replace_part(m, p, {.kind = PartKind::kNote});
      }
    }
  }
}

}  // namespace

ContextForecast forecast(const ContextHistory& history, const Budget& budget,
                         const CompactionRules& rules) {
  ContextForecast out;
  Ledger ledger;
  for (std::size_t i = 0; i < history.steps().size(); ++i) {
    const ContextHistory::Step& step = history.steps()[i];
    if (step.anew) ledger.clear();
    const long long before = ledger.total();
    for (const ContextHistory::Step::Message& message : step.messages)
      ledger.append(message.role, message.parts);
    ledger.measured(ledger.total() + step.around);
    out.entered += ledger.total() - before;
    long long cached = before + written_by_model(step);
    if (is_due(ledger, budget)) {
      const Result<Compaction> plan = plan_compaction(ledger, budget, rules);
      if (!plan && ledger.total() > budget.limit()) {
        out.failed = plan.error().message;
        return out;
      }
      if (plan && !plan->empty()) {
        cached = rules.moves_cache && plan->cleared.empty()
                     ? std::max(0LL, cached - removed_tokens(*plan))
                     : std::min(cached, unchanged_tokens(ledger, *plan));
        const long long total = ledger.total();
        apply(ledger, *plan, rules.marker_tokens);
        if (!plan->removed.empty()) {
          drop_notes(ledger);
          ledger.append_part({.kind = PartKind::kNote, .tokens = rules.note_tokens});
        }
        out.cuts.push_back(
            {i + 1, total, ledger.total(), plan->cleared.size(), plan->removed.size()});
      }
    }
    out.evaluated += ledger.total() - cached;
  }
  return out;
}

}  // namespace pedro
