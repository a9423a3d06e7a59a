#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_cursor.h"
#include "base/utf8.h"

namespace pedro {

/// Returns a JSON text with "\\ufffd" for each escape of half a surrogate pair. Servers cut pairs
/// between two events.
std::string with_paired_surrogates(std::string_view json);

/// Returns true for an event with an object, or with a list, in which Gemini's API reports errors.
bool holds_json(std::string_view event);

/// Returns true for a blank text and for an object without members.
bool is_empty_object(std::string_view json);

/// Returns the parts of an event in which a server wrote several, on one line or on several.
/// Returns the event itself if there is one.
std::vector<std::string_view> events_in(std::string_view event);

/// Reads a JSON text from a server and tracks the position in it. Keeps the first error; later
/// calls then do nothing. null is valid for any value: an empty text, no members, 0.
class ReplyJson {
 public:
  /// `json` must outlive this object.
  ReplyJson(std::string_view json, std::size_t max_text_bytes)
      : json_(json, {.max_text_bytes = max_text_bytes}) {}

  /// Reads the next object. Calls `read(name)` for each member: it reads the value, or returns
  /// false to skip it.
  template <typename Read>
  void members(Read read) {
    if (skip_null() || !json_.enter_object()) return;
    while (const auto found = json_.next_member()) {
      const std::string name(*found);
      enter((place_.empty() ? "" : ".") + shown(name));
      if (!read(std::string_view(name))) json_.skip();
      leave();
    }
  }

  /// Reads the next value like members() if it is an object. Skips any other value.
  template <typename Read>
  void loose_members(Read read) {
    if (json_.kind() != JsonCursor::Kind::kObject) return skip();
    members(read);
  }

  /// Reads the next array. Calls `read(index)` for each element.
  template <typename Read>
  void elements(Read read) {
    if (skip_null() || !json_.enter_array()) return;
    for (std::size_t i = 0; json_.next_element(); ++i) {
      enter(fmt::format("[{}]", i));
      read(i);
      leave();
    }
  }

  JsonCursor::Kind kind() { return json_.kind(); }
  /// Skips a null; returns false if the next value is not null.
  bool skip_null();
  void skip() { json_.skip(); }
  std::string text();
  /// Reads a text that may have another form: {"type": "text", "text": …}, or a list of such texts.
  /// Returns "" for any other value.
  std::string loose_text();
  /// Reads an integer from 0 to 2^53.
  std::int64_t count();
  /// Reads a count that may have another form: a fraction, or a number in a string. Returns nullopt
  /// for a negative number or any other value.
  std::optional<std::int64_t> loose_count();
  /// Reads a number. Returns 0 for any other value.
  double loose_real();
  /// Returns any value verbatim; "" for null.
  std::string raw();
  /// Returns a text, or any other value verbatim.
  std::string text_or_raw() { return kind() == JsonCursor::Kind::kText ? text() : raw(); }

  void fail(std::string message) { json_.fail(std::move(message)); }
  bool failed() const { return json_.failed(); }
  /// Requires that only blanks are left. Error (kModel): "choices[0].delta: 1:35: expected …".
  Status finish();

 private:
  static std::string shown(std::string_view name) {
    return make_printable(truncate_utf8(name, 40));
  }
  void enter(const std::string& part) {
    depths_.push_back(place_.size());
    place_ += part;
  }
  // After an error, the place stays.
  void leave() {
    if (!failed()) place_.resize(depths_.back());
    depths_.pop_back();
  }

  JsonCursor json_;
  std::string place_;
  std::vector<std::size_t> depths_;
};

}  // namespace pedro
