#include "llm/accepted_fields.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "llm/length_refusal.h"
#include "llm/model.h"

namespace pedro {
namespace {

/// The words of refusals that name a part, in lower case.
struct FieldWord {
  std::string_view word;
  BodyField field;
};

// In the order of precedence.
constexpr FieldWord kFieldWords[] = {
    {"stream_options", BodyField::kUsageOption},
    {"include_usage", BodyField::kUsageOption},
    {"temperature", BodyField::kTemperature},
    {"frequency_penalty", BodyField::kPenalty},
    {"seed", BodyField::kSeed},
    {"cache_control", BodyField::kCacheMarks},
    {"thinking", BodyField::kThinking},
    {"valid string", BodyField::kBlocks},
    {"must be a string", BodyField::kBlocks},
    {"expected a string", BodyField::kBlocks},
    {"expected string", BodyField::kBlocks},
    {"str type expected", BodyField::kBlocks},
    {"streaming", BodyField::kStream},
    {"stream", BodyField::kStream},
};

// Returns true if a status blames the request.
bool is_of_request(int status) {
  return (status >= 400 && status < 500) || status == 501;
}

bool is_word_part(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || is_digit(c);
}

// Returns true if `text` has the whole word, not only as a part of another.
bool has_whole_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_part(text[at - 1]);
    if (begins && (end == text.size() || !is_word_part(text[end]))) return true;
  }
  return false;
}

}  // namespace

AcceptedFields::AcceptedFields(std::initializer_list<BodyField> known) {
  for (const BodyField field : known) sends_[static_cast<std::size_t>(field)] = true;
}

long long AcceptedFields::limit_tokens(long long wanted) {
  sent_tokens_ = most_tokens_ > 0 ? std::min(most_tokens_, wanted) : wanted;
  return sent_tokens_;
}

// Returns the limit of a reply that a refusal names: its largest number below the requested one.
long long AcceptedFields::named_limit(const ServerRefusal& refusal) const {
  long long limit = 0;
  for (std::size_t at = 0; at < refusal.message.size();) {
    long long number = 0;
    const char* begin = refusal.message.data() + at;
    const char* end = refusal.message.data() + refusal.message.size();
    const auto [next, error] = std::from_chars(begin, end, number);
    const bool is_limit = error == std::errc() && number < sent_tokens_;
    if (is_limit && number >= kShortestReply) limit = std::max(limit, number);
    at += next == begin ? 1 : static_cast<std::size_t>(next - begin);
  }
  return limit;
}

bool AcceptedFields::learn_limit(const ServerRefusal& refusal) {
  const auto names = [&refusal](std::string_view word) {
    return refusal.parameter == word || refusal.message.find(word) != std::string::npos;
  };
  const bool names_tokens =
      names("max_tokens") || names("max_completion_tokens") || names("max_new_tokens");
  const bool is_length = read_length_refusal(refusal).has_value();
  const long long limit = names_tokens && !is_length ? named_limit(refusal) : 0;
  if (limit > 0) {
    most_tokens_ = limit;
    return true;
  }
  const bool wants_other_name =
      refusal.parameter == "max_tokens" || (names_tokens && names("max_completion_tokens"));
  if (wants_other_name && !std::exchange(names_completion_tokens_, true)) return true;
  if (!names_tokens || sent_tokens_ <= kShortestReply || is_length) return false;
  most_tokens_ = std::max(sent_tokens_ / 2, kShortestReply);
  return true;
}

bool AcceptedFields::learn(const ServerRefusal& refusal) {
  if (learn_limit(refusal)) return true;
  const std::string said = to_lower(refusal.parameter + " " + refusal.message);
  for (const FieldWord& row : kFieldWords) {
    // A failure says "stream" about its answer.
    const bool may_be = row.field != BodyField::kStream || is_of_request(refusal.status);
    if (!may_be || !has_whole_word(said, row.word)) continue;
    if (std::exchange(sends_[static_cast<std::size_t>(row.field)], false)) return true;
  }
  return false;
}

}  // namespace pedro
