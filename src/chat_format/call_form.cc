#include "chat_format/call_form.h"

#include <cassert>

namespace pedro {
namespace {

Prompt text_prompt(std::string_view text) {
  PromptWriter out;
  out.add_template(text);
  return std::move(out).take();
}

}  // namespace

CallForm plain_call_form() {
  CallForm form;
  form.lead = text_prompt("{\"tool\": \"");
  form.in_quotes = true;
  form.middle = {", \"args\": "};
  form.close = text_prompt("}");
  return form;
}

void append(Prompt& prompt, const Prompt& more) {
  for (const PromptPart& part : more.parts) {
    const auto* text = std::get_if<PromptText>(&part);
    auto* last = prompt.parts.empty() ? nullptr : std::get_if<PromptText>(&prompt.parts.back());
    if (text == nullptr || last == nullptr) {
      prompt.parts.push_back(part);
      continue;
    }
    const std::size_t before = last->text.size();
    last->text += text->text;
    for (const ByteRange& range : text->content) {
      last->content.push_back({before + range.begin, before + range.end});
    }
  }
}

std::vector<CallFormPart> form_parts(const Prompt& prompt) {
  std::vector<CallFormPart> parts;
  for (const PromptPart& part : prompt.parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      parts.emplace_back(*control);
    } else {
      assert(std::get<PromptText>(part).content.empty());
      parts.emplace_back(std::get<PromptText>(part).text);
    }
  }
  return parts;
}

std::string to_text(const std::vector<CallFormPart>& parts) {
  std::string text;
  for (const CallFormPart& part : parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      text += control->name;
    } else {
      text += std::get<std::string>(part);
    }
  }
  return text;
}

}  // namespace pedro
