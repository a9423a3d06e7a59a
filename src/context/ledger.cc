#include "context/ledger.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

namespace pedro {
namespace {

constexpr std::array<std::string_view, 7> kKinds = {"system", "task",   "opening", "reply",
                                                    "result", "advice", "note"};

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
  part.names.topic = name_of(part.facts->tool + '\n' + part.facts->target);
  part.names.target = name_of(part.facts->target);
  for (const std::string& path : part.facts->changed) part.names.changed.push_back(name_of(path));
}

MessageId Ledger::append(Role role, std::vector<ContextPart> parts) {
  if (exchanges_.empty() || role == Role::kAssistant) {
    exchanges_.push_back({messages_.size(), messages_.size(), 0});
  }
  Exchange& exchange = exchanges_.back();
  for (ContextPart& part : parts) {
    name_facts(part);
    exchange.tokens += part.tokens;
    total_ += part.tokens;
  }
  messages_.push_back({++last_id_, role, std::move(parts)});
  exchange.end = messages_.size();
  return last_id_;
}

void Ledger::clear() {
  names_.clear();
  messages_.clear();
  exchanges_.clear();
  total_ = 0;
}

void Ledger::measured(long long prompt_tokens) {
  assert(!exchanges_.empty());
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
  measured(prompt_tokens);
}

void Ledger::replace_part(std::size_t message, std::size_t part, ContextPart by) {
  const auto behind =
      std::upper_bound(exchanges_.begin(), exchanges_.end(), message,
                       [](std::size_t at, const Exchange& exchange) { return at < exchange.end; });
  assert(behind != exchanges_.end());
  ContextPart& place = messages_[message].parts[part];
  behind->tokens += by.tokens - place.tokens;
  total_ += by.tokens - place.tokens;
  place = std::move(by);
  name_facts(place);
}

void Ledger::append_part(ContextPart part) {
  exchanges_.back().tokens += part.tokens;
  total_ += part.tokens;
  name_facts(part);
  messages_.back().parts.push_back(std::move(part));
}

void Ledger::remove_exchanges(const std::vector<bool>& gone) {
  assert(gone.size() == exchanges_.size() && !gone.front());
  std::vector<ContextMessage> messages;
  std::vector<Exchange> exchanges;
  messages.reserve(messages_.size());
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    const Exchange& exchange = exchanges_[i];
    if (gone[i]) {
      total_ -= exchange.tokens;
      continue;
    }
    const std::size_t first = messages.size();
    const auto at = messages_.begin();
    std::move(at + static_cast<std::ptrdiff_t>(exchange.first),
              at + static_cast<std::ptrdiff_t>(exchange.end), std::back_inserter(messages));
    exchanges.push_back({first, messages.size(), exchange.tokens});
  }
  messages_ = std::move(messages);
  exchanges_ = std::move(exchanges);
}

}  // namespace pedro
