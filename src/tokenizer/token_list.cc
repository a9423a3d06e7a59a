#include "tokenizer/token_list.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace pedro {

TokenList::TokenList(std::initializer_list<SourceToken> tokens) {
  for (const SourceToken& token : tokens) push_back(token);
}

SourceToken TokenList::operator[](std::size_t id) const {
  assert(id < size());
  const Entry& entry = entries_[id];
  return {std::string_view(text_).substr(entry.offset, entry.length), entry.kind,
          scores_.empty() ? 0 : scores_[id]};
}

void TokenList::reserve(std::size_t tokens, std::size_t text_bytes) {
  entries_.reserve(tokens);
  text_.reserve(text_bytes);
}

void TokenList::resize(std::size_t size) {
  entries_.resize(size);
  if (!scores_.empty()) scores_.resize(size);
}

void TokenList::push_back(const SourceToken& token) {
  resize(size() + 1);
  set(size() - 1, token);
}

void TokenList::set(std::size_t id, const SourceToken& token) {
  set_bytes(id, token.bytes);
  set_kind(id, token.kind);
  set_score(id, token.score);
}

// Overwrites the old text if the new one is not longer. Else appends it; the old text stays unused.
void TokenList::set_bytes(std::size_t id, std::string_view bytes) {
  assert(id < size() && bytes.size() < (1U << 24U));
  Entry& entry = entries_[id];
  if (bytes.size() > entry.length) {
    assert(text_.size() + bytes.size() <= std::numeric_limits<std::uint32_t>::max());
    entry.offset = static_cast<std::uint32_t>(text_.size());
    text_.append(bytes);
  } else {
    std::copy(bytes.begin(), bytes.end(), text_.begin() + entry.offset);
  }
  entry.length = static_cast<std::uint32_t>(bytes.size()) & 0xFFFFFFU;
}

void TokenList::set_kind(std::size_t id, TokenKind kind) {
  assert(id < size());
  entries_[id].kind = kind;
}

void TokenList::set_score(std::size_t id, float score) {
  if (scores_.empty() && score == 0) return;
  if (scores_.empty()) {
    scores_.reserve(entries_.capacity());
    scores_.resize(size());
  }
  scores_[id] = score;
}

void TokenList::insert_front(std::size_t count) {
  entries_.insert(entries_.begin(), count, Entry{});
  if (!scores_.empty()) scores_.insert(scores_.begin(), count, 0.0F);
}

bool operator==(const TokenList& a, const TokenList& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace pedro
