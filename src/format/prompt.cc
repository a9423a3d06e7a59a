#include "format/prompt.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/utf8.h"

namespace pedro {
namespace {

/// Finds control tokens in a vocabulary, each once: a server would be asked for it.
class ControlIds {
 public:
  explicit ControlIds(Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  Result<TokenId> of(const ControlToken& token) {
    const auto known = ids_.find(token.name);
    if (known != ids_.end()) return known->second;
    Result<std::optional<TokenId>> id = look_up(token.name);
    if (id && !*id && !token.old_name.empty()) id = look_up(token.old_name);
    if (!id) return id.error();
    if (!*id) {
      return Error{ErrorKind::kUsage,
                   fmt::format("{}: the vocabulary has no control token {}: it is not one of the "
                               "format's",
                               tokenizer_.provider_name(), token.name)};
    }
    ids_.emplace(token.name, **id);
    return **id;
  }

 private:
  Result<std::optional<TokenId>> look_up(const std::string& name) {
    Result<std::optional<TokenId>> id = tokenizer_.id_of(name);
    if (!id || !*id) return id;
    const Result<bool> control = tokenizer_.is_control(**id);
    if (!control) return control.error();
    return *control ? id : std::optional<TokenId>();
  }

  Tokenizer& tokenizer_;
  std::map<std::string, TokenId, std::less<>> ids_;
};

// `text` with what it opens and closes around contents; made printable.
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

}  // namespace

void PromptWriter::control(std::string_view name, std::string_view old_name) {
  prompt_.parts.push_back(ControlToken{std::string(name), std::string(old_name)});
  in_text_ = false;
}

PromptText* PromptWriter::append(std::string_view text) {
  if (text.empty()) return nullptr;
  if (!in_text_) prompt_.parts.push_back(PromptText{});
  in_text_ = true;
  auto& last = std::get<PromptText>(prompt_.parts.back());
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

Result<std::vector<TokenId>> encode_prompt(const Prompt& prompt, Tokenizer& tokenizer) {
  std::vector<TokenId> ids;
  ControlIds controls(tokenizer);
  for (const PromptPart& part : prompt.parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      const Result<TokenId> id = controls.of(*control);
      if (!id) return id.error();
      ids.push_back(*id);
      continue;
    }
    const auto text = tokenizer.encode(std::get<PromptText>(part).text, Specials::kNone);
    if (!text) return text.error();
    ids.insert(ids.end(), text->begin(), text->end());
  }
  return ids;
}

std::string to_text(const Prompt& prompt) {
  std::string out;
  for (const PromptPart& part : prompt.parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      out += control->name;
    } else {
      out += prompt.spaced ? " " : "";
      out += std::get<PromptText>(part).text;
    }
  }
  return out;
}

std::string to_marked_text(const Prompt& prompt) {
  std::string out;
  for (const PromptPart& part : prompt.parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      out += "\u00AB" + control->name + "\u00BB";
    } else {
      out += prompt.spaced ? " " : "";
      out += make_printable(std::get<PromptText>(part).text);
    }
  }
  return out;
}

std::string to_coloured_text(const Prompt& prompt) {
  std::string out;
  for (const PromptPart& part : prompt.parts) {
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      out += "\x1b[48;5;88m" + control->name + "\x1b[0m";
    } else {
      out += prompt.spaced ? " " : "";
      out += with_contents(std::get<PromptText>(part), "\x1b[38;5;78m", "\x1b[0m");
    }
  }
  return out;
}

}  // namespace pedro
