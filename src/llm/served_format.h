#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "call_parser/call_syntax.h"
#include "chat_format/call_form.h"
#include "chat_format/format_family.h"
#include "chat_format/prompt_encoder.h"
#include "llm/model.h"
#include "llm/tool_bias.h"
#include "schema_to_gbnf/tool_calls.h"
#include "template_learner/choose_format.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// The format of a server's model with the parts that depend on its vocabulary. These are the
/// grammar of calls and the banned control tokens. Belongs to one thread.
class ServedFormat {
 public:
  /// Opens replies with `chosen.reply_without_thinking` unless it is empty. A reply that must be a
  /// call must not think outside of the thinking stage.
  ///
  /// Bans control tokens in replies, because free strings of a grammar would admit them. Bans all
  /// control tokens of a local vocabulary (`local`, may be null). Without one, bans those of the
  /// family and those in the model's `chat_template`. Does not ban tokens that end a reply, or
  /// `eos`. Errors: those of the tokenizer; kUsage if the vocabulary lacks control tokens of the
  /// family.
  static Result<ServedFormat> open(ChosenFormat chosen, Tokenizer& tokenizer,
                                   const VocabularyTokenizer* local, std::string_view chat_template,
                                   std::string_view eos);

  const FormatFamily& family() const { return family_; }

  /// The form of a reply that begins with thinking.
  struct Thinking {
    FormatFamily family;  ///< opens replies with thinking; otherwise equal
    ThinkingForm form;
    Prompt lead;  ///< prefix of a call after thinking, like lead()
  };
  /// Returns nullopt if the family has no thinking.
  const std::optional<Thinking>& thinking() const { return thinking_; }
  CallSyntax syntax() const { return syntax_; }
  /// Returns true if the family has its own form for tools and calls. Otherwise they are text.
  bool has_tools() const { return has_tools_; }

  /// Returns true if calls are JSON and raw text can follow a call.
  bool takes_bodies() const { return takes_bodies_; }

  /// The common prefix of all calls, and the grammar (GBNF) from there to the end of the arguments.
  const Prompt& lead() const { return form_.lead; }
  const CallGrammar& grammar(std::span<const CallBranch> calls);
  /// Returns the called tools with the spelling of their names at the start of the grammar's text.
  /// A name that ends with a control token may be a prefix of another name.
  std::vector<NamedTool> tools(std::span<const CallBranch> calls) const;
  /// Returns the text that ends a value in the arguments.
  std::string_view value_end() const;
  /// Returns the end of a generated call: after the arguments, or after the last raw text that
  /// follows the call. In the second case nothing remains to be written.
  ReplyEnd end_of_call(std::string_view generated) const;

  /// Returns the banned control tokens as JSON rows "[id,false],…" for `logit_bias`.
  const std::string& bans(bool constrained) const {
    return constrained ? bans_in_calls_ : bans_in_text_;
  }
  const std::string& bans_in_thinking() const { return bans_in_thinking_; }
  std::size_t banned() const { return banned_; }
  /// Returns control tokens that a reply may contain, for `preserved_tokens`. A server omits other
  /// control tokens from the text.
  const std::vector<std::string>& kept_tokens() const { return kept_tokens_; }
  const std::vector<std::string>& kept_in_thinking() const { return kept_in_thinking_; }

  /// Returns the complete reply: `lead`, `generated` and the closing text of the call.
  std::string whole_call(const Prompt& lead, std::string_view generated, StopReason stop) const;
  /// Parses the calls in a complete reply, including calls of unknown tools. `calls` gives the
  /// types of unquoted arguments. `thought`: thinking was removed from the reply.
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
