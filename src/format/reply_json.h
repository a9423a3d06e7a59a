#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_cursor.h"
#include "base/utf8.h"

namespace pedro {

/// Reads a JSON text that a server sent, from front to back, and knows where in it it is. The first
/// thing that is wrong is kept, and all calls after it do nothing. null stands for anything: an
/// empty text, no members, 0.
class ReplyJson {
 public:
  /// `json` has to outlive this.
  ReplyJson(std::string_view json, std::size_t max_text_bytes)
      : json_(json, {.max_text_bytes = max_text_bytes}) {}

  /// The object that comes next: `read(name)` for each member, which reads its value, or says false
  /// and has it skipped.
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

  /// The array that comes next: `read(index)` for each element.
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
  /// Past a null, where that comes next.
  bool skip_null();
  void skip() { json_.skip(); }
  std::string text();
  /// A whole number from 0 to 2^53.
  std::int64_t count();
  double real();
  /// Any value as it is written; "" for null.
  std::string raw();

  void fail(std::string message) { json_.fail(std::move(message)); }
  void fail_expecting(std::string_view what) { json_.fail_expecting(what); }
  bool failed() const { return json_.failed(); }
  /// Nothing but blanks may be left. The Error (kModel) is "choices[0].delta: 1:35: expected …".
  Status finish();

 private:
  static std::string shown(std::string_view name) {
    return make_printable(truncate_utf8(name, 40));
  }
  void enter(const std::string& part) {
    depths_.push_back(place_.size());
    place_ += part;
  }
  // The place of what is wrong stays.
  void leave() {
    if (!failed()) place_.resize(depths_.back());
    depths_.pop_back();
  }

  JsonCursor json_;
  std::string place_;
  std::vector<std::size_t> depths_;
};

}  // namespace pedro
