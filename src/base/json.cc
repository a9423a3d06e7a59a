#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/hash.h"

namespace pedro {
namespace {

std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0: the first line
  return fmt::format("{}:{}", line, before.size() - line_start + 1);
}

// The byte of the first bracket that is nested deeper. Valid JSON comes before it.
std::size_t too_deep_at(std::string_view text, int max_depth) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++depth > max_depth) return i;
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return text.size();
}

// Returns true if a double may lose digits of the number, or its size.
bool exceeds_double(double value, std::string_view text) {
  const std::string_view mantissa = text.substr(0, text.find_first_of("eE"));
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const std::size_t last = mantissa.find_last_of("123456789");
  const std::size_t point = mantissa.find('.');
  const std::size_t digits = last - first + (first < point && point < last ? 0 : 1);
  return value == 0 || digits > std::numeric_limits<double>::digits10;
}

// Forwards events to nlohmann's DOM builder. Stops at a maximum depth and keeps the byte offset of
// the error.
class LimitedBuilder : public nlohmann::detail::json_sax_dom_parser<Json> {
  using Base = nlohmann::detail::json_sax_dom_parser<Json>;

 public:
  LimitedBuilder(Json& result, const JsonLimits& limits)
      : Base(result, false), max_depth_(limits.max_depth), exact_(limits.exact_numbers) {}

  bool number_float(double value, const std::string& text) {
    if (!exact_ || !exceeds_double(value, text)) return Base::number_float(value, text);
    Json::binary_t kept({text.begin(), text.end()});
    return Base::binary(kept);
  }

  bool start_object(std::size_t size) {
    members_.push_back(0);
    return deeper() && Base::start_object(size);
  }
  bool start_array(std::size_t size) { return deeper() && Base::start_array(size); }
  bool end_object() {
    members_.pop_back();
    return --depth_, Base::end_object();
  }
  // A new key is compared with all others of its object.
  bool key(std::string& name) {
    comparisons_ += members_.back()++;
    return !too_wide() && Base::key(name);
  }
  bool end_array() { return --depth_, Base::end_array(); }

  template <typename Exception>
  bool parse_error(std::size_t byte, const std::string& last_token, const Exception& error) {
    (void)Base::parse_error(byte, last_token, error);
    byte_ = byte;
    message_ = error.what();
    return false;
  }

  bool too_deep() const { return depth_ > max_depth_; }
  bool too_wide() const { return comparisons_ > kMaxComparisons; }
  std::size_t byte() const { return byte_; }

  // nlohmann's message is "[json.exception…] parse error at line L, column C: reason", or without
  // the place.
  std::string reason() const {
    const std::size_t dashes = message_.find(": ");
    return message_.substr((dashes == std::string::npos ? message_.find("] ") : dashes) + 2);
  }

 private:
  bool deeper() { return ++depth_ <= max_depth_; }

  static constexpr std::size_t kMaxComparisons = 200'000'000;  // one object of 20,000 members

  int max_depth_;
  bool exact_;
  int depth_ = 0;
  std::size_t comparisons_ = 0;
  std::vector<std::size_t> members_;  // of the open objects
  std::size_t byte_ = 0;
  std::string message_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return Error{ErrorKind::kConfig, fmt::format("1:1: {} bytes of JSON, more than the limit of {}",
                                                 text.size(), limits.max_bytes)};
  }
  Json root;
  LimitedBuilder builder(root, limits);
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return root;
  if (builder.too_deep()) {
    return Error{
        ErrorKind::kConfig,
        fmt::format("{}: JSON nested more than {} deep",
                    place_of(text, too_deep_at(text, limits.max_depth)), limits.max_depth)};
  }
  if (builder.too_wide()) {
    return Error{ErrorKind::kConfig, "1:1: JSON objects of too many members, such as 21000 in one"};
  }
  const std::size_t byte = builder.byte() > 0 ? builder.byte() - 1 : 0;
  return Error{ErrorKind::kConfig, place_of(text, byte) + ": " + builder.reason()};
}

bool is_json_number(const Json& value) {
  return value.is_number() || value.is_binary();
}

std::string to_line(const Json& value) {
  if (value.is_binary()) return {value.get_binary().begin(), value.get_binary().end()};
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_spaced_line(const Json& value) {
  if (!value.is_structured()) return to_line(value);
  std::string out;
  for (const auto& [name, part] : value.items()) {
    if (!out.empty()) out += ", ";
    if (value.is_object()) out += to_line(Json(name)) + ": ";
    out += to_spaced_line(part);
  }
  return value.is_object() ? "{" + out + "}" : "[" + out + "]";
}

std::uint64_t hash_of(const Json& value, std::uint64_t seed) {
  std::vector<const Json*> todo{&value};
  while (!todo.empty()) {
    const Json& at = *todo.back();
    todo.pop_back();
    if (!at.is_structured()) {
      seed = hash_bytes(to_line(at), seed);
      continue;
    }
    seed = hash_bytes(fmt::format("{}{}", at.is_object() ? '{' : '[', at.size()), seed);
    for (const auto& [name, part] : at.items()) {
      if (at.is_object()) seed = hash_bytes(to_line(Json(name)), seed);
      todo.push_back(&part);
    }
  }
  return seed;
}

std::string to_pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

const Json& member(const Json& object, std::string_view key) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto found = object.find(std::string(key));
  return found == object.end() ? null : *found;
}

std::string text_of(const Json& object, std::string_view key, std::string_view fallback) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string(fallback);
}

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& one : list) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

long long number_of(const Json& object, std::string_view key, long long fallback) {
  const Json& value = member(object, key);
  if (value.is_number_unsigned() &&
      value.get<unsigned long long>() >
          static_cast<unsigned long long>(std::numeric_limits<long long>::max())) {
    return fallback;
  }
  if (value.is_number_integer()) return value.get<long long>();
  if (!value.is_number_float()) return fallback;
  const double real = value.get<double>();
  return real > -9e18 && real < 9e18 ? static_cast<long long>(real) : fallback;
}

long long count_of(const Json& object, std::string_view key, long long fallback) {
  constexpr long long kMost = 100'000'000'000;
  return std::clamp(number_of(object, key, fallback), 0LL, kMost);
}

double real_of(const Json& object, std::string_view key, double fallback) {
  const Json& value = member(object, key);
  return value.is_number() ? value.get<double>() : fallback;
}

bool truth_of(const Json& object, std::string_view key, bool fallback) {
  const Json& value = member(object, key);
  return value.is_boolean() ? value.get<bool>() : fallback;
}

}  // namespace pedro
