#include "tokenizer/gguf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tokenizer/quoted_token.h"

namespace pedro {
namespace {

constexpr std::uint32_t kOldestVersion = 2;
constexpr std::uint32_t kNewestVersion = 3;
constexpr std::size_t kMaxKeys = 10'000;      // known files have about 50
constexpr std::size_t kMaxKeyBytes = 65'535;  // limit of the specification
constexpr std::size_t kSmallestEntry = 8 + 1 + 4 + 1;

// The size of a value; 0 for invalid types, and for strings and arrays, which encode their size.
std::size_t size_of(GgufType type) {
  switch (type) {
    case GgufType::kUint8:
    case GgufType::kInt8:
    case GgufType::kBool:
      return 1;
    case GgufType::kUint16:
    case GgufType::kInt16:
      return 2;
    case GgufType::kUint32:
    case GgufType::kInt32:
    case GgufType::kFloat32:
      return 4;
    case GgufType::kUint64:
    case GgufType::kInt64:
    case GgufType::kFloat64:
      return 8;
    default:
      return 0;
  }
}

std::string_view name_of(GgufType type) {
  constexpr std::string_view kNames[] = {"uint8",  "int8",    "uint16", "int16",  "uint32",
                                         "int32",  "float32", "bool",   "string", "array",
                                         "uint64", "int64",   "float64"};
  return kNames[static_cast<std::uint32_t>(type)];
}

Error wrong_type(std::string_view key, std::string_view found, std::string_view expected) {
  return {ErrorKind::kConfig, fmt::format("{}: it is of type {}, not {}", key, found, expected)};
}

/// Parses the metadata. Stops at the first error and keeps it.
class Walk {
 public:
  explicit Walk(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  template <typename T>
  T number(std::string_view what) {
    T value{};
    if (!take(sizeof value, what)) return value;
    std::memcpy(&value, bytes_.data() + at_ - sizeof value, sizeof value);
    return value;
  }

  std::string_view text(std::string_view what) {
    const auto length = number<std::uint64_t>(what);
    if (!take(length, what)) return {};
    return bytes_.substr(at_ - length, length);
  }

  void skip_value() {
    const GgufType type = this->type();
    if (failed()) return;
    if (type == GgufType::kArray) return skip_array();
    skip_one(type);
  }

  void fail(std::size_t at, const std::string& message) {
    if (error_) return;
    error_ = Error{ErrorKind::kConfig, fmt::format("byte {}: {}", at, message)};
  }

 private:
  bool take(std::uint64_t count, std::string_view what) {
    if (failed()) return false;
    if (count > left()) {
      fail(at_, fmt::format("{} of {} bytes, but only {} are left", what, count, left()));
      return false;
    }
    at_ += count;
    return true;
  }

  GgufType type() {
    const std::size_t place = at_;
    const auto type = number<std::uint32_t>("the type of a value");
    if (!failed() && type > static_cast<std::uint32_t>(GgufType::kFloat64)) {
      fail(place, fmt::format("there is no type {}", type));
    }
    return static_cast<GgufType>(type);
  }

  void skip_one(GgufType type) {
    if (type == GgufType::kString) {
      text("a string");
    } else {
      take(size_of(type), "a value");
    }
  }

  void skip_array() {
    const std::size_t place = at_;
    const GgufType element = type();
    const auto count = number<std::uint64_t>("the length of an array");
    if (failed()) return;
    if (element == GgufType::kArray) return fail(place, "an array of arrays");
    // A string takes at least the 8 bytes of its length.
    const std::size_t least = element == GgufType::kString ? 8 : size_of(element);
    if (count > left() / least) {
      return fail(place,
                  fmt::format("an array of {} values, but only {} bytes are left", count, left()));
    }
    if (element != GgufType::kString) {
      take(count * least, "an array");
      return;
    }
    for (std::uint64_t i = 0; i < count && !failed(); ++i) text("a string");
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

std::uint32_t check_version(Walk& walk) {
  const std::size_t place = walk.at();
  const auto version = walk.number<std::uint32_t>("the version");
  if (walk.failed()) return 0;
  if ((version & 0xFFFFU) == 0 && version != 0) {
    walk.fail(place, "the file is big-endian; only little-endian ones can be read");
  } else if (version < kOldestVersion || version > kNewestVersion) {
    walk.fail(place, fmt::format("GGUF of version {}; only {} and {} can be read", version,
                                 kOldestVersion, kNewestVersion));
  }
  return version;
}

}  // namespace

Result<GgufFile> GgufFile::open(std::string_view bytes) {
  Walk walk(bytes);
  const auto magic = walk.number<std::uint32_t>("the file type");
  if (!walk.failed() && std::memcmp(&magic, kGgufMagic.data(), sizeof magic) != 0) {
    walk.fail(0, "not a GGUF file: it does not begin with 'GGUF'");
  }
  GgufFile file(bytes, walk.failed() ? 0 : check_version(walk));
  file.tensors_ = walk.number<std::uint64_t>("the number of tensors");
  const std::size_t place = walk.at();
  const auto count = walk.number<std::uint64_t>("the number of keys");
  if (count > kMaxKeys || count > walk.left() / kSmallestEntry) {
    walk.fail(place, fmt::format("{} keys, but only {} bytes are left, and {} keys are the limit",
                                 count, walk.left(), kMaxKeys));
  }
  if (walk.failed()) return walk.error();
  file.entries_.reserve(count);
  for (std::uint64_t i = 0; i < count && !walk.failed(); ++i) {
    const std::size_t key_at = walk.at();
    const std::string_view key = walk.text("a key");
    if (key.size() > kMaxKeyBytes) walk.fail(key_at, "a key of more than 65535 bytes");
    file.entries_.push_back({key_at, walk.at()});
    walk.skip_value();
  }
  if (walk.failed()) return walk.error();
  PEDRO_RETURN_IF_ERROR(file.sort_entries());
  return file;
}

Status GgufFile::sort_entries() {
  std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
    return text_at(a.key_at) < text_at(b.key_at);
  });
  const auto twice = std::adjacent_find(
      entries_.begin(), entries_.end(),
      [this](const Entry& a, const Entry& b) { return text_at(a.key_at) == text_at(b.key_at); });
  if (twice == entries_.end()) return {};
  return Error{ErrorKind::kConfig,
               fmt::format("byte {}: the key {} appears twice", (twice + 1)->key_at,
                           quoted_token(text_at(twice->key_at)))};
}

template <typename T>
T GgufFile::number_at(std::size_t at) const {
  T value;
  std::memcpy(&value, bytes_.data() + at, sizeof value);
  return value;
}

std::string_view GgufFile::text_at(std::size_t at) const {
  return bytes_.substr(at + 8, number_at<std::uint64_t>(at));
}

std::optional<GgufFile::Value> GgufFile::find(std::string_view key) const {
  const auto entry = std::lower_bound(
      entries_.begin(), entries_.end(), key,
      [this](const Entry& a, std::string_view wanted) { return text_at(a.key_at) < wanted; });
  if (entry == entries_.end() || text_at(entry->key_at) != key) return {};
  Value value;
  value.type = number_at<GgufType>(entry->value_at);
  value.at = entry->value_at + 4;
  if (value.type == GgufType::kArray) {
    value.element = number_at<GgufType>(value.at);
    value.count = number_at<std::uint64_t>(value.at + 4);
    value.at += 12;
  }
  return value;
}

Result<std::optional<std::string_view>> GgufFile::text(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::optional<std::string_view>();
  if (value->type != GgufType::kString) return wrong_type(key, name_of(value->type), "string");
  return std::optional(text_at(value->at));
}

Result<std::optional<bool>> GgufFile::truth(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::optional<bool>();
  if (value->type != GgufType::kBool) return wrong_type(key, name_of(value->type), "bool");
  return std::optional(bytes_[value->at] != 0);
}

Result<std::optional<std::uint64_t>> GgufFile::integer(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::optional<std::uint64_t>();
  std::int64_t number = 0;
  switch (value->type) {
    case GgufType::kUint8:
      number = number_at<std::uint8_t>(value->at);
      break;
    case GgufType::kInt8:
      number = static_cast<int>(number_at<std::int8_t>(value->at));
      break;
    case GgufType::kUint16:
      number = number_at<std::uint16_t>(value->at);
      break;
    case GgufType::kInt16:
      number = number_at<std::int16_t>(value->at);
      break;
    case GgufType::kUint32:
      number = number_at<std::uint32_t>(value->at);
      break;
    case GgufType::kInt32:
      number = number_at<std::int32_t>(value->at);
      break;
    case GgufType::kUint64:
    case GgufType::kInt64:
      number = number_at<std::int64_t>(value->at);
      break;
    default:
      return wrong_type(key, name_of(value->type), "an integer");
  }
  if (number < 0) {
    return Error{ErrorKind::kConfig, fmt::format("{}: it is {}, out of range", key, number)};
  }
  return std::optional(static_cast<std::uint64_t>(number));
}

Result<std::optional<GgufTexts>> GgufFile::texts(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::optional<GgufTexts>();
  if (value->type != GgufType::kArray) return wrong_type(key, name_of(value->type), "array");
  if (value->element != GgufType::kString) {
    return wrong_type(key, fmt::format("array of {}", name_of(value->element)), "array of string");
  }
  return std::optional(GgufTexts(bytes_.substr(value->at), value->count));
}

Result<std::optional<GgufNumbers>> GgufFile::numbers(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::optional<GgufNumbers>();
  if (value->type != GgufType::kArray) return wrong_type(key, name_of(value->type), "array");
  if (value->element != GgufType::kInt32 && value->element != GgufType::kFloat32) {
    return wrong_type(key, fmt::format("array of {}", name_of(value->element)),
                      "array of int32 or float32");
  }
  return std::optional(GgufNumbers(bytes_.substr(value->at, value->count * 4), value->element));
}

std::string_view GgufFile::architecture() const {
  const auto name = text("general.architecture");
  return name ? name->value_or("") : "";
}

std::string_view GgufFile::model_name() const {
  const auto name = text("general.name");
  return name ? name->value_or("") : "";
}

std::optional<std::uint64_t> GgufFile::context_length() const {
  const auto length = integer(std::string(architecture()) + ".context_length");
  return length ? *length : std::nullopt;
}

std::string_view GgufFile::chat_template() const {
  const auto text_of_template = text("tokenizer.chat_template");
  return text_of_template ? text_of_template->value_or("") : "";
}

}  // namespace pedro
