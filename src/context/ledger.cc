#include "context/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 7> kKinds = {"system", "task",   "opening", "reply",
                                                    "result", "advice", "note"};
constexpr std::size_t kMaxNamesPerPart = 4;

constexpr std::size_t kMaxEntries = 32;
constexpr std::size_t kMaxEntryBytes = 600;
constexpr std::size_t kMaxDecisionBytes = 2000;  // the size of a plan
constexpr std::size_t kMaxNameBytes = 160;
constexpr std::string_view kNothing = "-";

std::string cut(std::string_view text, std::size_t max_bytes) {
  return cut_middle(trim(text), max_bytes, "");
}

}  // namespace

std::string_view to_string(PartKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

PartKind part_kind_named(std::string_view name) {
  const auto* const found = std::find(kKinds.begin(), kKinds.end(), name);
  if (found == kKinds.end()) return PartKind::kAdvice;
  return static_cast<PartKind>(std::distance(kKinds.begin(), found));
}

std::uint32_t Ledger::name_of(std::string text) {
  if (text.empty()) return 0;
  return names_.try_emplace(std::move(text), static_cast<std::uint32_t>(names())).first->second;
}

void Ledger::name_facts(ContextPart& part) {
  part.names = {};
  if (!part.facts) return;
  part.names.ok = part.facts->ok;
  part.names.is_note = part.facts->kind == CallKind::kNote;
  part.names.topic = name_of(part.facts->tool + '\n' + part.facts->target);
  part.names.target = name_of(part.facts->target);
  for (const std::string& path : part.facts->changed) part.names.changed.push_back(name_of(path));
}

MessageId Ledger::append(Role role, std::vector<ContextPart> parts) {
  exact_ = false;
  if (exchanges_.empty() || role == Role::kAssistant) {
    exchanges_.push_back({messages_.size(), messages_.size(), 0});
  }
  Exchange& exchange = exchanges_.back();
  for (ContextPart& part : parts) {
    name_facts(part);
    exchange.tokens += part.tokens;
    total_ += part.tokens;
  }
  messages_.push_back({++last_id_, role, parts_.size()});
  std::move(parts.begin(), parts.end(), std::back_inserter(parts_));
  exchange.end = messages_.size();
  return last_id_;
}

std::size_t Ledger::exchange_of(std::size_t message) const {
  const auto at = std::upper_bound(
      exchanges_.begin(), exchanges_.end(), message,
      [](std::size_t place, const Exchange& exchange) { return place < exchange.end; });
  return static_cast<std::size_t>(at - exchanges_.begin());
}

std::size_t Ledger::first_behind(MessageId id) const {
  const auto found = std::upper_bound(
      messages_.begin(), messages_.end(), id,
      [](MessageId one, const ContextMessage& message) { return one < message.id; });
  return static_cast<std::size_t>(found - messages_.begin());
}

void Ledger::clear() {
  names_.clear();
  messages_.clear();
  parts_.clear();
  exchanges_.clear();
  total_ = 0;
  exact_ = false;
}

void Ledger::measured(long long prompt_tokens, bool exact) {
  assert(!exchanges_.empty());
  exact_ = exact;
  exchanges_.back().tokens += prompt_tokens - total_;
  total_ = prompt_tokens;
}

void Ledger::rescale(long long prompt_tokens) {
  const double ratio =
      static_cast<double>(prompt_tokens) / static_cast<double>(std::max(1LL, total_));
  total_ = 0;
  for (Exchange& exchange : exchanges_) {
    exchange.tokens = static_cast<long long>(static_cast<double>(exchange.tokens) * ratio);
    total_ += exchange.tokens;
  }
  measured(prompt_tokens, false);
}

void Ledger::replace_part(std::size_t message, std::size_t part, ContextPart by) {
  constexpr std::size_t kNear = 4;
  if (changed_ >= exchanges_.size() || exchanges_[changed_].first > message) changed_ = 0;
  for (std::size_t i = 0; i < kNear && exchanges_[changed_].end <= message; ++i) ++changed_;
  if (exchanges_[changed_].end <= message) changed_ = exchange_of(message);
  Exchange* const behind = &exchanges_[changed_];
  ContextPart& place = parts_[messages_[message].first_part + part];
  behind->tokens += by.tokens - place.tokens;
  total_ += by.tokens - place.tokens;
  exact_ = false;
  const bool same_call = by.facts == place.facts;
  if (same_call) by.names = std::move(place.names);
  place = std::move(by);
  if (!same_call) name_facts(place);
}

void Ledger::append_part(ContextPart part) {
  exact_ = false;
  exchanges_.back().tokens += part.tokens;
  total_ += part.tokens;
  name_facts(part);
  parts_.push_back(std::move(part));
}

std::vector<std::shared_ptr<const CallFacts>> Ledger::remove_exchanges(
    const std::vector<bool>& gone) {
  assert(gone.size() == exchanges_.size() && !gone.front());
  exact_ = false;
  std::vector<std::shared_ptr<const CallFacts>> left;
  std::size_t exchanges = 0;
  std::size_t messages = 0;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    const Exchange exchange = exchanges_[i];
    if (gone[i]) {
      total_ -= exchange.tokens;
      for (std::size_t p = begin_of(exchange.first); p < begin_of(exchange.end); ++p) {
        if (parts_[p].facts) left.push_back(std::move(parts_[p].facts));
      }
      continue;
    }
    exchanges_[exchanges++] = {messages, messages + (exchange.end - exchange.first),
                               exchange.tokens};
    for (std::size_t m = exchange.first; m < exchange.end; ++m) {
      const std::size_t end = begin_of(m + 1);
      const std::size_t begin = messages_[m].first_part;
      messages_[messages] = messages_[m];
      messages_[messages++].first_part = parts;
      if (parts == begin) {
        parts = end;
        continue;
      }
      for (std::size_t p = begin; p < end; ++p) parts_[parts++] = std::move(parts_[p]);
    }
  }
  exchanges_.resize(exchanges);
  messages_.resize(messages);
  parts_.resize(parts);
  if (names_.size() > kMaxNamesPerPart * parts_.size()) {  // most names belong to removed parts
    names_.clear();
    for (ContextPart& part : parts_) name_facts(part);
  }
  return left;
}

void Digest::put(std::vector<Entry>& list, std::string name, std::string text) {
  name = truncate_utf8(name, kMaxNameBytes);
  std::erase_if(list, [&](const Entry& entry) { return entry.name == name; });
  if (list.size() >= kMaxEntries) list.erase(list.begin());
  list.push_back({std::move(name), std::move(text)});
}

void Digest::add_failure(const CallFacts& facts, std::string_view result) {
  put(failed_, facts.call, cut(result, kMaxEntryBytes));
}

void Digest::add(const CallFacts& facts, std::string_view result, bool mended) {
  for (const std::string& path : facts.changed) put(changed_, path, "");
  switch (facts.kind) {
    case CallKind::kLook:
      if (facts.ok && facts.changed.empty()) put(read_, facts.call, "");
      break;
    case CallKind::kCommand:
      put(commands_, facts.call, facts.outcome);
      break;
    case CallKind::kNote:
      if (facts.ok) put(notes_, facts.target, cut(facts.outcome, kMaxEntryBytes));
      break;
    case CallKind::kDecision:
      if (facts.ok) put(decisions_, facts.target, cut(facts.outcome, kMaxDecisionBytes));
      break;
  }
  const std::string_view name = truncate_utf8(facts.call, kMaxNameBytes);
  std::erase_if(failed_, [&](const Entry& entry) { return entry.name == name; });
  if (!facts.ok && !mended) add_failure(facts, result);
}

std::map<std::string, std::string> Digest::sections(
    std::size_t max_bytes,
    const std::function<std::string(const std::string& path)>& state_of) const {
  struct Section {
    const char* name;
    const std::vector<Entry>& entries;
    std::string_view between;
    std::size_t share;  // tenths of `max_bytes`
  };
  const Section all[] = {{"changed", changed_, ", ", 2},   {"read", read_, ", ", 1},
                         {"commands", commands_, "; ", 2}, {"failed", failed_, "\n", 2},
                         {"notes", notes_, "\n", 2},       {"decisions", decisions_, "\n", 1}};
  std::map<std::string, std::string> sections;
  std::size_t unused = 0;  // bytes that earlier sections did not use
  for (const Section& section : all) {
    const std::size_t room = max_bytes * section.share / 10 + unused;
    std::vector<std::string> pieces;
    std::size_t bytes = 0;
    for (auto entry = section.entries.rbegin(); entry != section.entries.rend(); ++entry) {
      const bool is_path = &section.entries == &changed_;
      const std::string text = is_path ? state_of(entry->name) : entry->text;
      pieces.push_back(text.empty()
                           ? entry->name
                           : fmt::format("{}{}{}", entry->name, is_path ? " " : ": ", text));
      bytes += pieces.back().size() + section.between.size();
      if (bytes <= room) continue;
      bytes -= pieces.back().size() + section.between.size();
      pieces.pop_back();
      break;
    }
    std::reverse(pieces.begin(), pieces.end());
    unused = room - bytes;
    sections[section.name] = pieces.empty() ? std::string(kNothing) : join(pieces, section.between);
  }
  return sections;
}

}  // namespace pedro
