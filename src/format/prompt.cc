#include "format/prompt.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

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

  // Nothing where the vocabulary writes `name` as text.
  Result<std::optional<TokenId>> of_tag(const std::string& name) {
    const auto known = tags_.find(name);
    if (known != tags_.end()) return known->second;
    const auto ids = tokenizer_.encode(name, Specials::kAll);
    if (!ids) return ids.error();
    const auto id = ids->size() == 1 ? std::optional(ids->front()) : std::nullopt;
    tags_.emplace(name, id);
    return id;
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
  std::map<std::string, std::optional<TokenId>, std::less<>> tags_;
};

/// Ids of a prompt, part by part. Text waits for the next token, for what may be text joins it.
class PromptEncoder {
 public:
  explicit PromptEncoder(Tokenizer& tokenizer) : tokenizer_(tokenizer), controls_(tokenizer) {}

  Result<std::vector<TokenId>> run(const Prompt& prompt) {
    for (const std::string& name : prompt.guarded) {
      const auto ids = tokenizer_.encode(name, Specials::kNone);
      if (!ids) return ids.error();
      if (ids->size() == 1) guarded_.push_back(name);
    }
    for (const PromptPart& part : prompt.parts) {
      const auto* control = std::get_if<ControlToken>(&part);
      Status added = control != nullptr ? add(*control) : add(std::get<PromptText>(part));
      if (!added) return added.error();
    }
    if (Status ended = end_text(); !ended) return ended.error();
    return std::move(ids_);
  }

 private:
  Status add(const ControlToken& control) {
    std::optional<TokenId> id;
    if (control.may_be_text) {
      const auto tag = controls_.of_tag(control.name);
      if (!tag) return tag.error();
      id = *tag;
      joins_ = !id;
      if (!id) text_ += control.name;
      if (!id) return {};
    } else {
      const auto known = controls_.of(control);
      if (!known) return known.error();
      id = *known;
    }
    if (Status ended = end_text(); !ended) return ended;
    ids_.push_back(*id);
    return {};
  }

  Status add(const PromptText& text) {
    if (!joins_) {
      if (Status ended = end_text(); !ended) return ended;
    }
    const std::size_t before = text_.size();
    text_ += text.text;
    joins_ = false;
    cut_guarded(before);
    return {};
  }

  // Behind the first character of each name that stands in text_ from `from` on.
  void cut_guarded(std::size_t from) {
    for (const std::string& name : guarded_) {
      for (std::size_t at = text_.find(name, from); at != std::string::npos;
           at = text_.find(name, at + 1)) {
        cuts_.insert(at + utf8_length(text_[at]));
      }
    }
  }

  static std::size_t utf8_length(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  }

  Status end_text() {
    joins_ = false;
    std::size_t begin = 0;
    cuts_.insert(text_.size());
    for (const std::size_t end : cuts_) {
      if (end == begin) continue;
      const std::string_view part = std::string_view(text_).substr(begin, end - begin);
      const auto ids = tokenizer_.encode(part, Specials::kNone);
      if (!ids) return ids.error();
      ids_.insert(ids_.end(), ids->begin(), ids->end());
      begin = end;
    }
    text_.clear();
    cuts_.clear();
    return {};
  }

  Tokenizer& tokenizer_;
  ControlIds controls_;
  std::vector<TokenId> ids_;
  std::vector<std::string> guarded_;  // that the vocabulary finds in any text
  std::string text_;                  // that is not among ids_ yet
  std::set<std::size_t> cuts_;        // of text_
  bool joins_ = false;                // it ends with what may be a token in another vocabulary
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
  return PromptEncoder(tokenizer).run(prompt);
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
