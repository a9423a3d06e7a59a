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

/// The number of single-byte tokens in a byte-level vocabulary.
inline constexpr std::size_t kByteCount = 256;

/// The properties of a vocabulary except its tokens.
struct VocabularyFacts {
  Symbols symbols = Symbols::kBytes;
  Fidelity fidelity = Fidelity::kReference;
  bool whole_pieces = false;  ///< a piece found in pieces() becomes that token
  NormalForm form = NormalForm::kNone;
  bool space_prefix = false;
  bool escape_spaces = false;
  bool add_bos = false;
  bool add_eos = false;
  TokenId bos = -1;  ///< -1: none; likewise below
  TokenId eos = -1;
  TokenId unknown = -1;
};

/// A vocabulary ready for use: one block of bytes in memory or in a mapped file. Its tables are
/// used in place. Immutable except set_fidelity(); thread-safe.
///
/// The block is a cache for this program on this machine, not an exchange format.
class Vocabulary {
 public:
  /// Compiles the source. An Error (kUsage) gives the reason for rejecting it.
  static Result<Vocabulary> compile(const VocabularySource& source);
  /// Opens a block from bytes(). Errors (kUsage): not a block, another version, damaged.
  static Result<Vocabulary> open(MappedFile block);
  static Result<Vocabulary> open(std::vector<char> block);

  const std::string& name() const { return name_; }
  const std::string& origin() const { return origin_; }
  const VocabularyFacts& facts() const { return facts_; }
  /// Selects the reference for ids if references differ.
  void set_fidelity(Fidelity fidelity) { facts_.fidelity = fidelity; }
  const PreTokenizer& pre_tokenizer() const { return pre_tokenizer_; }

  /// A flag in the kinds of the block.
  static constexpr std::uint8_t kStripBehind = 0x80;

  /// The highest id plus one.
  std::size_t size() const { return kinds_.size(); }
  bool has(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < size(); }
  /// The text of a token, or "" for an unused id. Requires has(id).
  std::string_view piece(TokenId id) const { return pieces_.bytes_of(id); }
  /// The kind of a token. Requires has(id).
  TokenKind kind(TokenId id) const {
    return static_cast<TokenKind>(kinds_[static_cast<std::size_t>(id)] & ~kStripBehind);
  }
  /// Returns true if the special token strips the ASCII white space after it. Requires has(id).
  bool strips_behind(TokenId id) const {
    return (kinds_[static_cast<std::size_t>(id)] & kStripBehind) != 0;
  }
  bool is_control(TokenId id) const { return kind(id) == TokenKind::kControl; }
  /// The token with exactly these bytes: one of pieces(), else a special one.
  std::optional<TokenId> id_of(std::string_view bytes) const;

  /// The tokens that text can produce, by their bytes; they define the merges.
  const PieceTable& pieces() const { return pieces_; }
  /// The tokens of the 256 single bytes; -1 for none.
  std::span<const TokenId> byte_tokens() const { return byte_tokens_; }
  /// The merge results of two bytes, at index first byte * 256 + second byte; -1 for none. Empty
  /// unless symbols are bytes and ranks are ids.
  std::span<const TokenId> byte_pairs() const { return byte_pairs_; }
  /// Returns true if any token or character may contain these two bytes in sequence. Other bytes
  /// never merge, so a piece may be cut between them. Always true if symbols are bytes.
  bool are_neighbours(char first, char second) const {
    if (neighbours_.empty()) return true;
    const std::size_t pair = byte_pair(first, second);
    return (neighbours_[pair / 64] >> (pair % 64) & 1) != 0;
  }
  /// The tokens that are searched for before the text is cut into pieces, longest first.
  std::span<const TokenId> specials() const { return specials_; }

  /// The block, for storage in a file.
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
