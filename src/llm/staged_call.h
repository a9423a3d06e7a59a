#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "chat_format/call_form.h"
#include "chat_format/prompt_encoder.h"
#include "gbnf/grammar_place.h"
#include "llm/slot_completion.h"
#include "llm/token_bias.h"
#include "llm/tool_bias.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// One request of a staged call.
struct StageRequest {
  std::span<const TokenId> begun;  ///< the reply so far
  std::string_view text = {};      ///< of the reply so far
  std::string_view grammar;        ///< GBNF of the rest of this stage
  bool is_name = false;            ///< the stage chooses a tool; `biases` replace all others
  std::span<const TokenBias> biases = {};
  std::string_view stop = {};  ///< a text that ends the stage; "": none
  long long max_tokens = 0;    ///< at least 1
};

using AskStage = std::function<Result<Completion>(const StageRequest& request)>;

/// A generated call.
struct WrittenReply {
  enum class End {
    kWhole,      ///< the grammar is complete
    kCut,        ///< cut at a limit
    kLoop,       ///< cut because it repeated itself
    kDisobeyed,  ///< violates the grammar; only `text` is valid
  };
  End end = End::kCut;
  /// The reply's ids without a token that ends it. A server has evaluated the first `evaluated`:
  /// all except the last generated one and the forced text after it.
  std::vector<TokenId> ids;
  std::size_t evaluated = 0;
  std::string text;
  /// Sum of all requests. Counts only evaluated tokens of later prompts.
  Usage usage;
  double first_prompt_ms = 0;  ///< time of the prompt before the reply
  long long missed_cache = 0;  ///< tokens of later requests that were missing in the cache
  int requests = 0;
};

/// The settings of a call.
struct CallManner {
  bool staged = true;                   ///< false: in one request if possible
  std::string_view value_end = {};      ///< end of a value ("\""), which ends a stage
  long long max_tokens = 4096;          ///< limit of one request
  long long room = 4096;                ///< limit of the whole reply
  std::span<const ToolBias> bias = {};  ///< applies to the choice of the tool
  std::string_view whole_grammar = {};  ///< text of the complete grammar
};

/// Writes a call under a grammar in stages. Forced text is written without the model. A choice
/// between a few texts (a tool, an action, the next parameter) is sampled one token at a time. A
/// value is sampled up to its end. So biases of tools apply only to the choice of a tool. Forced
/// tokens cost the server one prompt token each, instead of a decoding step with a pass over its
/// vocabulary.
///
/// Continues after a request that ends at its limit inside the call. The fourth such request in a
/// row cuts the call.
///
/// **Seams.** Forced text is tokenized together with the reply so far if that changes at most its
/// last three tokens. Otherwise, as a model may generate a non-canonical tokenization, it is
/// tokenized with the last token only. The last token is not in the server's cache yet, so
/// replacing it costs nothing. Generated text after forced text begins with a new token until more
/// is forced again. This holds even if the vocabulary has a token across the seam (` "` and `./`).
class StagedCall {
 public:
  /// `tools`: names in their spelling at the start of the text. Borrows all reference arguments.
  StagedCall(GrammarPlace place, std::span<const NamedTool> tools, const CallManner& manner,
             PromptEncoder& encoder, Tokenizer& tokenizer, const AskStage& ask)
      : place_(std::move(place)),
        tools_(tools),
        manner_(manner),
        encoder_(encoder),
        tokenizer_(tokenizer),
        ask_(ask) {}

  /// Must be called once. Errors: those of `ask` and of the tokenizer; kLimit if GrammarPlace gives
  /// up.
  Result<WrittenReply> write();

 private:
  enum class Kind { kName, kChoice, kValue };
  struct Stage {
    Kind kind = Kind::kValue;
    std::string grammar;
    std::vector<TokenBias> biases;
    std::string_view stop;
    long long max_tokens = 0;
  };

  Status write_forced();
  Status append_forced(const std::string& text);
  Result<Stage> next_stage();
  Status ask(const Stage& stage);
  Status take(const Stage& stage, const Completion& answer);
  Result<std::string> whole_characters(std::vector<TokenId>& tokens);
  Result<std::vector<TokenId>> encode(std::string text);
  Status end(WrittenReply::End how);
  bool is_stage_end() const;
  void count(const StageRequest& request, const Usage& usage);

  GrammarPlace place_;
  std::span<const NamedTool> tools_;
  const CallManner& manner_;
  PromptEncoder& encoder_;
  Tokenizer& tokenizer_;
  const AskStage& ask_;
  WrittenReply reply_;
  bool done_ = false;
  bool stops_help_ = true;
  int limits_in_a_row_ = 0;
  // Start of the text after the last control token, in ids and in text.
  std::size_t run_ids_ = 0;
  std::size_t run_text_ = 0;
};

/// The thinking at the start of a reply.
struct Thought {
  std::string text;           ///< without its delimiters; valid UTF-8
  std::vector<TokenId> ids;   ///< after ThinkingForm::open, including the closing text and the lead
  std::size_t evaluated = 0;  ///< number of `ids` that the server has evaluated
  bool is_cut = false;        ///< cut at the limit, or the model ended the reply
  Usage usage;
};

/// Requests a continuation of the prompt up to the text `stop`.
using AskThinking = std::function<Result<Completion>(std::string_view stop)>;

/// Generates thinking after ThinkingForm::open, in one request. Closes it if the model did not, and
/// appends `lead`. Keeps tokens that contain the end together with following text.
Result<Thought> think(const ThinkingForm& form, const Prompt& lead, PromptEncoder& encoder,
                      const AskThinking& ask);

}  // namespace pedro
