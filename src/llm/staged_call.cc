#include "llm/staged_call.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/prompt.h"

namespace pedro {
namespace {

constexpr int kMaxLimitsInARow = 4;
constexpr std::size_t kMaxRejoined = 3;  // tokens

std::string alternatives(const std::vector<std::string>& texts) {
  std::vector<Expr> options;
  for (const std::string& text : texts) options.push_back(literal(text));
  Gbnf grammar;
  grammar.rules.push_back({"root", alternation(std::move(options))});
  return print(grammar);
}

std::size_t common_length(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

// Returns true if the last bytes are an incomplete UTF-8 sequence.
bool ends_inside_character(std::string_view text) {
  for (std::size_t n = 1; n <= std::min<std::size_t>(3, text.size()); ++n) {
    const auto byte = static_cast<unsigned char>(text[text.size() - n]);
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > n;
  }
  return false;
}

Result<std::string> text_of_tokens(const std::vector<TokenId>& tokens, Tokenizer& tokenizer) {
  PEDRO_TRY(const std::vector<std::string> pieces, tokenizer.pieces(tokens));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

// Removes the prefix `written` from `prompt`, if present.
Prompt without_beginning(Prompt prompt, std::string_view written) {
  if (prompt.parts.empty()) return prompt;
  auto* first = std::get_if<PromptText>(&prompt.parts.front());
  if (first == nullptr || !first->text.starts_with(written)) return prompt;
  first->text.erase(0, written.size());
  if (first->text.empty()) prompt.parts.erase(prompt.parts.begin());
  return prompt;
}

}  // namespace

Result<WrittenReply> StagedCall::write() {
  while (!done_) {
    PEDRO_RETURN_IF_ERROR(write_forced());
    if (place_.is_complete() && !place_.can_continue()) {
      if (Status joined = manner_.staged ? append_forced("") : Status(); !joined) {
        return joined.error();
      }
      reply_.end = WrittenReply::End::kWhole;
      break;
    }
    PEDRO_TRY(const Stage stage, next_stage());
    if (stage.max_tokens < 1) break;
    PEDRO_RETURN_IF_ERROR(ask(stage));
  }
  return std::move(reply_);
}

Status StagedCall::write_forced() {
  const bool at_start = reply_.ids.empty();
  for (;;) {
    if (!manner_.staged && at_start) return {};  // the first request has the complete grammar
    if (const std::string text = place_.forced_text(); !text.empty()) {
      if (Status appended = append_forced(text); !appended) return appended;
      continue;
    }
    const Token* token = place_.forced_token();
    if (token == nullptr) return {};
    const std::string text = token->text;
    reply_.ids.push_back(static_cast<TokenId>(*token->id));
    reply_.text += text;
    run_ids_ = reply_.ids.size();
    run_text_ = reply_.text.size();
    PEDRO_RETURN_IF_ERROR(place_.accept(text));
  }
}

Result<std::vector<TokenId>> StagedCall::encode(std::string text) {
  Prompt prompt;
  PromptText part;
  part.text = std::move(text);
  part.continues = true;
  prompt.parts.emplace_back(std::move(part));
  return encoder_.encode(prompt);
}

// See "Seams" in the header.
Status StagedCall::append_forced(const std::string& text) {
  const std::span<const TokenId> run = std::span(reply_.ids).subspan(run_ids_);
  PEDRO_TRY(std::vector<TokenId> whole, encode(reply_.text.substr(run_text_) + text));
  const std::size_t common = common_length(run, whole);
  if (common + kMaxRejoined >= run.size()) {
    reply_.ids.resize(run_ids_);
    reply_.ids.insert(reply_.ids.end(), whole.begin(), whole.end());
    reply_.evaluated = std::min(reply_.evaluated, run_ids_ + common);
  } else if (!text.empty()) {
    const TokenId last = run.back();
    PEDRO_TRY(const std::string piece, tokenizer_.piece(last));
    PEDRO_TRY(const bool control, tokenizer_.is_control(last));
    const bool joins = !control && is_valid_utf8(piece);
    PEDRO_TRY(std::vector<TokenId> rest, encode((joins ? piece : "") + text));
    if (joins) reply_.ids.pop_back();
    reply_.ids.insert(reply_.ids.end(), rest.begin(), rest.end());
  }
  reply_.text += text;
  const Result<std::size_t> taken = place_.accept(text);
  return taken ? Status() : Status(taken.error());
}

Result<StagedCall::Stage> StagedCall::next_stage() {
  Stage stage;
  const long long used = static_cast<long long>(reply_.ids.size());
  stage.max_tokens = std::min(manner_.max_tokens, manner_.room - used);
  const bool decides = manner_.staged || !manner_.bias.empty();
  const std::vector<std::string> texts = decides ? place_.choices() : std::vector<std::string>();
  const bool is_name = chooses_tool(reply_.text, texts, tools_);
  if (!texts.empty() && (manner_.staged || is_name)) {
    stage.kind = is_name ? Kind::kName : Kind::kChoice;
    stage.grammar = alternatives(texts);
    stage.max_tokens = std::min(stage.max_tokens, 1LL);
    if (!is_name) return stage;
    PEDRO_TRY(std::vector<TokenBias> biases,
              bias_choice(reply_.text, texts, tools_, manner_.bias, tokenizer_));
    stage.biases = std::move(biases);
    return stage;
  }
  stage.grammar = reply_.text.empty() ? std::string(manner_.whole_grammar) : print(place_.rest());
  if (manner_.staged && stops_help_) stage.stop = manner_.value_end;
  return stage;
}

Status StagedCall::ask(const Stage& stage) {
  const std::vector<TokenId> begun = reply_.ids;
  const StageRequest request{.begun = begun,
                             .text = reply_.text,
                             .grammar = stage.grammar,
                             .is_name = stage.kind == Kind::kName,
                             .biases = stage.biases,
                             .stop = stage.stop,
                             .max_tokens = stage.max_tokens};
  PEDRO_TRY(const Completion answer, ask_(request));
  count(request, answer.usage);
  return take(stage, answer);
}

// Counts cached tokens of the first request only: later requests cache tokens of this reply.
void StagedCall::count(const StageRequest& request, const Usage& usage) {
  const bool is_first = reply_.requests++ == 0;
  if (!is_first) {
    const long long before_reply =
        usage.prompt_tokens - static_cast<long long>(request.begun.size());
    const long long expected = before_reply + static_cast<long long>(reply_.evaluated);
    reply_.missed_cache += std::max(0LL, expected - usage.cached_tokens);
  }
  reply_.usage += usage;
  if (is_first) {
    reply_.first_prompt_ms = usage.prompt_ms;
    return;
  }
  reply_.usage.prompt_tokens -= usage.cached_tokens;
  reply_.usage.cached_tokens -= usage.cached_tokens;
}

// Returns the text of tokens. Removes trailing tokens that end inside a UTF-8 sequence. Replaces
// invalid sequences that a server accepts.
Result<std::string> StagedCall::whole_characters(std::vector<TokenId>& tokens) {
  PEDRO_TRY(const std::vector<std::string> pieces, tokenizer_.pieces(tokens));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  while (!tokens.empty() && ends_inside_character(text)) {
    text.resize(text.size() - pieces[tokens.size() - 1].size());
    tokens.pop_back();
  }
  return with_valid_characters(text);
}

Status StagedCall::take(const Stage& stage, const Completion& answer) {
  const bool by_token = answer.end == CompletionEnd::kToken;
  std::vector<TokenId> tokens(answer.tokens.begin(), answer.tokens.end() - (by_token ? 1 : 0));
  PEDRO_TRY(const std::string text, whole_characters(tokens));
  reply_.text += text;
  const std::size_t exact = answer.exact == StreamedTokens::kAll ? StreamedTokens::kAll
                                                                 : reply_.ids.size() + answer.exact;
  reply_.ids.insert(reply_.ids.end(), tokens.begin(), tokens.end());
  reply_.evaluated = std::min(reply_.ids.size() - (by_token || tokens.empty() ? 0 : 1), exact);
  PEDRO_TRY(const std::size_t taken, place_.accept(text));
  if (taken < text.size() || (by_token && !place_.is_complete())) {
    return end(WrittenReply::End::kDisobeyed);
  }
  if (by_token) return end(WrittenReply::End::kWhole);
  if (answer.end == CompletionEnd::kLoop) return end(WrittenReply::End::kLoop);
  if (answer.end == CompletionEnd::kWord) stops_help_ = is_stage_end();
  const bool cut = stage.kind == Kind::kValue && answer.end == CompletionEnd::kLimit;
  limits_in_a_row_ = cut ? limits_in_a_row_ + 1 : 0;
  if (limits_in_a_row_ == kMaxLimitsInARow || tokens.empty()) return end(WrittenReply::End::kCut);
  return {};
}

Status StagedCall::end(WrittenReply::End how) {
  reply_.end = how;
  done_ = true;
  return {};
}

// Returns true if the rest is not an unconstrained value of the model.
bool StagedCall::is_stage_end() const {
  return place_.is_complete() || !place_.forced_text().empty() ||
         place_.forced_token() != nullptr || !place_.choices().empty();
}

Result<Thought> think(const ThinkingForm& form, const Prompt& lead, PromptEncoder& encoder,
                      const AskThinking& ask) {
  PEDRO_TRY(Completion answer, ask(form.end));
  const bool ends_reply = answer.end == CompletionEnd::kToken;
  Thought thought;
  thought.usage = answer.usage;
  thought.ids = std::move(answer.tokens);
  if (!thought.ids.empty()) {  // the last token was sampled but not evaluated
    thought.evaluated = std::min(thought.ids.size() - 1, answer.exact);
  }
  if (ends_reply) thought.ids.pop_back();
  PEDRO_TRY(const std::string written, text_of_tokens(thought.ids, encoder.tokenizer()));
  const std::size_t end = written.find(form.end);
  thought.is_cut = end == std::string::npos;
  thought.text = with_valid_characters(trim(std::string_view(written).substr(0, end)));
  Prompt rest = thought.is_cut
                    ? form.close
                    : without_beginning(form.behind_end,
                                        std::string_view(written).substr(end + form.end.size()));
  append(rest, lead);
  if (rest.parts.empty()) return thought;
  if (auto* text = std::get_if<PromptText>(&rest.parts.front())) text->continues = true;
  PEDRO_TRY(const std::vector<TokenId> ids, encoder.encode(rest));
  thought.ids.insert(thought.ids.end(), ids.begin(), ids.end());
  return thought;
}

}  // namespace pedro
