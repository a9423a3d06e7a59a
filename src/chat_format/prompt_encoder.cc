#include "chat_format/prompt_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <variant>

namespace pedro {
namespace {

/// Collects a prompt as ids and texts to encode separately. Tags without a token join the text
/// around them.
class EncodedPieces {
 public:
  void add_id(TokenId id) {
    end_text();
    pieces_.emplace_back(id);
  }
  // Adds a tag as text, joined with the text before and after it.
  void add_tag(const std::string& name) {
    text_ += name;
    joins_ = true;
  }
  void add_text(const PromptText& text, const std::vector<std::string_view>& guarded) {
    if (!joins_) end_text();
    const std::size_t before = text_.size();
    text_ += text.text;
    turn_ = text.turn;
    joins_ = false;
    cut_guarded(before, guarded);
  }

  PromptPieces take() {
    end_text();
    return std::move(pieces_);
  }
  // Returns the turn of each text of take().
  std::vector<std::string_view> turns() const { return turns_; }

 private:
  // Cuts after the first character of each name in text_, from `from` on.
  void cut_guarded(std::size_t from, const std::vector<std::string_view>& guarded) {
    for (const std::string_view name : guarded) {
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

  void end_text() {
    joins_ = false;
    std::size_t begin = 0;
    cuts_.insert(text_.size());
    for (const std::size_t end : cuts_) {
      if (end != begin) {
        pieces_.emplace_back(text_.substr(begin, end - begin));
        turns_.push_back(turn_);
      }
      begin = end;
    }
    text_.clear();
    cuts_.clear();
  }

  PromptPieces pieces_;
  std::vector<std::string_view> turns_;
  std::string_view turn_;       // of text_
  std::string text_;            // not in pieces_ yet
  std::set<std::size_t> cuts_;  // offsets in text_
  bool joins_ = false;          // text_ ends with a tag, so the next text joins it
};

bool goes_on(const Prompt& prompt) {
  const auto* first =
      prompt.parts.empty() ? nullptr : std::get_if<PromptText>(&prompt.parts.front());
  return first != nullptr && first->continues;
}

}  // namespace

Result<std::optional<TokenId>> PromptEncoder::look_up(const std::string& name) {
  Result<std::optional<TokenId>> id = tokenizer_.id_of(name);
  if (!id || !*id) return id;
  PEDRO_TRY(const bool control, tokenizer_.is_control(**id));
  return control ? id : std::optional<TokenId>();
}

Result<std::optional<TokenId>> PromptEncoder::id_of(const ControlToken& token) {
  if (token.may_be_text) {
    if (const auto known = tags_.find(token.name); known != tags_.end()) return known->second;
    PEDRO_TRY(const auto ids, tokenizer_.encode(token.name, Specials::kAll));
    return tags_[token.name] = ids.size() == 1 ? std::optional(ids.front()) : std::nullopt;
  }
  if (const auto known = controls_.find(token.name); known != controls_.end()) return known->second;
  Result<std::optional<TokenId>> id = look_up(token.name);
  if (id && !*id && !token.old_name.empty()) id = look_up(token.old_name);
  if (!id) return id.error();
  if (!*id) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: the vocabulary has no control token {}: it is not one of the "
                             "format's",
                             tokenizer_.provider_name(), token.name)};
  }
  return controls_[token.name] = *id;
}

// Looks up all new names in one request.
Status PromptEncoder::learn_names(const Prompt& prompt) {
  std::set<std::string_view> tags;
  for (const PromptPart& part : prompt.parts) {
    const auto* control = std::get_if<ControlToken>(&part);
    if (control && control->may_be_text && !tags_.contains(control->name)) {
      tags.insert(control->name);
    }
  }
  std::vector<Passage> passages;
  for (const std::string_view tag : tags) passages.push_back({tag, Specials::kAll, "tag"});
  for (const std::string& name : prompt.guarded) {
    if (!is_found_.contains(name)) passages.push_back({name, Specials::kNone, "guarded name"});
  }
  if (passages.empty()) return {};
  PEDRO_TRY(const auto ids, tokenizer_.encode_each(passages));
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const std::vector<TokenId>& some = ids[i];
    const std::string name(passages[i].text);
    if (i >= tags.size()) {
      is_found_[name] = some.size() == 1;
    } else {
      tags_[name] = some.size() == 1 ? std::optional(some.front()) : std::nullopt;
    }
  }
  return {};
}

Result<std::vector<TokenId>> PromptEncoder::encode(const Prompt& prompt) {
  PEDRO_RETURN_IF_ERROR(learn_names(prompt));
  std::vector<std::string_view> guarded;
  for (const std::string& name : prompt.guarded) {
    if (is_found_[name]) guarded.push_back(name);
  }
  EncodedPieces pieces;
  for (const PromptPart& part : prompt.parts) {
    const auto* control = std::get_if<ControlToken>(&part);
    if (control == nullptr) {
      pieces.add_text(std::get<PromptText>(part), guarded);
      continue;
    }
    PEDRO_TRY(const std::optional<TokenId> id, id_of(*control));
    if (id) {
      pieces.add_id(*id);
    } else {
      pieces.add_tag(control->name);
    }
  }
  PromptPieces taken = pieces.take();
  return encode_pieces(std::move(taken), pieces.turns(), goes_on(prompt));
}

// Encodes "\n" alone. After a line end a text has no space; the line end's ids are removed again.
Status PromptEncoder::learn_line_end() {
  if (spaced_line_end_) return {};
  PEDRO_TRY(const auto ids, tokenizer_.encode("\n", Specials::kNone));
  PEDRO_TRY(const auto pieces, tokenizer_.pieces(ids));
  const bool spaced = !pieces.empty() && pieces.front().starts_with(' ');
  spaced_line_end_ = spaced ? ids : std::vector<TokenId>();
  return {};
}

// `turns`: the label of each text, for traces.
Result<std::vector<TokenId>> PromptEncoder::encode_pieces(PromptPieces pieces,
                                                          std::span<const std::string_view> turns,
                                                          bool goes_on) {
  if (goes_on) {
    PEDRO_RETURN_IF_ERROR(learn_line_end());
    goes_on = !spaced_line_end_->empty();
    if (goes_on) std::get<std::string>(pieces.front()).insert(0, "\n");
  }
  std::vector<Passage> passages;
  for (const PromptPiece& piece : pieces) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      const std::string_view turn = turns[passages.size()];
      passages.push_back({*text, Specials::kNone, turn.empty() ? "text" : turn});
    }
  }
  PEDRO_TRY(auto encoded, tokenizer_.encode_each(passages));
  if (goes_on) {
    std::vector<TokenId>& first = encoded.front();
    const std::vector<TokenId>& line_end = *spaced_line_end_;
    if (first.size() < line_end.size() ||
        !std::equal(line_end.begin(), line_end.end(), first.begin())) {
      return Error{
          ErrorKind::kModel,
          fmt::format(
              "{}: a line end and the text after it become one token: a text cannot be continued",
              tokenizer_.provider_name())};
    }
    first.erase(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(line_end.size()));
  }
  std::vector<TokenId> ids;
  std::size_t next = 0;
  for (const PromptPiece& piece : pieces) {
    if (const auto* id = std::get_if<TokenId>(&piece)) {
      ids.push_back(*id);
    } else {
      ids.insert(ids.end(), encoded[next].begin(), encoded[next].end());
      ++next;
    }
  }
  return ids;
}

}  // namespace pedro
