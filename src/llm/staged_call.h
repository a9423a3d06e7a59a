#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "format/prompt_encoder.h"
#include "grammar/grammar_place.h"
#include "llm/slot_completion.h"
#include "llm/token_bias.h"
#include "llm/tool_bias.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// One request of a call that is written in stages.
struct StageRequest {
  std::span<const TokenId> begun;  ///< what the reply has so far
  std::string_view grammar;        ///< GBNF of what follows
  bool is_name = false;            ///< a tool is chosen: `biases` are for this, and no others
  std::span<const TokenBias> biases = {};
  std::string_view stop = {};  ///< a text to stop behind; "": none
  long long max_tokens = 0;    ///< at least 1
};

using AskStage = std::function<Result<Completion>(const StageRequest& request)>;

/// A call, as it came to be.
struct WrittenReply {
  enum class End {
    kWhole,      ///< the grammar allows nothing more
    kCut,        ///< at the limit
    kLoop,       ///< where it repeated itself
    kDisobeyed,  ///< it is not what the grammar allows; only `text` counts
  };
  End end = End::kCut;
  /// The reply without a token that ends it, and how many of `ids` a server has evaluated: all but
  /// the last one it generated, and what stands behind that.
  std::vector<TokenId> ids;
  std::size_t evaluated = 0;
  std::string text;
  /// Of all requests. Of the prompts of later ones only what was evaluated counts.
  Usage usage;
  double first_prompt_ms = 0;  ///< what stands before the reply
  long long missed_cache = 0;  ///< tokens that later requests should have had in the cache
  int requests = 0;
};

/// How a call is written.
struct CallManner {
  bool staged = true;  ///< else in one request, as far as there is no reason against it
  std::string_view value_end = {};      ///< what a value ends with ("\""), where stages end
  long long max_tokens = 4096;          ///< of one request
  long long room = 4096;                ///< of the whole reply
  std::span<const ToolBias> bias = {};  ///< of the choice of the tool
  std::string_view whole_grammar = {};  ///< the text of the grammar at its beginning
};

/// Writes a call under a grammar, stage by stage: what the grammar leaves no choice about is
/// written by us; where it leaves a choice between a few texts (a tool, an action, the next
/// parameter), one token is asked for at a time; a value is asked for up to its end. So a bias of
/// tools has effect where a tool is chosen and nowhere else, and what is forced costs the server a
/// prompt token instead of a step with a pass over its vocabulary.
///
/// A request that ends at its limit inside the call is gone on with, up to four in a row.
///
/// **Seams.** What we write is tokenized together with the reply so far, where that changes no more
/// than its last three tokens; else, for a model may write tokens that a text would not be made
/// into, with the last token alone. The last one is not in the server's cache yet, so another one
/// in its place costs nothing. What is generated behind our text begins with a token of its own,
/// also where the vocabulary has one that would reach across (` "` and `./`), until we write again.
class StagedCall {
 public:
  /// `tools`: the names as they stand at the beginning of the text. Borrows all.
  StagedCall(GrammarPlace place, std::span<const NamedTool> tools, const CallManner& manner,
             PromptEncoder& encoder, Tokenizer& tokenizer, const AskStage& ask)
      : place_(std::move(place)),
        tools_(tools),
        manner_(manner),
        encoder_(encoder),
        tokenizer_(tokenizer),
        ask_(ask) {}

  /// Once. Errors are those of `ask` and of the tokenizer; kLimit where GrammarPlace gives up.
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
  // Behind the last control token: where it begins in ids and text.
  std::size_t run_ids_ = 0;
  std::size_t run_text_ = 0;
};

}  // namespace pedro
