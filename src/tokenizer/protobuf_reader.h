#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// A field of a message in the protocol buffers wire format.
struct ProtobufField {
  std::uint32_t number = 0;
  std::size_t at = 0;         ///< offset in the file
  std::uint64_t integer = 0;  ///< value of a varint, or the bits of a fixed32 or fixed64
  std::optional<std::string_view> bytes;  ///< of a string, bytes or an embedded message

  float real() const;  ///< value of a fixed32
};

/// Reads the fields of one message in file order
/// (https://protobuf.dev/programming-guides/encoding/). The input is untrusted: reading stops at
/// the first invalid byte with the Error (kConfig) "byte 12: reason". Groups, which are deprecated,
/// are rejected.
class ProtobufReader {
 public:
  /// `file_offset` is the offset of `message` in the file, for errors.
  explicit ProtobufReader(std::string_view message, std::size_t file_offset = 0)
      : message_(message), offset_(file_offset) {}

  /// Returns the next field, or nothing at the end or after an error.
  std::optional<ProtobufField> next();
  /// A reader for the message in `field`, which this reader returned and which has bytes.
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

}  // namespace pedro
