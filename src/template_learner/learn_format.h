#pragma once

#include <optional>
#include <string>
#include <vector>

#include "call_parser/call_syntax.h"
#include "chat_format/format_family.h"
#include "template_learner/format_gap.h"
#include "template_learner/template_probes.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// A format that was learned from a server's own chat template.
struct LearnedFormat {
  FormatFamily family;  ///< of TurnRules, "learned"; omits parts that could not be learned

  /// The parts that match the template.
  bool turns = false;    ///< system, user and assistant
  bool tools = false;    ///< declarations of tools
  bool calls = false;    ///< calls and their results
  bool several = false;  ///< more than one call in a turn, with as many results
  bool text = false;     ///< text before calls
  bool thinking = false;

  /// The syntax of calls in replies: parse_calls() reads the calls that the format writes.
  std::optional<CallSyntax> syntax;
  /// The opening of a reply without thinking; that of the rules if the template does not
  /// distinguish.
  std::string reply_without_thinking;

  std::vector<FormatGap> gaps;
};

/// Learns how a server's chat template writes conversations. Renders conversations of unique words
/// and splits the texts at these words. Renders other conversations to check the resulting rules.
/// Parts that match are learned; the others are in `gaps` and omitted. `tokenizer` determines which
/// texts are tokens.
///
/// Error (kModel): a question and an answer do not appear in order, each once, or the server fails.
Result<LearnedFormat> learn_format(TemplateProbes& probes, Tokenizer& tokenizer);

}  // namespace pedro
