#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/call_form.h"
#include "format/call_syntax.h"
#include "format/choose_format.h"
#include "format/format_family.h"
#include "format/prompt_encoder.h"
#include "format/thinking_form.h"
#include "grammar/tool_calls.h"
#include "llm/model.h"
#include "llm/tool_bias.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// How the model of a server writes, with what of it depends on its vocabulary: the grammar of
/// calls, the control tokens that a reply must not have. One thread.
class ServedFormat {
 public:
  /// Replies are opened as `chosen.reply_without_thinking` has it, where that is not empty: one
  /// that is to be a call is not to be thought about in the open.
  ///
  /// Control tokens are banned from replies, for a grammar's free string would admit them: all of
  /// the vocabulary's where it is here (`local`, or null), else the family's and those in the
  /// model's own `chat_template`. Those that end a reply are not, `eos` among them. Errors are the
  /// tokenizer's, and kUsage where the vocabulary does not have the family's control tokens.
  static Result<ServedFormat> open(ChosenFormat chosen, Tokenizer& tokenizer,
                                   const VocabularyTokenizer* local, std::string_view chat_template,
                                   std::string_view eos);

  const FormatFamily& family() const { return family_; }

  /// A reply that is begun with thinking.
  struct Thinking {
    FormatFamily family;  ///< opens replies for that; the same otherwise
    ThinkingForm form;
    Prompt lead;  ///< of a call behind it, as lead()
  };
  /// Nothing where the family has no thinking.
  const std::optional<Thinking>& thinking() const { return thinking_; }
  CallSyntax syntax() const { return syntax_; }
  /// Tools are declared and called in the family's words, not as text.
  bool has_tools() const { return has_tools_; }

  /// Calls are JSON, and behind one may stand what else there is to say.
  bool takes_bodies() const { return takes_bodies_; }

  /// What a reply that has to be a call begins with, and the GBNF of the rest up to the end of the
  /// arguments.
  const Prompt& lead() const { return form_.lead; }
  const CallGrammar& grammar(std::span<const CallBranch> calls);
  /// The tools that are called, as their names stand at the beginning of that rest. A name that a
  /// control token ends may be the beginning of another.
  std::vector<NamedTool> tools(std::span<const CallBranch> calls) const;
  /// What a value in the arguments ends with.
  std::string_view value_end() const;
  /// Where such a rest ends: behind the arguments, or behind the last of the texts behind the call,
  /// where nothing is left to be written of it.
  ReplyEnd end_of_call(std::string_view generated) const;

  /// Control tokens to be banned: JSON rows "[id,false],…" for `logit_bias`.
  const std::string& bans(bool constrained) const {
    return constrained ? bans_in_calls_ : bans_in_text_;
  }
  const std::string& bans_in_thinking() const { return bans_in_thinking_; }
  std::size_t banned() const { return banned_; }
  /// Names of control tokens that a reply may have, for `preserved_tokens`: else a server leaves
  /// them out of the text.
  const std::vector<std::string>& kept_tokens() const { return kept_tokens_; }
  const std::vector<std::string>& kept_in_thinking() const { return kept_in_thinking_; }

  /// All of the reply that `generated` is the rest of, where it was begun with a call's lead.
  std::string whole_call(const Prompt& lead, std::string_view generated, StopReason stop) const;
  /// The calls in a whole reply, of whatever tools. `calls` says how arguments are typed that were
  /// written without quotes. `thought`: what it thought is not in it.
  std::vector<CallPart> read(std::string_view reply, std::span<const CallBranch> calls,
                             bool thought = false) const;

 private:
  explicit ServedFormat(FormatFamily family) : family_(std::move(family)) {}
  static std::optional<Thinking> take_thinking(ChosenFormat& chosen);
  Status find_wrapping(Tokenizer& tokenizer);
  Result<std::set<TokenId>> ids_of_thinking(PromptEncoder& encoder);
  Status find_bans(Tokenizer& tokenizer, std::set<std::string> names, std::string_view eos);

  FormatFamily family_;
  std::optional<Thinking> thinking_;
  CallForm form_;
  CallSyntax syntax_ = CallSyntax::kJson;
  bool has_tools_ = false;
  std::string opened_thinking_;
  bool takes_bodies_ = false;
  CallWrapping wrapping_;
  CallGrammars grammars_;
  std::string bans_in_calls_;
  std::string bans_in_text_;
  std::string bans_in_thinking_;
  std::size_t banned_ = 0;
  std::vector<std::string> kept_tokens_;
  std::vector<std::string> kept_in_thinking_;
};

}  // namespace pedro
