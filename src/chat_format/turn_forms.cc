#include "chat_format/turn_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "call_parser/gemma_text.h"
#include "chat_format/piece_writer.h"

namespace pedro {
namespace {

constexpr std::string_view kId = "{{id}}";
constexpr std::string_view kIndex = "{{index}}";
constexpr std::string_view kIsString = "{{is_string}}";

// Converts a piece without values to a prompt.
Prompt to_prompt(const TurnRules& rules, std::string_view piece) {
  const ChatRequest nothing;
  PieceWriter out(rules, nothing);
  out.write(piece);
  return std::move(out).take();
}

// Returns the length of the longest end of `text` that `next` begins with.
std::size_t overlap(std::string_view text, std::string_view next) {
  std::size_t length = std::min(text.size(), next.size());
  while (length > 0 && !next.starts_with(text.substr(text.size() - length))) --length;
  return length;
}

// Returns the text before a call's name that the opening of a reply lacks. A family may open each
// call like a reply. Thinking that the opening starts ends first.
std::string call_lead(const TurnRules& rules, std::string_view before_name) {
  if (before_name.starts_with(rules.reply)) before_name.remove_prefix(rules.reply.size());
  return open_thinking(rules).close + rules.calls + std::string(before_name);
}

// Returns true if a call has one name, one place for arguments, at most one id, and nothing else.
bool has_known_values(std::string_view call) {
  std::size_t names = 0;
  std::size_t arguments = 0;
  std::size_t ids = 0;
  for (std::size_t at = find_placeholder(call); at != std::string_view::npos;
       at = find_placeholder(call, at + 2)) {
    const std::string_view value = call.substr(at);
    if (value.starts_with("{{name")) {
      ++names;
    } else if (value.starts_with("{{arguments}}") || value.starts_with("{{parameters}}")) {
      ++arguments;
    } else if ((value.starts_with(kId) || value.starts_with(kIndex)) && names == 1) {
      ++ids;
    } else {
      return false;
    }
  }
  return names == 1 && arguments == 1 && ids <= 1;
}

// Converts the piece between a name and arguments. The model makes up an id in it.
std::vector<CallFormPart> middle_of(const TurnRules& rules, std::string_view piece) {
  const std::size_t id = std::min(piece.find(kId), piece.find(kIndex));
  std::vector<CallFormPart> parts = form_parts(to_prompt(rules, piece.substr(0, id)));
  if (id == std::string_view::npos) return parts;
  CallIdForm form;
  if (piece.substr(id).starts_with(kIndex)) {
    form = {.length = 1, .max_length = 4, .characters = CallIdForm::Characters::kDigits};
  }
  parts.emplace_back(form);
  const std::size_t end = piece.find("}}", id) + 2;
  for (CallFormPart& part : form_parts(to_prompt(rules, piece.substr(end)))) {
    parts.push_back(std::move(part));
  }
  return parts;
}

// Returns nothing if the piece has no name with a value after it.
std::optional<ParameterForm> parameter_form(const TurnRules& rules) {
  constexpr std::string_view kName = "{{name}}";
  const std::string_view piece = rules.parameter;
  const std::size_t name = piece.find(kName);
  if (name == std::string_view::npos) return {};
  const std::string_view behind = piece.substr(name + kName.size());
  for (const std::string_view value :
       {"{{value}}", "{{json_value}}", "{{python_value}}", "{{gemma_value}}"}) {
    const std::size_t at = behind.find(value);
    if (at == std::string_view::npos) continue;
    const std::string_view middle = behind.substr(0, at);
    const std::size_t kind = std::min(middle.find(kIsString), middle.size());
    ParameterForm form{form_parts(to_prompt(rules, piece.substr(0, name))),
                       form_parts(to_prompt(rules, middle.substr(0, kind))),
                       form_parts(to_prompt(rules, behind.substr(at + value.size())))};
    form.between = form_parts(to_prompt(rules, rules.parameter_between));
    form.in_quotes = value == "{{python_value}}";
    if (kind < middle.size()) {
      const std::string_view rest = middle.substr(kind + kIsString.size());
      form.before_text = form_parts(to_prompt(rules, fmt::format("true{}", rest)));
      form.before_json = form_parts(to_prompt(rules, fmt::format("false{}", rest)));
    }
    if (value == "{{gemma_value}}") {
      form.before_text = form.after_text = form_parts(to_prompt(rules, kGemmaQuote));
    }
    return form;
  }
  return {};
}

}  // namespace

ByteRange arguments_in(std::string_view call) {
  for (const std::string_view name : {"{{arguments}}", "{{parameters}}"}) {
    const std::size_t at = call.find(name);
    if (at != std::string_view::npos) return {at, at + name.size()};
  }
  return {call.size(), call.size()};
}

OpenThinking open_thinking(const TurnRules& rules) {
  constexpr std::string_view kThink = "<think>";
  if (const std::size_t shared = overlap(rules.reply, rules.no_thinking); shared > 0) {
    return {rules.no_thinking.substr(0, shared), rules.no_thinking.substr(shared)};
  }
  const std::string_view thinking = rules.thinking;
  const std::size_t content = thinking.find(TurnRules::kContent);
  if (content != std::string_view::npos && content > 0 &&
      rules.reply.ends_with(thinking.substr(0, content))) {
    return {std::string(thinking.substr(0, content)),
            std::string(thinking.substr(thinking.find("}}", content) + 2))};
  }
  if (!trim(rules.reply).ends_with(kThink)) return {};
  return {std::string(kThink), "\n</think>\n\n"};
}

Prompt end_of_thinking(const TurnRules& rules) {
  return to_prompt(rules, open_thinking(rules).close);
}

std::optional<CallForm> call_form_of(const TurnRules& rules) {
  if (rules.call.empty()) return {};
  const std::string_view call = rules.call;
  const std::size_t name = call.find("{{name");
  const std::size_t behind_name = call.find("}}", name);
  if (behind_name == std::string_view::npos || !has_known_values(call)) return {};
  CallForm form;
  form.in_quotes = call.substr(name).starts_with("{{name_json}}");
  const ByteRange arguments = arguments_in(call);
  const bool apart = call.substr(arguments.begin).starts_with("{{parameters}}");
  if (apart) {
    std::optional<ParameterForm> parameter = parameter_form(rules);
    if (!parameter) return {};
    form.arguments = CallForm::Arguments::kParameters;
    form.parameter = *std::move(parameter);
  }
  form.lead =
      to_prompt(rules, call_lead(rules, call.substr(0, name)) + (form.in_quotes ? "\"" : ""));
  const std::size_t middle = behind_name + 2;
  form.middle = middle_of(rules, call.substr(middle, arguments.begin - middle));
  form.close = to_prompt(rules, std::string(call.substr(arguments.end)) + rules.calls_end);
  return form;
}

// A reply can have thinking if its template opens it or has a form for it.
std::optional<ThinkingForm> thinking_form_of(const TurnRules& rules) {
  const OpenThinking opened = open_thinking(rules);
  std::string open;
  std::string close = opened.close;
  std::string opening;
  if (opened.open.empty()) {
    const std::string_view thinking = rules.thinking;
    const std::size_t content = thinking.find(TurnRules::kContent);
    if (content == std::string_view::npos || content == 0) return {};
    open = thinking.substr(0, content);
    const std::size_t shared = overlap(rules.reply, open);
    // If the thinking begins with the opening of a reply, the text after it has an opening too.
    if (shared == rules.reply.size()) opening = rules.reply;
    open.erase(0, shared);
    close = thinking.substr(thinking.find("}}", content) + 2);
  }
  const std::string end(trim(close));
  if (end.empty()) return {};
  ThinkingForm form;
  form.open = to_prompt(rules, open);
  form.end = end;
  form.behind_end = to_prompt(rules, close.substr(close.find(end) + end.size()) + opening);
  form.close = to_prompt(rules, close + opening);
  return form;
}

}  // namespace pedro
