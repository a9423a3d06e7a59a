#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tokenizer/gguf_file.h"

namespace pedro {

/// Builds GGUF files: GgufBuilder().text("general.name", "x").texts("a", {"b", "c"}).bytes().
class GgufBuilder {
 public:
  explicit GgufBuilder(std::uint32_t version = 3) : version_(version) {}

  GgufBuilder& text(std::string_view key, std::string_view value) {
    return begin(key, GgufType::kString).add_text(value);
  }
  GgufBuilder& truth(std::string_view key, bool value) {
    return begin(key, GgufType::kBool).add(static_cast<std::uint8_t>(value));
  }
  GgufBuilder& number(std::string_view key, std::uint32_t value) {
    return begin(key, GgufType::kUint32).add(value);
  }
  template <typename T>
  GgufBuilder& number(std::string_view key, GgufType type, T value) {
    return begin(key, type).add(value);
  }
  GgufBuilder& texts(std::string_view key, const std::vector<std::string>& values) {
    begin_array(key, GgufType::kString, values.size());
    for (const std::string& value : values) add_text(value);
    return *this;
  }
  GgufBuilder& integers(std::string_view key, const std::vector<std::int32_t>& values) {
    begin_array(key, GgufType::kInt32, values.size());
    for (const std::int32_t value : values) add(value);
    return *this;
  }
  GgufBuilder& reals(std::string_view key, const std::vector<float>& values) {
    begin_array(key, GgufType::kFloat32, values.size());
    for (const float value : values) add(value);
    return *this;
  }

  /// The number of tensors in the header; the tensors themselves are missing.
  GgufBuilder& tensors(std::uint64_t count) {
    tensors_ = count;
    return *this;
  }

  /// The parts of an entry, to build invalid files.
  GgufBuilder& begin(std::string_view key, GgufType type) {
    ++keys_;
    return add_text(key).add(static_cast<std::uint32_t>(type));
  }
  GgufBuilder& begin_array(std::string_view key, GgufType type, std::uint64_t count) {
    return begin(key, GgufType::kArray).add(static_cast<std::uint32_t>(type)).add(count);
  }
  GgufBuilder& add_text(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    body_ += text;
    return *this;
  }
  template <typename T>
  GgufBuilder& add(T value) {
    body_ += raw(value);
    return *this;
  }

  std::string bytes() const { return bytes(keys_); }
  std::string bytes(std::uint64_t keys) const {
    return "GGUF" + raw(version_) + raw(tensors_) + raw(keys) + body_;
  }

 private:
  template <typename T>
  static std::string raw(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  std::uint32_t version_;
  std::uint64_t tensors_ = 0;
  std::uint64_t keys_ = 0;
  std::string body_;
};

}  // namespace pedro
