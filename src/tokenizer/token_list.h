#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/token_id.h"

namespace pedro {

/// What a token is for; the numbers are those of GGUF's tokenizer.ggml.token_type.
enum class TokenKind : std::uint8_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,  ///< text that is never split, but is text
  kUnused = 5,
  kByte = 6,  ///< one byte, where characters are the symbols
};

/// A token as a vocabulary file has it. `bytes` is what it stands for: of a kByte the one byte, of
/// a control token its name as text. Where characters are the symbols, spaces are U+2581, as in the
/// file. "" is a number without a token.
struct SourceToken {
  std::string_view bytes;
  TokenKind kind = TokenKind::kNormal;
  float score = 0;  ///< where characters are the symbols and there are no merges

  bool operator==(const SourceToken&) const = default;
};

/// Tokens by their numbers. A vocabulary has up to two million of them, of six bytes on average, so
/// their texts stand one behind the other in one string: a token costs 8 bytes and its text (and 4
/// where there are scores). That is what keeps a vocabulary smaller than its file.
///
/// `bytes` of a token are valid until the list changes. Requires less than 4 GiB of texts and 16
/// MiB a text; the limits of vocabulary_limits.h are far below.
class TokenList {
 public:
  TokenList() = default;
  TokenList(std::initializer_list<SourceToken> tokens);

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  /// Requires id < size().
  SourceToken operator[](std::size_t id) const;

  void reserve(std::size_t tokens, std::size_t text_bytes);
  /// New places are numbers without a token.
  void resize(std::size_t size);
  void push_back(const SourceToken& token);
  /// Requires id < size(), of set_bytes that `bytes` is not a part of this list.
  void set(std::size_t id, const SourceToken& token);
  void set_bytes(std::size_t id, std::string_view bytes);
  void set_kind(std::size_t id, TokenKind kind);
  /// `count` numbers without a token come before what is there.
  void insert_front(std::size_t count);

  class Iterator;
  Iterator begin() const;
  Iterator end() const;

  friend bool operator==(const TokenList& a, const TokenList& b);

 private:
  struct Entry {
    std::uint32_t offset = 0;
    std::uint32_t length : 24 = 0;
    TokenKind kind : 8 = TokenKind::kNormal;
  };

  void set_score(std::size_t id, float score);

  std::string text_;
  std::vector<Entry> entries_;
  std::vector<float> scores_;  // none, or one for each entry
};

class TokenList::Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = SourceToken;

  Iterator() = default;
  Iterator(const TokenList& list, std::size_t at) : list_(&list), at_(at) {}

  SourceToken operator*() const { return (*list_)[at_]; }
  Iterator& operator++() { return ++at_, *this; }
  Iterator operator++(int) { return Iterator(*list_, at_++); }
  bool operator==(const Iterator& other) const { return at_ == other.at_; }

 private:
  const TokenList* list_ = nullptr;
  std::size_t at_ = 0;
};

inline TokenList::Iterator TokenList::begin() const {
  return {*this, 0};
}
inline TokenList::Iterator TokenList::end() const {
  return {*this, size()};
}

}  // namespace pedro
