#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tokenizer/byte_level.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/token_index.h"
#include "tokenizer/vocabulary_limits.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

// A field of a message in the protocol buffers wire format.
struct ProtobufField {
  std::uint32_t number = 0;
  std::size_t at = 0;                     // offset in the file
  std::uint64_t integer = 0;              // value of a varint, or the bits of a fixed32 or fixed64
  std::optional<std::string_view> bytes;  // of a string, bytes or an embedded message

  float real() const;  // value of a fixed32
};

// Reads the fields of one message in file order
// (https://protobuf.dev/programming-guides/encoding/). The input is untrusted: reading stops at
// the first invalid byte with the Error (kConfig) "byte 12: reason". Groups, which are deprecated,
// are rejected.
class ProtobufReader {
 public:
  // `file_offset` is the offset of `message` in the file, for errors.
  explicit ProtobufReader(std::string_view message, std::size_t file_offset = 0)
      : message_(message), offset_(file_offset) {}

  // Returns the next field, or nothing at the end or after an error.
  std::optional<ProtobufField> next();
  // A reader for the message in `field`, which this reader returned and which has bytes.
  ProtobufReader inside(const ProtobufField& field) const;

  void fail(std::size_t file_offset, const std::string& message);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  std::uint64_t varint();
  std::uint64_t fixed(std::size_t bytes);
  std::string_view take(std::uint64_t bytes);

  std::string_view message_;
  std::size_t offset_ = 0;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

constexpr unsigned kVarint = 0;
constexpr unsigned kFixed64 = 1;
constexpr unsigned kBytes = 2;
constexpr unsigned kFixed32 = 5;
constexpr std::uint64_t kMaxFieldNumber = (1U << 29U) - 1;

float ProtobufField::real() const {
  return std::bit_cast<float>(static_cast<std::uint32_t>(integer));
}

void ProtobufReader::fail(std::size_t file_offset, const std::string& message) {
  if (error_) return;
  error_ = Error{ErrorKind::kConfig, fmt::format("byte {}: {}", file_offset, message)};
}

std::uint64_t ProtobufReader::varint() {
  const std::size_t from = at_;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ >= message_.size()) {
      fail(offset_ + from, "the file ends inside a number");
      return 0;
    }
    const auto byte = static_cast<unsigned char>(message_[at_++]);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  fail(offset_ + from, "a number of more than 64 bits");
  return 0;
}

std::string_view ProtobufReader::take(std::uint64_t bytes) {
  const std::size_t left = message_.size() - at_;
  if (bytes > left) {
    fail(offset_ + at_, fmt::format("{} bytes, but only {} are left", bytes, left));
    return {};
  }
  at_ += bytes;
  return message_.substr(at_ - bytes, bytes);
}

// Reads a little-endian number of `bytes` bytes.
std::uint64_t ProtobufReader::fixed(std::size_t bytes) {
  const std::string_view taken = take(bytes);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(taken[i])) << (8 * i);
  }
  return value;
}

std::optional<ProtobufField> ProtobufReader::next() {
  if (failed() || at_ == message_.size()) return {};
  ProtobufField field;
  field.at = offset_ + at_;
  const std::uint64_t tag = varint();
  if (failed()) return {};
  if (tag >> 3U == 0 || tag >> 3U > kMaxFieldNumber) {
    fail(field.at, "there is no field of this number");
    return {};
  }
  field.number = static_cast<std::uint32_t>(tag >> 3U);
  switch (tag & 7U) {
    case kVarint:
      field.integer = varint();
      break;
    case kFixed64:
      field.integer = fixed(8);
      break;
    case kFixed32:
      field.integer = fixed(4);
      break;
    case kBytes:
      field.bytes = take(varint());
      break;
    default:
      fail(field.at, fmt::format("there is no field of type {}", tag & 7U));
  }
  if (failed()) return {};
  return field;
}

ProtobufReader ProtobufReader::inside(const ProtobufField& field) const {
  const auto at = static_cast<std::size_t>(field.bytes->data() - message_.data());
  return ProtobufReader(*field.bytes, offset_ + at);
}

// Field numbers of sentencepiece_model.proto.
constexpr std::uint32_t kPieces = 1;
constexpr std::uint32_t kTrainerSpec = 2;
constexpr std::uint32_t kNormalizerSpec = 3;

constexpr std::uint64_t kBpe = 2;

struct Trainer {
  std::uint64_t model_type = 1;
  bool whitespace_as_suffix = false;
  bool byte_fallback = false;
  std::string_view unknown = "<unk>";
  std::string_view bos = "<s>";
  std::string_view eos = "</s>";
};

struct Normalizer {
  std::string_view name;
  std::size_t charsmap_bytes = 0;
  bool dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

std::string_view model_name(std::uint64_t type) {
  constexpr std::string_view kNames[] = {"", "unigram", "bpe", "word", "char"};
  return type < std::size(kNames) ? kNames[type] : "";
}

/// Reads a model field by field. Fields may have any order, so their contents are checked at the
/// end.
class SentencePieceReader {
 public:
  SentencePieceReader(std::string_view bytes, VocabularySource& source)
      : file_(bytes), source_(source) {}

  Status read() {
    reserve();
    while (const auto field = file_.next()) {
      if (field->number < kPieces || field->number > kNormalizerSpec) continue;
      if (!field->bytes) {
        file_.fail(field->at, "this field must be a message");
        break;
      }
      ProtobufReader inside = file_.inside(*field);
      if (field->number == kPieces) {
        read_piece(*field, inside);
      } else if (field->number == kTrainerSpec) {
        read_trainer(inside);
      } else {
        read_normalizer(inside);
      }
      if (inside.failed()) return inside.error();
    }
    if (file_.failed()) return file_.error();
    if (source_.tokens.empty()) return config_error("pieces", "there are none");
    return check();
  }

  const Trainer& trainer() const { return trainer_; }
  const Normalizer& normalizer() const { return normalizer_; }

 private:
  // Reserves the exact sizes, so that nothing is reallocated.
  void reserve() {
    std::size_t pieces = 0;
    std::size_t bytes = 0;
    ProtobufReader ahead = file_;
    while (const auto field = ahead.next()) {
      if (field->number != kPieces || !field->bytes) continue;
      ++pieces;
      ProtobufReader piece = ahead.inside(*field);
      while (const auto part = piece.next()) bytes += part->bytes.value_or("").size();
    }
    source_.tokens.reserve(std::min(pieces, kMaxVocabularyTokens), bytes);
  }

  void read_piece(const ProtobufField& piece, ProtobufReader& message) {
    SourceToken token;
    bool has_score = false;
    std::uint64_t type = static_cast<std::uint64_t>(TokenKind::kNormal);
    while (const auto field = message.next()) {
      if (field->number == 1 && field->bytes) token.bytes = *field->bytes;
      if (field->number == 2) {
        token.score = field->real();
        has_score = true;
      }
      if (field->number == 3) type = field->integer;
    }
    if (message.failed()) return;
    if (source_.tokens.size() >= kMaxVocabularyTokens) {
      return message.fail(piece.at, fmt::format("more than {} pieces", kMaxVocabularyTokens));
    }
    if (token.bytes.empty() || token.bytes.size() > kMaxTokenBytes) {
      return message.fail(piece.at, fmt::format("a piece of {} bytes", token.bytes.size()));
    }
    if (type < 1 || type > static_cast<std::uint64_t>(TokenKind::kByte)) {
      return message.fail(piece.at, fmt::format("there is no piece of type {}", type));
    }
    token.kind = static_cast<TokenKind>(type);
    if (token.kind == TokenKind::kNormal && !has_score) {
      return message.fail(piece.at,
                          fmt::format("piece {} has no score", quoted_token(token.bytes)));
    }
    source_.tokens.push_back(token);
  }

  void read_trainer(ProtobufReader& message) {
    while (const auto field = message.next()) {
      const bool truth = field->integer != 0;
      if (field->number == 3) trainer_.model_type = field->integer;
      if (field->number == 24) trainer_.whitespace_as_suffix = truth;
      if (field->number == 35) trainer_.byte_fallback = truth;
      if (field->number == 45) trainer_.unknown = field->bytes.value_or(trainer_.unknown);
      if (field->number == 46) trainer_.bos = field->bytes.value_or(trainer_.bos);
      if (field->number == 47) trainer_.eos = field->bytes.value_or(trainer_.eos);
    }
  }

  void read_normalizer(ProtobufReader& message) {
    while (const auto field = message.next()) {
      const bool truth = field->integer != 0;
      if (field->number == 1) normalizer_.name = field->bytes.value_or("");
      if (field->number == 2) normalizer_.charsmap_bytes = field->bytes.value_or("").size();
      if (field->number == 3) normalizer_.dummy_prefix = truth;
      if (field->number == 4) normalizer_.remove_extra_whitespaces = truth;
      if (field->number == 5) normalizer_.escape_whitespaces = truth;
    }
  }

  Status check() const {
    if (trainer_.model_type != kBpe) {
      return config_error("trainer_spec.model_type",
                          fmt::format("{} ({}) cannot be read, only 2 (bpe)", trainer_.model_type,
                                      model_name(trainer_.model_type)));
    }
    if (trainer_.whitespace_as_suffix) {
      return config_error("trainer_spec.treat_whitespace_as_suffix", "this is not supported");
    }
    if (normalizer_.charsmap_bytes > 0) {
      return config_error(
          "normalizer_spec.precompiled_charsmap",
          fmt::format("the normalizer {} changes characters, which is not supported",
                      quoted_token(normalizer_.name)));
    }
    if (normalizer_.remove_extra_whitespaces) {
      return config_error("normalizer_spec.remove_extra_whitespaces", "this is not supported");
    }
    return {};
  }

  ProtobufReader file_;
  VocabularySource& source_;
  Trainer trainer_;
  Normalizer normalizer_;
};

std::optional<TokenId> control_piece(const TokenIndex& index, const TokenList& tokens,
                                     std::string_view name, TokenKind kind) {
  const auto id = index.find(name);
  if (!id || tokens[*id].kind != kind) return {};
  return id;
}

Status spell_out_bytes(bool byte_fallback, TokenList& tokens) {
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (tokens[id].kind != TokenKind::kByte) continue;
    const auto byte = byte_of_name(tokens[id].bytes);
    if (!byte) {
      return config_error("pieces", fmt::format("piece {} {} is a byte, but not written as <0x0A>",
                                                id, quoted_token(tokens[id].bytes)));
    }
    if (!byte_fallback) {
      return config_error("trainer_spec.byte_fallback",
                          fmt::format("it is off, but piece {} is a byte", id));
    }
    tokens.set_bytes(id, std::string(1, *byte));
  }
  return {};
}

}  // namespace

Result<VocabularySource> read_sentencepiece(std::string_view bytes) {
  VocabularySource source;
  SentencePieceReader reader(bytes, source);
  PEDRO_RETURN_IF_ERROR(reader.read());
  {
    const auto index = TokenIndex::of(source.tokens);
    if (!index) return index.error().at("pieces");
    const Trainer& trainer = reader.trainer();
    source.unknown = control_piece(*index, source.tokens, trainer.unknown, TokenKind::kUnknown);
    source.bos = control_piece(*index, source.tokens, trainer.bos, TokenKind::kControl);
    source.eos = control_piece(*index, source.tokens, trainer.eos, TokenKind::kControl);
  }
  if (Status spelled = spell_out_bytes(reader.trainer().byte_fallback, source.tokens); !spelled) {
    return spelled.error();
  }
  source.symbols = Symbols::kCharacters;
  source.pre_tokenizer.scanner = "none";
  source.space_prefix = reader.normalizer().dummy_prefix;
  source.escape_spaces = reader.normalizer().escape_whitespaces;
  source.add_bos = source.bos.has_value();
  return source;
}

}  // namespace pedro
