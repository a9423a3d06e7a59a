#include "call_parser/answer_stream.h"

#include <algorithm>

#include "base/json.h"

namespace pedro {
namespace {

// An escaped surrogate pair without its last digit.
constexpr std::size_t kMaxIncompleteBytes = 11;

bool is_blank_of_json(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

void AnswerStream::feed(std::string_view part) {
  for (const char c : part) {
    if (place_ == Place::kAfter) return;
    if (place_ != Place::kText) {
      find(c);
    } else if (c == '"' && !escaped_) {
      place_ = Place::kAfter;
    } else {
      raw_ += c;
      escaped_ = c == '\\' && !escaped_;
    }
  }
}

std::string AnswerStream::text() const {
  for (std::size_t cut = 0; cut <= std::min(kMaxIncompleteBytes, raw_.size()); ++cut) {
    const Result<Json> json = parse_json('"' + raw_.substr(0, raw_.size() - cut) + '"');
    if (json && json->is_string()) return json->get<std::string>();
  }
  return "";
}

void AnswerStream::find(char c) {
  if (place_ != Place::kName && is_blank_of_json(c)) return;
  if (place_ == Place::kColon && c == ':') {
    place_ = Place::kQuote;
  } else if (place_ == Place::kQuote && c == '"') {
    place_ = Place::kText;
  } else {
    const bool goes_on = place_ == Place::kName && c == pattern_[matched_];
    matched_ = goes_on ? matched_ + 1 : c == '"' ? 1 : 0;
    place_ = matched_ == pattern_.size() ? Place::kColon : Place::kName;
    if (place_ == Place::kColon) matched_ = 0;
  }
}

}  // namespace pedro
