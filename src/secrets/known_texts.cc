#include "secrets/known_texts.h"

#include <algorithm>
#include <cstring>

namespace pedro {
namespace {

std::uint32_t head_of(std::string_view text) {
  std::uint32_t head = 0;
  std::memcpy(&head, text.data(), sizeof head);
  return head;
}

std::size_t begin_of(std::string_view text) {
  return static_cast<unsigned char>(text[0]) << 8u | static_cast<unsigned char>(text[1]);
}

}  // namespace

void KnownTexts::add(std::string name, std::string text) {
  if (text.size() < kMinBytes || has(text)) return;
  begins_.set(begin_of(text));
  std::vector<Known>& list = by_head_[head_of(text)];
  const auto shorter = std::find_if(
      list.begin(), list.end(), [&](const Known& one) { return one.text.size() < text.size(); });
  list.insert(shorter, {std::move(name), std::move(text)});
}

bool KnownTexts::has(std::string_view text) const {
  if (text.size() < kMinBytes) return false;
  const Known* known = longest_at(text);
  return known != nullptr && known->text == text;
}

const KnownTexts::Known* KnownTexts::longest_at(std::string_view text) const {
  const auto list = by_head_.find(head_of(text));
  if (list == by_head_.end()) return nullptr;
  for (const Known& one : list->second) {
    if (text.starts_with(one.text)) return &one;
  }
  return nullptr;
}

std::vector<SecretSpan> KnownTexts::find(std::string_view text) const {
  std::vector<SecretSpan> spans;
  if (by_head_.empty()) return spans;
  for (std::size_t at = 0; at + kMinBytes <= text.size(); ++at) {
    if (!begins_.test(begin_of(text.substr(at)))) continue;
    const Known* known = longest_at(text.substr(at));
    if (known == nullptr) continue;
    spans.push_back({at, at + known->text.size(), known->name});
    at = spans.back().end - 1;
  }
  return spans;
}

}  // namespace pedro
