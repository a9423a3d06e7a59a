#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/call_syntax.h"
#include "format/format_family.h"
#include "format/format_gap.h"
#include "format/served_template.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The format for a server's model.
struct ChosenFormat {
  /// How much of it the server's own chat template writes alike.
  enum class Likeness {
    kAll,    ///< turns, tools, calls and results
    kTurns,  ///< turns without tools
    kNone    ///< not even those: it was asked for by name
  };

  /// The family as this server has it: `begin` and `reply` of TurnRules are the server's. A learned
  /// one ("learned") has tools, calls and results, all of them, or none.
  FormatFamily family;
  bool is_learned = false;
  Likeness likeness = Likeness::kAll;
  /// How its models write calls; nothing where it has none.
  std::optional<CallSyntax> syntax;
  /// What a reply is opened with where the model is not to think; `reply` where the template makes
  /// no difference.
  std::string reply_without_thinking;
  std::vector<FormatGap> gaps;  ///< what the server's template writes otherwise
  int requests = 0;             ///< that this took, beside the tokenizer's
};

/// "all", "turns", "none"
constexpr std::string_view to_string(ChosenFormat::Likeness likeness) {
  constexpr std::string_view kNames[] = {"all", "turns", "none"};
  return kNames[static_cast<int>(likeness)];
}

/// Whether choose_format can be asked for `name`: a family, "learned", and "auto", which like "" is
/// what the template says. Error (kUsage) as find_format has it.
Status check_format_name(std::string_view name);

/// Which family's words a server's model knows: that one which writes conversations, with tools and
/// without, as the server's own chat template does; where none does, what the template teaches
/// (learn_format). A known family takes at most 10 requests. With a `name` it is that family,
/// whatever the template writes; "learned" learns. Errors: kUsage, there is no such family; kModel,
/// the template cannot be used, or the server fails.
Result<ChosenFormat> choose_format(ServedTemplate& served, Tokenizer& tokenizer,
                                   std::string_view name = {});

}  // namespace pedro
