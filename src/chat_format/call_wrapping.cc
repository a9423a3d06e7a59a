#include "chat_format/call_wrapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "call_parser/raw_body.h"
#include "schema_to_gbnf/raw_text.h"

namespace pedro {
namespace {

Result<std::vector<WrappingPart>> wrapping_parts(const std::vector<CallFormPart>& parts,
                                                 const OneTokenOf& token_of) {
  std::vector<WrappingPart> out;
  for (const CallFormPart& part : parts) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      out.emplace_back(*text);
    } else if (const auto* made_up = std::get_if<CallIdForm>(&part)) {
      const bool is_number = made_up->characters == CallIdForm::Characters::kDigits;
      const std::size_t length = is_number ? made_up->max_length : made_up->length;
      out.emplace_back(MadeUpId{static_cast<int>(length), is_number});
    } else {
      const auto& control = std::get<ControlToken>(part);
      PEDRO_TRY(std::optional<OneToken> token, token_of(control));
      if (token) {
        out.emplace_back(*std::move(token));
      } else {
        out.emplace_back(control.name);
      }
    }
  }
  return out;
}

Result<BodyWrapping> body_wrapping(const CallForm& form, const OneTokenOf& token_of) {
  PEDRO_TRY(std::vector<WrappingPart> before, wrapping_parts(form_parts(form.close), token_of));
  BodyWrapping bodies;
  bodies.before = std::move(before);
  bodies.each.open = {"\n" + std::string(raw_body::kOpen)};
  bodies.each.middle = {"\n"};
  bodies.each.end = {"\n" + std::string(raw_body::kClose)};
  bodies.each.pattern = raw_body::kEndsText;
  return bodies;
}

// Returns the last line of a text that is not empty.
std::string_view last_line(std::string_view text) {
  text = trim(text);
  const std::size_t before = text.rfind('\n');
  return before == std::string_view::npos ? text : text.substr(before + 1);
}

// Returns a pattern for the texts that a reader would cut, or could not tell from the end. A
// closing tag at the start of a line always ends a value, or weak models would never end one.
// Within a line it ends one only before the next tags of the call.
std::string ends_on_line(const CallForm& form) {
  const std::string end = pattern_of(trim(to_text(form.parameter.end)));
  const std::string next = pattern_of(trim(to_text(form.parameter.open)));
  const std::string close = to_text(form_parts(form.close));
  const std::string_view first = trim(close).substr(0, trim(close).find('\n'));
  const std::string last = pattern_of(last_line(close));
  const std::string again = pattern_of(last_line(to_text(form_parts(form.lead))));
  return fmt::format(R"((^|\n){0}|(^|\n){1}|{0}[ \t\r\n]*({1}|{2}|{3}[ \t\r\n]*({2}|{4}))|\r$)",
                     end, next, last, pattern_of(first), again);
}

// Returns a pattern for the texts that cannot be a value.
std::string value_ends(const CallForm& form) {
  const std::string end = to_text(form.parameter.end);
  const bool on_lines = to_text(form.parameter.middle).ends_with('\n');
  std::string pattern = pattern_of(trim(end));
  pattern += fmt::format(R"(|(^|\n){}|\r$)", pattern_of(trim(to_text(form.parameter.open))));
  // Without a line end in the family's form, a text must not begin or end with one.
  if (!on_lines) pattern += "|^\\r?\\n";
  if (!end.starts_with('\n')) pattern += "|\\n$";
  return pattern;
}

Result<ParameterWrapping> parameter_wrapping(const CallForm& form, const OneTokenOf& token_of) {
  ParameterWrapping wrapping;
  const ParameterForm& parameter = form.parameter;
  const std::pair<const std::vector<CallFormPart>*, std::vector<WrappingPart>*> pieces[] = {
      {&parameter.open, &wrapping.open},
      {&parameter.middle, &wrapping.middle},
      {&parameter.between, &wrapping.between},
      {&parameter.before_text, &wrapping.before_text},
      {&parameter.after_text, &wrapping.after_text},
      {&parameter.before_json, &wrapping.before_json}};
  for (const auto& [parts, out] : pieces) {
    PEDRO_TRY(std::vector<WrappingPart> made, wrapping_parts(*parts, token_of));
    *out = std::move(made);
  }
  // The end is text, not a token. A value may be able to end only after the first byte of the
  // token's text. llama.cpp then accepts the token, finds no next state, and answers 500.
  const std::string end = to_text(parameter.end);
  wrapping.end = {end};
  wrapping.in_quotes = parameter.in_quotes;
  if (parameter.in_quotes) return wrapping;
  if (!parameter.after_text.empty()) {
    wrapping.pattern = pattern_of(to_text(parameter.after_text));
    return wrapping;
  }
  wrapping.end_text = trim(end);
  wrapping.pattern = value_ends(form);
  const bool on_lines = to_text(parameter.middle).ends_with('\n') && end.starts_with('\n');
  if (on_lines) wrapping.long_pattern = ends_on_line(form);
  return wrapping;
}

}  // namespace

bool takes_bodies(const CallForm& form) {
  if (form.arguments != CallForm::Arguments::kJson) return false;
  const std::vector<CallFormPart> close = form_parts(form.close);
  return std::none_of(close.begin(), close.end(), [](const CallFormPart& part) {
    const auto* control = std::get_if<ControlToken>(&part);
    return control != nullptr && !control->may_be_text;
  });
}

Result<CallWrapping> call_wrapping(const CallForm& form, const OneTokenOf& token_of) {
  CallWrapping wrapping;
  wrapping.open.clear();
  wrapping.close.clear();
  wrapping.name = form.in_quotes ? NameForm::kQuoteOpened : NameForm::kPlain;
  PEDRO_TRY(std::vector<WrappingPart> middle, wrapping_parts(form.middle, token_of));
  wrapping.middle = std::move(middle);
  if (form.arguments == CallForm::Arguments::kParameters) {
    PEDRO_TRY(ParameterWrapping parameters, parameter_wrapping(form, token_of));
    wrapping.parameters = std::move(parameters);
  } else if (takes_bodies(form)) {
    PEDRO_TRY(BodyWrapping bodies, body_wrapping(form, token_of));
    wrapping.bodies = std::move(bodies);
  }
  return wrapping;
}

}  // namespace pedro
