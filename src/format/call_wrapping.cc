#include "format/call_wrapping.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "format/raw_body.h"
#include "format/tag_call_reader.h"

namespace pedro {
namespace {

Result<std::vector<WrappingPart>> wrapping_parts(const std::vector<CallFormPart>& parts,
                                                 const OneTokenOf& token_of) {
  std::vector<WrappingPart> out;
  for (const CallFormPart& part : parts) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      out.emplace_back(*text);
    } else if (const auto* made_up = std::get_if<CallIdForm>(&part)) {
      out.emplace_back(MadeUpId{static_cast<int>(made_up->length)});
    } else {
      const auto& control = std::get<ControlToken>(part);
      Result<std::optional<OneToken>> token = token_of(control);
      if (!token) return token.error();
      if (*token) {
        out.emplace_back(**std::move(token));
      } else {
        out.emplace_back(control.name);
      }
    }
  }
  return out;
}

Result<BodyWrapping> body_wrapping(const CallForm& form, const OneTokenOf& token_of) {
  Result<std::vector<WrappingPart>> before = wrapping_parts(form_parts(form.close), token_of);
  if (!before) return before.error();
  BodyWrapping bodies;
  bodies.before = *std::move(before);
  bodies.each.open = {"\n" + std::string(raw_body::kOpen)};
  bodies.each.middle = {"\n"};
  bodies.each.end = {"\n" + std::string(raw_body::kClose)};
  bodies.each.pattern = raw_body::kEndsText;
  return bodies;
}

Result<ParameterWrapping> parameter_wrapping(const ParameterForm& form,
                                             const OneTokenOf& token_of) {
  ParameterWrapping wrapping;
  const std::pair<const std::vector<CallFormPart>*, std::vector<WrappingPart>*> pieces[] = {
      {&form.open, &wrapping.open}, {&form.middle, &wrapping.middle}};
  for (const auto& [parts, out] : pieces) {
    Result<std::vector<WrappingPart>> made = wrapping_parts(*parts, token_of);
    if (!made) return made.error();
    *out = *std::move(made);
  }
  // The end is text, not a token. A value may be able to end only after the first byte of the
  // token's text. llama.cpp then accepts the token, finds no next state, and answers 500.
  const std::string end = to_text(form.end);
  wrapping.end = {end};
  wrapping.end_text = trim(end);
  wrapping.pattern = TagCallReader::kEndsText;
  // Without a line end in the family's form, a text must not begin or end with one.
  if (!to_text(form.middle).ends_with('\n')) wrapping.pattern += "|^\\r?\\n";
  if (!end.starts_with('\n')) wrapping.pattern += "|\\n$";
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
  Result<std::vector<WrappingPart>> middle = wrapping_parts(form.middle, token_of);
  if (!middle) return middle.error();
  wrapping.middle = *std::move(middle);
  if (form.arguments == CallForm::Arguments::kParameters) {
    Result<ParameterWrapping> parameters = parameter_wrapping(form.parameter, token_of);
    if (!parameters) return parameters.error();
    wrapping.parameters = *std::move(parameters);
  } else if (takes_bodies(form)) {
    Result<BodyWrapping> bodies = body_wrapping(form, token_of);
    if (!bodies) return bodies.error();
    wrapping.bodies = *std::move(bodies);
  }
  return wrapping;
}

}  // namespace pedro
