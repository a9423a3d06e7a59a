#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "sys/mapped_file.h"
#include "tokenizer/piece_table.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// So many tokens for single bytes a vocabulary has, where it has such.
inline constexpr std::size_t kByteCount = 256;

/// What a vocabulary is, beside its tokens.
struct VocabularyFacts {
  Symbols symbols = Symbols::kBytes;
  Fidelity fidelity = Fidelity::kReference;
  bool whole_pieces = false;  ///< a piece that is found in pieces() is that token
  NormalForm form = NormalForm::kNone;
  bool space_prefix = false;
  bool escape_spaces = false;
  bool add_bos = false;
  bool add_eos = false;
  TokenId bos = -1;  ///< -1: there is none; so for the next two
  TokenId eos = -1;
  TokenId unknown = -1;
};

/// A vocabulary made ready for use: one block of bytes, in memory or in a file that is mapped, with
/// tables in it that are read as they lie there. Immutable; any number of threads.
///
/// The block is a cache of this program on this machine, not a format for exchange.
class Vocabulary {
 public:
  /// An Error (kUsage) says why the source makes no vocabulary.
  static Result<Vocabulary> compile(const VocabularySource& source);
  /// Of a block that bytes() gave. Errors (kUsage): not one, of another version, damaged.
  static Result<Vocabulary> open(MappedFile block);
  static Result<Vocabulary> open(std::vector<char> block);

  const std::string& name() const { return name_; }
  const std::string& origin() const { return origin_; }
  const VocabularyFacts& facts() const { return facts_; }
  /// Whose ids are wanted, where they differ.
  void set_fidelity(Fidelity fidelity) { facts_.fidelity = fidelity; }
  const PreTokenizer& pre_tokenizer() const { return pre_tokenizer_; }

  /// In a token's kind, as the block has it.
  static constexpr std::uint8_t kStripBehind = 0x80;

  /// One more than the highest id.
  std::size_t size() const { return kinds_.size(); }
  bool has(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < size(); }
  /// What a token stands for, "" where the number has none. Requires has(id).
  std::string_view piece(TokenId id) const { return pieces_.bytes_of(id); }
  /// Requires has(id).
  TokenKind kind(TokenId id) const {
    return static_cast<TokenKind>(kinds_[static_cast<std::size_t>(id)] & ~kStripBehind);
  }
  /// Whether a special token takes the white space (of ASCII) behind it. Requires has(id).
  bool strips_behind(TokenId id) const {
    return (kinds_[static_cast<std::size_t>(id)] & kStripBehind) != 0;
  }
  bool is_control(TokenId id) const { return kind(id) == TokenKind::kControl; }
  /// The token of exactly these bytes: one that text can become, else a special one.
  std::optional<TokenId> id_of(std::string_view bytes) const;

  /// Tokens that text can become, by their bytes, which decide what merges.
  const PieceTable& pieces() const { return pieces_; }
  /// The tokens of the 256 single bytes, -1 where there is none.
  std::span<const TokenId> byte_tokens() const { return byte_tokens_; }
  /// Where symbols are bytes and ranks are ids: what two bytes become, the first byte times 256
  /// plus the second, -1 where they stay apart. Else empty.
  std::span<const TokenId> byte_pairs() const { return byte_pairs_; }
  /// Whether some token, or some character, may have these two bytes in it, one behind the other.
  /// Between others nothing ever merges, so that a piece may be cut there. Always true where
  /// symbols are bytes.
  bool are_neighbours(char first, char second) const {
    if (neighbours_.empty()) return true;
    const std::size_t pair = byte_pair(first, second);
    return (neighbours_[pair / 64] >> (pair % 64) & 1) != 0;
  }
  /// Tokens that are looked for in text before it is cut into pieces, the longest first.
  std::span<const TokenId> specials() const { return specials_; }

  /// All of it, to be kept in a file.
  std::string_view bytes() const;

 private:
  explicit Vocabulary(std::variant<std::vector<char>, MappedFile> block)
      : block_(std::move(block)) {}
  static Result<Vocabulary> read(Vocabulary vocabulary);
  Status read_strings(std::string_view part);
  Status check() const;

  std::variant<std::vector<char>, MappedFile> block_;
  VocabularyFacts facts_;
  std::string name_;
  std::string origin_;
  PreTokenizer pre_tokenizer_;
  PieceTable pieces_;
  std::span<const std::uint8_t> kinds_;
  std::span<const TokenId> byte_tokens_;
  std::span<const TokenId> byte_pairs_;
  std::span<const TokenId> specials_;
  std::span<const std::uint64_t> neighbours_;
};

}  // namespace pedro
