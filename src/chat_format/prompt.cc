#include "chat_format/prompt.h"

#include "base/utf8.h"

namespace pedro {
namespace {

// Returns printable `text` with `open` and `close` around its contents.
std::string with_contents(const PromptText& text, std::string_view open, std::string_view close) {
  std::string out;
  std::size_t at = 0;
  const std::string_view all = text.text;
  for (const ByteRange& range : text.content) {
    out += make_printable(all.substr(at, range.begin - at));
    out += open;
    out += make_printable(all.substr(range.begin, range.end - range.begin));
    out += close;
    at = range.end;
  }
  return out + make_printable(all.substr(at));
}

// Joins the parts: names of control tokens between `open` and `close`, and the texts that `text_of`
// returns.
template <typename TextOf>
std::string joined_parts(const Prompt& prompt, std::string_view open, std::string_view close,
                         TextOf text_of) {
  std::string out;
  for (const PromptPart& part : prompt.parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      out += open;
      out += control->name;
      out += close;
    } else {
      out += prompt.spaced ? " " : "";
      out += text_of(std::get<PromptText>(part));
    }
  }
  return out;
}

}  // namespace

void PromptWriter::control(std::string_view name, std::string_view old_name) {
  prompt_.parts.push_back(ControlToken{std::string(name), std::string(old_name), false});
  in_text_ = false;
}

void PromptWriter::tag(std::string_view name) {
  prompt_.parts.push_back(ControlToken{std::string(name), "", true});
  in_text_ = false;
}

PromptText* PromptWriter::append(std::string_view text) {
  if (text.empty()) return nullptr;
  if (!in_text_) prompt_.parts.push_back(PromptText{});
  in_text_ = true;
  auto& last = std::get<PromptText>(prompt_.parts.back());
  if (last.text.empty()) last.turn = turn_;
  last.text += text;
  return &last;
}

void PromptWriter::add_content(std::string_view text) {
  PromptText* const part = append(text);
  if (part == nullptr) return;
  const std::size_t end = part->text.size();
  const std::size_t begin = end - text.size();
  const bool goes_on = !part->content.empty() && part->content.back().end == begin;
  if (goes_on) {
    part->content.back().end = end;
  } else {
    part->content.push_back({begin, end});
  }
}

std::string to_text(const Prompt& prompt) {
  return joined_parts(prompt, "", "", [](const PromptText& part) { return part.text; });
}

std::string to_marked_text(const Prompt& prompt) {
  return joined_parts(prompt, "\u00AB", "\u00BB",
                      [](const PromptText& part) { return make_printable(part.text); });
}

std::string to_coloured_text(const Prompt& prompt) {
  return joined_parts(prompt, "\x1b[48;5;88m", "\x1b[0m", [](const PromptText& part) {
    return with_contents(part, "\x1b[38;5;78m", "\x1b[0m");
  });
}

}  // namespace pedro
