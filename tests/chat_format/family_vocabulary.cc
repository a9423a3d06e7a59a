#include "chat_format/family_vocabulary.h"

#include <doctest/doctest.h>

#include <set>

namespace pedro {
namespace {

void add_names(const Prompt& prompt, std::set<std::string>& names) {
  names.insert(prompt.guarded.begin(), prompt.guarded.end());
  for (const PromptPart& part : prompt.parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) names.insert(control->name);
  }
}

void add_parts(const std::vector<CallFormPart>& parts, PromptWriter& out) {
  for (const CallFormPart& part : parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      control->may_be_text ? out.tag(control->name) : out.control(control->name);
    } else if (const auto* text = std::get_if<std::string>(&part)) {
      out.add_template(*text);
    } else {
      const bool is_number =
          std::get<CallIdForm>(part).characters == CallIdForm::Characters::kDigits;
      out.add_template(is_number ? "0" : kExampleId);
    }
  }
}

// A parameter as the family's models write it.
void add_parameter(const ParameterForm& form, std::string_view name, std::string_view value,
                   PromptWriter& out) {
  add_parts(form.open, out);
  out.add_template(name);
  add_parts(form.middle, out);
  add_parts(form.before_text, out);
  if (form.in_quotes) out.add_template("'");
  out.add_template(value);
  if (form.in_quotes) out.add_template("'");
  add_parts(form.after_text, out);
  add_parts(form.end, out);
}

}  // namespace

ChatMessage example_call() {
  ChatMessage message;
  message.role = Role::kAssistant;
  message.calls.push_back({kExampleId, "file", kExampleArguments});
  return message;
}

ChatMessage example_result() {
  ChatMessage message = text_message(Role::kTool, "R");
  message.call_id = kExampleId;
  message.name = "file";
  return message;
}

ChatRequest example_chat(bool with_tools) {
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "U")};
  if (with_tools) chat.tools.push_back({"file", "d", R"({"type": "object"})"});
  return chat;
}

Prompt example_generation(const CallForm& form) {
  PromptWriter out;
  out.add_template(form.in_quotes ? "file\"" : "file");
  add_parts(form.middle, out);
  if (form.arguments == CallForm::Arguments::kJson) {
    out.add_template(kExampleArguments);
  } else {
    add_parameter(form.parameter, "action", "read", out);
    add_parts(form.parameter.between, out);
    add_parameter(form.parameter, "path", "a", out);
  }
  return std::move(out).take();
}

std::unique_ptr<VocabularyTokenizer> tokenizer_of(const FormatFamily& family) {
  std::set<std::string> names;
  const std::optional<CallForm> form = call_form(family);
  ChatRequest chat = example_chat(form.has_value());
  chat.messages.push_back(form ? example_call() : text_message(Role::kAssistant, "x"));
  if (form) chat.messages.push_back(example_result());
  chat.messages.push_back(text_message(Role::kUser, "x"));
  const auto whole = render_conversation(family, chat);
  REQUIRE_MESSAGE(whole.ok(), whole.error().message);
  add_names(*whole, names);
  if (form) add_names(form->lead, names);
  names.insert({"[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[CALL_ID]", "[ARGS]", "[TOOL_CONTENT]",
                "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[INST]", "[/INST]", "<s>", "</s>"});
  return tiny_tokenizer({names.begin(), names.end()});
}

}  // namespace pedro
