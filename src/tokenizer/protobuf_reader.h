#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// A field of a message in the wire format of protocol buffers.
struct ProtobufField {
  std::uint32_t number = 0;
  std::size_t at = 0;                     ///< where it begins in the file
  std::uint64_t integer = 0;              ///< of a varint, or the bits of a fixed32 or fixed64
  std::optional<std::string_view> bytes;  ///< of a string, bytes or a message inside

  float real() const;  ///< of a fixed32
};

/// Reads the fields of one message, in the order of the file
/// (https://protobuf.dev/programming-guides/encoding/). Hostile input gives fields until something
/// makes no sense; what that is, is then the error: "byte 12: what is wrong". Groups, which nobody
/// writes, are refused.
class ProtobufReader {
 public:
  /// `file_offset` is where `message` begins in the file, for errors.
  explicit ProtobufReader(std::string_view message, std::size_t file_offset = 0)
      : message_(message), offset_(file_offset) {}

  /// The next field; nothing at the end, or when it failed.
  std::optional<ProtobufField> next();
  /// Of the message in `field`, which was read by this reader and has bytes.
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
