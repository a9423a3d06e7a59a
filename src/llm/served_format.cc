#include "llm/served_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "call_parser/call_parser.h"
#include "call_parser/raw_body.h"
#include "chat_format/call_wrapping.h"
#include "tokenizer/end_of_generation.h"

namespace pedro {
namespace {

// Returns texts in a chat template that resemble control tokens: <|...|>, [WORD], <word>, </word>.
std::set<std::string> control_token_candidates(std::string_view chat_template) {
  constexpr std::size_t kMaxCandidates = 64;
  constexpr std::size_t kMaxLength = 40;
  std::set<std::string> found;
  for (std::size_t i = 0; i < chat_template.size() && found.size() < kMaxCandidates; ++i) {
    const char open = chat_template[i];
    if (open != '<' && open != '[') continue;
    const char close = open == '<' ? '>' : ']';
    const std::string_view rest = chat_template.substr(i, kMaxLength);
    const std::size_t end = rest.find(close);
    if (end == std::string_view::npos || end < 2) continue;
    std::string text(rest.substr(0, end + 1));
    if (text.find_first_of(" \n'\"{}") == std::string::npos) found.insert(std::move(text));
  }
  return found;
}

std::set<std::string> names_of(const Vocabulary& vocabulary) {
  std::set<std::string> names;
  for (const TokenId id : vocabulary.specials()) {
    if (vocabulary.is_control(id)) names.emplace(vocabulary.piece(id));
  }
  return names;
}

// Returns the token ids of a form's control tokens.
Result<std::set<TokenId>> ids_in(const std::vector<CallFormPart>& parts, PromptEncoder& encoder) {
  std::set<TokenId> ids;
  for (const CallFormPart& part : parts) {
    const auto* control = std::get_if<ControlToken>(&part);
    if (control == nullptr) continue;
    PEDRO_TRY(const std::optional<TokenId> id, encoder.id_of(*control));
    if (id) ids.insert(*id);
  }
  return ids;
}

Result<std::vector<std::string>> names_of(const std::set<TokenId>& ids, Tokenizer& tokenizer) {
  return tokenizer.pieces(std::vector<TokenId>(ids.begin(), ids.end()));
}

// Adds the first control token after a reply like `reply`: the model stops with it.
void add_stop(const FormatFamily& family, ChatMessage reply, std::set<std::string>& names) {
  ChatRequest chat;
  chat.messages = {text_message(Role::kUser, "x"), std::move(reply),
                   text_message(Role::kUser, "x")};
  const Result<Prompt> rest = render_continuation(family, chat, 2, ReplyEnd::kByModel);
  if (!rest || rest->parts.empty()) return;
  const auto* control = std::get_if<ControlToken>(&rest->parts.front());
  if (control != nullptr) names.insert(control->name);
}

// Returns the control tokens that can end a reply.
std::set<std::string> stops_of(const FormatFamily& family) {
  std::set<std::string> names;
  add_stop(family, text_message(Role::kAssistant, "x"), names);
  ChatMessage calling;
  calling.role = Role::kAssistant;
  calling.calls.push_back({"123456789", "x", "{}"});
  add_stop(family, calling, names);
  return names;
}

std::string ban_rows(const std::vector<TokenId>& ids) {
  std::string rows;
  for (const TokenId id : ids) rows += fmt::format("{}[{},false]", rows.empty() ? "" : ",", id);
  return rows;
}

// Returns the plain form. Its lead first closes open thinking.
CallForm plain_form(const FormatFamily& family) {
  CallForm form = plain_call_form();
  Prompt lead = end_of_thinking(family);
  append(lead, form.lead);
  form.lead = std::move(lead);
  return form;
}

}  // namespace

Result<ServedFormat> ServedFormat::open(ChosenFormat chosen, Tokenizer& tokenizer,
                                        const VocabularyTokenizer* local,
                                        std::string_view chat_template, std::string_view eos) {
  std::optional<Thinking> thinking = take_thinking(chosen);
  ServedFormat format(std::move(chosen.family));
  format.thinking_ = std::move(thinking);
  std::optional<CallForm> native = call_form(format.family_);
  if (!chosen.syntax) native.reset();
  format.has_tools_ = native.has_value();
  format.form_ = native ? *native : plain_form(format.family_);
  format.opened_thinking_ = open_thinking(format.family_).open;
  if (native) format.syntax_ = *chosen.syntax;
  if (Status found = format.find_wrapping(tokenizer); !found) {
    return found.error().at("format " + format.family_.name);
  }
  std::set<std::string> names =
      local != nullptr ? names_of(local->vocabulary()) : control_token_candidates(chat_template);
  if (Status found = format.find_bans(tokenizer, std::move(names), eos); !found) {
    return found.error();
  }
  return format;
}

// Changes the family of `chosen` to open replies without thinking.
std::optional<ServedFormat::Thinking> ServedFormat::take_thinking(ChosenFormat& chosen) {
  Thinking thinking;
  thinking.family = chosen.family;
  std::optional<ThinkingForm> form = thinking_form(chosen.family);
  auto* rules = std::get_if<TurnRules>(&chosen.family.rules);
  if (rules != nullptr && !chosen.reply_without_thinking.empty()) {
    if (rules->reply_after_result == rules->reply) {
      rules->reply_after_result = chosen.reply_without_thinking;
    }
    rules->reply = chosen.reply_without_thinking;
  }
  if (!form) return {};
  thinking.form = *std::move(form);
  thinking.lead = plain_call_form().lead;
  // No thinking is open after the thinking stage.
  FormatFamily closed = thinking.family;
  if (auto* open = std::get_if<TurnRules>(&closed.rules)) {
    const std::string opened(trim(open_thinking(closed).open));
    const std::size_t at = opened.empty() ? std::string::npos : open->reply.rfind(opened);
    if (at != std::string::npos) open->reply.erase(at);
  }
  const std::optional<CallForm> call = chosen.syntax ? call_form(closed) : std::nullopt;
  if (call) thinking.lead = call->lead;
  return thinking;
}

Status ServedFormat::find_wrapping(Tokenizer& tokenizer) {
  PromptEncoder encoder(tokenizer);
  const auto token_of = [&](const ControlToken& control) -> Result<std::optional<OneToken>> {
    PEDRO_TRY(const std::optional<TokenId> id, encoder.id_of(control));
    if (!id) return std::optional<OneToken>();
    PEDRO_TRY(std::string piece, encoder.tokenizer().piece(*id));
    return std::optional(OneToken{static_cast<std::uint32_t>(*id), std::move(piece)});
  };
  PEDRO_TRY(CallWrapping wrapping, call_wrapping(form_, token_of));
  wrapping_ = std::move(wrapping);
  takes_bodies_ = pedro::takes_bodies(form_);
  return {};
}

// Disables thinking if the vocabulary lacks its tokens.
Result<std::set<TokenId>> ServedFormat::ids_of_thinking(PromptEncoder& encoder) {
  std::set<TokenId> ids;
  if (!thinking_) return ids;
  for (const Prompt* prompt : {&thinking_->form.open, &thinking_->form.close}) {
    const Result<std::set<TokenId>> some = ids_in(form_parts(*prompt), encoder);
    if (!some && some.error().kind != ErrorKind::kUsage) return some.error();
    if (!some) {
      thinking_.reset();
      return std::set<TokenId>();
    }
    if (prompt == &thinking_->form.close) ids = *some;
  }
  return ids;
}

Status ServedFormat::find_bans(Tokenizer& tokenizer, std::set<std::string> names,
                               std::string_view eos) {
  PromptEncoder encoder(tokenizer);
  std::set<TokenId> in_middle;
  const ParameterForm& parameter = form_.parameter;
  std::vector<std::vector<CallFormPart>> pieces = {
      form_.middle,      parameter.open,        parameter.middle,     parameter.end,
      parameter.between, parameter.before_text, parameter.after_text, parameter.before_json};
  if (takes_bodies_) pieces.push_back(form_parts(form_.close));
  for (const std::vector<CallFormPart>& parts : pieces) {
    PEDRO_TRY(const std::set<TokenId> some, ids_in(parts, encoder));
    in_middle.insert(some.begin(), some.end());
  }
  std::set<TokenId> in_calls = in_middle;
  for (const Prompt* prompt : {&form_.lead, &form_.close}) {
    PEDRO_TRY(const std::set<TokenId> some, ids_in(form_parts(*prompt), encoder));
    in_calls.insert(some.begin(), some.end());
  }
  PEDRO_TRY(const std::set<TokenId> in_thinking, ids_of_thinking(encoder));
  auto kept = names_of(in_calls, tokenizer);
  auto kept_in_thinking = names_of(in_thinking, tokenizer);
  if (!kept || !kept_in_thinking) return kept ? kept_in_thinking.error() : kept.error();
  kept_tokens_ = *std::move(kept);
  kept_in_thinking_ = *std::move(kept_in_thinking);

  ChatRequest chat;
  chat.messages.push_back(text_message(Role::kUser, "x"));
  const Result<Prompt> guarded = render_conversation(family_, chat);
  if (guarded) names.insert(guarded->guarded.begin(), guarded->guarded.end());
  names.insert(kept_tokens_.begin(), kept_tokens_.end());
  names.erase(std::string(eos));
  for (const std::string_view end : ends_of_generation()) names.erase(std::string(end));
  for (const std::string& stop : stops_of(family_)) names.erase(stop);

  std::vector<Passage> passages;
  for (const std::string& name : names) {
    passages.push_back({name, Specials::kAll});
    passages.push_back({name, Specials::kNone});
  }
  PEDRO_TRY(const auto ids, tokenizer.encode_each(passages));
  std::vector<TokenId> in_call_bans;
  std::vector<TokenId> in_text_bans;
  std::vector<TokenId> in_thinking_bans;
  for (std::size_t i = 0; i < ids.size(); i += 2) {
    const std::vector<TokenId>& special = ids[i];
    // Skips names that are not a token, or that are an ordinary token.
    if (special.size() != 1 || ids[i + 1] == special) continue;
    if (!in_middle.contains(special.front())) in_call_bans.push_back(special.front());
    if (!in_calls.contains(special.front())) in_text_bans.push_back(special.front());
    if (!in_thinking.contains(special.front())) in_thinking_bans.push_back(special.front());
  }
  banned_ = in_call_bans.size();
  bans_in_calls_ = ban_rows(in_call_bans);
  bans_in_text_ = ban_rows(in_text_bans);
  bans_in_thinking_ = ban_rows(in_thinking_bans);
  return {};
}

const CallGrammar& ServedFormat::grammar(std::span<const CallBranch> calls) {
  return grammars_.get(calls, wrapping_);
}

std::vector<NamedTool> ServedFormat::tools(std::span<const CallBranch> calls) const {
  std::vector<NamedTool> tools;
  for (const CallBranch& call : calls) {
    const auto same = [&](const NamedTool& tool) { return tool.tool == call.tool; };
    if (std::any_of(tools.begin(), tools.end(), same)) continue;
    std::string written = written_name(call.tool, wrapping_.name);
    // Adds the delimiter of the name, so that no name is a prefix of another.
    if (wrapping_.name == NameForm::kPlain && !wrapping_.middle.empty()) {
      const auto* text = std::get_if<std::string>(&wrapping_.middle.front());
      if (text != nullptr) written += text->substr(0, 1);
    }
    tools.push_back({call.tool, std::move(written)});
  }
  return tools;
}

std::string_view ServedFormat::value_end() const {
  if (!wrapping_.parameters || wrapping_.parameters->in_quotes) return "\"";
  return wrapping_.parameters->end_text;
}

// Ends JSON calls with a brace.
ReplyEnd ServedFormat::end_of_call(std::string_view generated) const {
  if (takes_bodies_ && generated.ends_with(raw_body::kClose)) return ReplyEnd::kByModel;
  return has_tools_ ? ReplyEnd::kArguments : ReplyEnd::kPlainArguments;
}

std::string ServedFormat::whole_call(const Prompt& lead, std::string_view generated,
                                     StopReason stop) const {
  std::string whole = to_text(lead);
  whole += generated;
  const bool is_open = stop == StopReason::kEnd && end_of_call(generated) != ReplyEnd::kByModel;
  if (is_open) whole += to_text(form_.close);
  return whole;
}

std::vector<CallPart> ServedFormat::read(std::string_view reply, std::span<const CallBranch> calls,
                                         bool thought) const {
  if (thought || opened_thinking_.empty())
    return parse_calls(reply, syntax_, calls, CallChecks::kNothing);
  // The prompt opened the thinking. Calls inside it count only if the thinking never ends.
  return parse_calls(opened_thinking_ + std::string(reply), syntax_, calls, CallChecks::kNothing);
}

}  // namespace pedro
