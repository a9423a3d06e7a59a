#include "tokenizer/protobuf_reader.h"

#include <fmt/format.h>

#include <bit>

namespace pedro {
namespace {

constexpr unsigned kVarint = 0;
constexpr unsigned kFixed64 = 1;
constexpr unsigned kBytes = 2;
constexpr unsigned kFixed32 = 5;
constexpr std::uint64_t kMaxFieldNumber = (1U << 29U) - 1;

}  // namespace

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

}  // namespace pedro
