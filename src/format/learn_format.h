#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/call_syntax.h"
#include "format/format_family.h"
#include "format/format_gap.h"
#include "format/template_probes.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// A format that was learned from a server's own chat template.
struct LearnedFormat {
  FormatFamily family;  ///< of TurnRules, "learned"; what could not be learned is not in it

  /// What it writes as the template does.
  bool turns = false;    ///< system, user and assistant
  bool tools = false;    ///< that there are tools
  bool calls = false;    ///< calls and their results
  bool several = false;  ///< more than one call in a turn, with as many results
  bool text = false;     ///< text in front of calls
  bool thinking = false;

  /// How a model that goes on like this writes calls: parse_calls() reads what the format writes.
  std::optional<CallSyntax> syntax;
  /// What a reply is opened with where the model is not to think; that of the rules where a
  /// template makes no difference.
  std::string reply_without_thinking;

  std::vector<FormatGap> gaps;
};

/// Learns how a server's chat template writes conversations: has it write some whose contents are
/// words that stand nowhere else, cuts the texts at these, and has it write others, which the rules
/// that came out are held against. What they write alike is learned; the rest is in `gaps`, and is
/// left out. `tokenizer` tells which texts are tokens.
///
/// An Error (kModel) where not even a question and an answer come out in order, each once, or where
/// the server fails.
Result<LearnedFormat> learn_format(TemplateProbes& probes, Tokenizer& tokenizer);

}  // namespace pedro
