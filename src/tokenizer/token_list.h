#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/token_id.h"

namespace pedro {

/// The purpose of a token. The values are those of GGUF's tokenizer.ggml.token_type.
enum class TokenKind : std::uint8_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,  ///< text that is never split
  kUnused = 5,
  kByte = 6,  ///< one byte; only with Symbols::kCharacters
};

/// A token of a vocabulary file. `bytes` is the text that it represents: the byte of a kByte, the
/// name of a control token. With Symbols::kCharacters, spaces are U+2581 as in the file. Empty
/// `bytes`: an unused id.
struct SourceToken {
  std::string_view bytes;
  TokenKind kind = TokenKind::kNormal;
  float score = 0;  ///< only with Symbols::kCharacters and without merges

  bool operator==(const SourceToken&) const = default;
};

/// Tokens by id. A vocabulary has up to two million tokens with an average of six bytes, so one
/// string stores their texts. A token takes 8 bytes plus its text, and 4 bytes more if there are
/// scores. A vocabulary is therefore smaller than its file.
///
/// `bytes` of a token are valid until the list changes. Requires less than 4 GiB of text in total
/// and 16 MiB per token; vocabulary_limits.h has far lower limits.
class TokenList {
 public:
  TokenList() = default;
  TokenList(std::initializer_list<SourceToken> tokens);

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  /// Requires id < size().
  SourceToken operator[](std::size_t id) const;

  void reserve(std::size_t tokens, std::size_t text_bytes);
  /// New ids are unused.
  void resize(std::size_t size);
  void push_back(const SourceToken& token);
  /// Requires id < size(). `bytes` of set_bytes() must not point into this list.
  void set(std::size_t id, const SourceToken& token);
  void set_bytes(std::size_t id, std::string_view bytes);
  void set_kind(std::size_t id, TokenKind kind);
  /// Inserts `count` unused ids before the first token.
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
  std::vector<float> scores_;  // empty, or one per entry
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
