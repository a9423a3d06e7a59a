#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pedro {

/// Builds messages in the wire format of protocol buffers.
class ProtobufBuilder {
 public:
  ProtobufBuilder& integer(std::uint32_t field, std::uint64_t value) {
    return varint(field << 3U).varint(value);
  }
  ProtobufBuilder& real(std::uint32_t field, float value) {
    varint(field << 3U | 5U);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
    return *this;
  }
  ProtobufBuilder& text(std::uint32_t field, std::string_view value) {
    varint(field << 3U | 2U).varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtobufBuilder& message(std::uint32_t field, const ProtobufBuilder& inside) {
    return text(field, inside.bytes());
  }
  ProtobufBuilder& varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
    bytes_ += static_cast<char>(value);
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// A piece of a SentencePiece model. `type` has the values of TokenKind.
inline ProtobufBuilder make_piece(std::string_view text, float score, int type) {
  return ProtobufBuilder().text(1, text).real(2, score).integer(3, type);
}

/// The specs of a model without its pieces: BPE, byte_fallback, and a normalizer that only adds a
/// space.
inline ProtobufBuilder make_trainer_spec() {
  return ProtobufBuilder().integer(3, 2).integer(35, 1);
}
inline ProtobufBuilder make_normalizer_spec() {
  return ProtobufBuilder().text(1, "identity").integer(3, 1).integer(4, 0);
}

}  // namespace pedro
