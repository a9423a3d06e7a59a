#include "context/conversation.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace pedro {

ContextPart Conversation::counted(const WrittenPart& part) const {
  ContextPart out;
  out.kind = part.kind;
  out.pinned = part.pinned;
  out.bytes = part.text.size();
  out.tokens = part.text.empty() ? 0 : count_(part.text);
  out.kept_as = part.kept_as;
  out.facts = part.facts;
  return out;
}

MessageId Conversation::append(ChatMessage message, std::vector<WrittenPart> parts,
                               long long tokens) {
  assert(message.content.empty());
  free_some();
  std::string text;
  std::vector<ContextPart> counts;
  for (WrittenPart& part : parts) {
    if (tokens < 0) {
      counts.push_back(counted(part));
    } else {
      counts.push_back(
          {part.kind, part.pinned, false, part.text.size(), tokens, part.kept_as, part.facts});
      tokens = 0;
    }
    text += part.text;
  }
  if (!text.empty()) message.content.push_back({ContentChunk::Kind::kText, std::move(text)});
  const Role role = message.role;
  request_.messages.push_back(std::move(message));
  return ledger_.append(role, std::move(counts));
}

void Conversation::free_some() {
  const auto free_some_of = [](auto& left) {
    constexpr std::size_t kFreedAtOnce = 16;
    left.resize(left.size() - std::min(left.size(), kFreedAtOnce));
    if (left.empty()) left.shrink_to_fit();
  };
  free_some_of(left_);
  free_some_of(left_texts_);
  free_some_of(left_facts_);
}

std::string& Conversation::text_at(std::size_t message) {
  auto& content = request_.messages[message].content;
  if (content.empty()) content.emplace_back();
  return content.front().text;
}

std::string_view Conversation::text_of(std::size_t message, std::size_t part) const {
  const auto parts = ledger_.parts(message);
  const auto& content = request_.messages[message].content;
  if (content.empty()) return {};
  std::size_t begin = 0;
  for (std::size_t i = 0; i < part; ++i) begin += parts[i].bytes;
  return std::string_view(content.front().text).substr(begin, parts[part].bytes);
}

void Conversation::replace(std::size_t message, std::size_t part, WrittenPart by) {
  const auto parts = ledger_.parts(message);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < part; ++i) begin += parts[i].bytes;
  ContextPart count = counted(by);
  count.cleared = true;
  std::string& text = text_at(message);
  if (begin == 0 && parts[part].bytes == text.size()) {  // swaps long texts instead of copying
    text.swap(by.text);
    left_texts_.push_back(std::move(by.text));
  } else {
    text.replace(begin, parts[part].bytes, by.text);
  }
  ledger_.replace_part(message, part, std::move(count));
}

std::vector<std::size_t> Conversation::compact(const Compaction& compaction,
                                               std::vector<WrittenPart> markers, WrittenPart note) {
  assert(markers.size() == compaction.cleared.size());
  std::vector<bool> changed(request_.messages.size(), false);
  left_texts_.reserve(left_texts_.size() + markers.size());
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const Compaction::Cleared& one = compaction.cleared[i];
    replace(one.message, one.part, std::move(markers[i]));
    changed[one.message] = true;
  }
  for (std::size_t m = 0; m < changed.size(); ++m) {
    const auto parts = ledger_.parts(m);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].kind != PartKind::kNote || parts[p].bytes == 0) continue;
      replace(m, p, {PartKind::kNote, ""});
      changed[m] = true;
    }
  }
  if (!note.text.empty()) {
    ledger_.append_part(counted(note));
    text_at(changed.size() - 1) += note.text;
    changed.back() = true;
  }
  std::vector<bool> gone(ledger_.exchanges().size(), false);
  for (const Compaction::Removed& one : compaction.removed) gone[one.exchange] = true;
  std::vector<ChatMessage>& messages = request_.messages;
  std::vector<std::size_t> origins;
  origins.reserve(messages.size());
  left_.reserve(left_.size() + 2 * compaction.removed.size());
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const Exchange& exchange = ledger_.exchanges()[i];
    for (std::size_t m = exchange.first; m < exchange.end; ++m) {
      if (gone[i]) {
        left_.push_back(std::move(messages[m].content));
        continue;
      }
      if (m != origins.size()) messages[origins.size()] = std::move(messages[m]);
      origins.push_back(changed[m] ? kChanged : m);
    }
  }
  messages.resize(origins.size());
  auto facts = ledger_.remove_exchanges(gone);
  std::move(facts.begin(), facts.end(), std::back_inserter(left_facts_));
  return origins;
}

}  // namespace pedro
