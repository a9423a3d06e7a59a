#include "base/text_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <cstdint>
#include <string>
#include <utility>

namespace pedro {

template <auto free>
struct Freed {
  template <typename T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};

namespace {

constexpr std::uint32_t kMaxSteps = 10'000'000;

using Match = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;

std::string message_of(int error) {
  PCRE2_UCHAR text[200] = {};
  pcre2_get_error_message(error, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

PCRE2_SPTR units_of(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

}  // namespace

struct TextPattern::Compiled {
  std::unique_ptr<pcre2_code, Freed<pcre2_code_free>> code;
  std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>> context;

  int match(std::string_view text, std::size_t at, pcre2_match_data* match) const {
    const auto run = [&](std::uint32_t options) {
      return pcre2_match(code.get(), units_of(text), text.size(), at, options, match,
                         context.get());
    };
    const int found = run(0);
    return found == PCRE2_ERROR_JIT_STACKLIMIT ? run(PCRE2_NO_JIT) : found;
  }
};

TextPattern::TextPattern(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
TextPattern::TextPattern(TextPattern&&) noexcept = default;
TextPattern& TextPattern::operator=(TextPattern&&) noexcept = default;
TextPattern::~TextPattern() = default;

Result<TextPattern> TextPattern::compile(std::string_view pattern, Unit unit) {
  constexpr std::uint32_t kUnicode = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF;
  int error = 0;
  std::size_t offset = 0;
  auto compiled = std::make_unique<Compiled>();
  compiled->code.reset(pcre2_compile(units_of(pattern), pattern.size(),
                                     unit == Unit::kCharacter ? kUnicode : 0, &error, &offset,
                                     nullptr));
  if (!compiled->code) {
    return Error{ErrorKind::kUsage, fmt::format("at byte {}: {}", offset, message_of(error))};
  }
  // Falls back to the interpreter if the pattern cannot be compiled to machine code.
  pcre2_jit_compile(compiled->code.get(), PCRE2_JIT_COMPLETE);
  compiled->context.reset(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(compiled->context.get(), kMaxSteps);
  return TextPattern(std::move(compiled));
}

Status TextPattern::find_all(std::string_view text, std::vector<TextRange>& matches) const {
  const Match match(pcre2_match_data_create(1, nullptr));
  for (std::size_t at = 0; at < text.size();) {
    const int found = compiled_->match(text, at, match.get());
    if (found == PCRE2_ERROR_NOMATCH) break;
    if (found < 0) return Error{ErrorKind::kLimit, message_of(found)};
    const std::size_t* place = pcre2_get_ovector_pointer(match.get());
    const bool is_empty = place[1] <= place[0];
    if (!is_empty) matches.push_back({place[0], place[1]});
    at = is_empty ? place[0] + 1 : place[1];
  }
  return {};
}

}  // namespace pedro
