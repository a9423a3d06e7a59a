#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "call_parser/call_syntax.h"
#include "chat_format/format_family.h"
#include "template_learner/format_gap.h"
#include "template_learner/served_template.h"
#include "template_learner/template_probes.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The format for a server's model.
struct ChosenFormat {
  /// The parts of the format that match the server's chat template.
  enum class Likeness {
    kAll,    ///< turns, tools, calls and results
    kTurns,  ///< turns without tools
    kNone    ///< not even turns
  };

  /// The family as adapted to this server, with the server's `begin` and `reply` in TurnRules. A
  /// learned family ("learned") has either all of tools, calls and results, or none.
  FormatFamily family;
  bool is_learned = false;
  Likeness likeness = Likeness::kAll;
  /// The syntax of calls; nothing if there is none.
  std::optional<CallSyntax> syntax;
  /// The opening of a reply without thinking; same as `reply` if the template does not distinguish.
  std::string reply_without_thinking;
  std::vector<FormatGap> gaps;  ///< differences from the server's template
  int requests = 0;             ///< requests for this choice, without the tokenizer's
};

/// "all", "turns", "none"
constexpr std::string_view to_string(ChosenFormat::Likeness likeness) {
  constexpr std::string_view kNames[] = {"all", "turns", "none"};
  return kNames[static_cast<int>(likeness)];
}

/// Checks that choose_format() accepts `name`: a family, "learned" or "auto". "auto" and "" choose
/// by the template. Errors: as find_format().
Status check_format_name(std::string_view name);

/// Chooses the family that writes conversations, with and without tools, like the server's chat
/// template. If none does, learns the format from the template (learn_format) or uses the closest
/// family. A known family takes at most 10 requests. With a `name`, uses that family for any
/// template; "learned" always learns. Errors: kUsage, there is no such family; kModel, the template
/// is unusable or the server fails.
///
///     PEDRO_TRY(const ChosenFormat chosen, choose_format(served, tokenizer));
///     PEDRO_TRY(const Prompt prompt, render_conversation(chosen.family, chat));
Result<ChosenFormat> choose_format(ServedTemplate& served, Tokenizer& tokenizer,
                                   std::string_view name = {});

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
