#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// The first bytes of a GGUF file.
inline constexpr std::string_view kGgufMagic = "GGUF";

/// The types of values with their numbers in the file.
enum class GgufType : std::uint32_t {
  kUint8 = 0,
  kInt8 = 1,
  kUint16 = 2,
  kInt16 = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kUint64 = 10,
  kInt64 = 11,
  kFloat64 = 12,
};

/// An array of strings, decoded during iteration: for (std::string_view text : texts).
class GgufTexts {
 public:
  class Iterator;

  GgufTexts() = default;
  /// `bytes` begins with the first string and must contain `count` valid strings.
  GgufTexts(std::string_view bytes, std::size_t count) : bytes_(bytes), count_(count) {}

  std::size_t size() const { return count_; }
  Iterator begin() const;
  Iterator end() const;

 private:
  std::string_view bytes_;
  std::size_t count_ = 0;
};

/// An array of 32-bit numbers.
class GgufNumbers {
 public:
  GgufNumbers() = default;
  GgufNumbers(std::string_view bytes, GgufType type) : bytes_(bytes), type_(type) {}

  std::size_t size() const { return bytes_.size() / 4; }
  GgufType type() const { return type_; }
  /// Requires at < size(); integer() also requires type kInt32.
  std::int32_t integer(std::size_t at) const { return read<std::int32_t>(at); }
  float real(std::size_t at) const {
    return type_ == GgufType::kFloat32 ? read<float>(at) : static_cast<float>(integer(at));
  }

 private:
  template <typename T>
  T read(std::size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at * 4, sizeof value);
    return value;
  }

  std::string_view bytes_;
  GgufType type_ = GgufType::kInt32;
};

/// The metadata of a little-endian GGUF file, version 2 or 3
/// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). Ignores tensors, so `bytes` may end
/// after the metadata. open() validates everything once. Nothing is copied: values are views of
/// `bytes`, which must outlive this object.
///
/// A missing key is nothing; a key of another type is an Error (kConfig) that names it.
class GgufFile {
 public:
  /// Parses the metadata. An Error (kConfig) names the byte offset of the first invalid data.
  static Result<GgufFile> open(std::string_view bytes);

  std::uint32_t version() const { return version_; }
  /// The number of weight tensors; 0 in a file that has only a vocabulary.
  std::uint64_t tensors() const { return tensors_; }

  Result<std::optional<std::string_view>> text(std::string_view key) const;
  Result<std::optional<bool>> truth(std::string_view key) const;
  /// A nonnegative value of any integer type.
  Result<std::optional<std::uint64_t>> integer(std::string_view key) const;
  Result<std::optional<GgufTexts>> texts(std::string_view key) const;
  /// Element type kInt32 or kFloat32.
  Result<std::optional<GgufNumbers>> numbers(std::string_view key) const;

  /// general.architecture, or "" if it is missing.
  std::string_view architecture() const;
  std::string_view model_name() const;  ///< general.name
  /// The context window of the training in tokens: ARCHITECTURE.context_length.
  std::optional<std::uint64_t> context_length() const;
  /// tokenizer.chat_template, or "" if it is missing.
  std::string_view chat_template() const;

 private:
  struct Entry {
    std::size_t key_at = 0;    // offset of the key's length
    std::size_t value_at = 0;  // offset of the value's type
  };
  struct Value {
    std::size_t at = 0;  // after the type; for an array, after its type and count
    GgufType type = GgufType::kUint8;
    GgufType element = GgufType::kUint8;
    std::size_t count = 0;
  };

  GgufFile(std::string_view bytes, std::uint32_t version) : bytes_(bytes), version_(version) {}

  template <typename T>
  T number_at(std::size_t at) const;
  std::string_view text_at(std::size_t at) const;
  std::optional<Value> find(std::string_view key) const;
  Status sort_entries();

  std::string_view bytes_;
  std::uint32_t version_;
  std::uint64_t tensors_ = 0;
  std::vector<Entry> entries_;  // sorted by key
};

class GgufTexts::Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = std::string_view;

  Iterator() = default;
  Iterator(std::string_view rest, std::size_t left) : rest_(rest), left_(left) {}

  std::string_view operator*() const { return rest_.substr(8, length()); }
  Iterator& operator++() {
    rest_.remove_prefix(8 + length());
    --left_;
    return *this;
  }
  Iterator operator++(int) {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Iterator& other) const { return left_ == other.left_; }

 private:
  std::size_t length() const {
    std::uint64_t length = 0;
    std::memcpy(&length, rest_.data(), sizeof length);
    return length;
  }

  std::string_view rest_;
  std::size_t left_ = 0;
};

inline GgufTexts::Iterator GgufTexts::begin() const {
  return {bytes_, count_};
}
inline GgufTexts::Iterator GgufTexts::end() const {
  return {};
}

static_assert(std::endian::native == std::endian::little, "GGUF is read as it lies in memory");

}  // namespace pedro
