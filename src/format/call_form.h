#pragma once

#include <string>
#include <variant>
#include <vector>

#include "format/call_ids.h"
#include "format/prompt.h"

namespace pedro {

/// A piece of what stands between a call's name and its arguments: a token, a text, or an id that
/// the model makes up.
using CallFormPart = std::variant<ControlToken, std::string, CallIdForm>;

/// How a reply came to its end.
enum class ReplyEnd {
  kByModel,        ///< as the model would have it, or cut
  kArguments,      ///< behind the arguments of a call that was begun with the lead of call_form()
  kPlainArguments  ///< the same with that of plain_call_form()
};

/// Thinking that the opening of a reply opens: what it opens it with, and what closes it. Both are
/// "" where it does not.
struct OpenThinking {
  std::string open;
  std::string close;
};

/// What stands around one parameter of a call: `open` NAME `middle` VALUE `end`.
struct ParameterForm {
  std::vector<CallFormPart> open;
  std::vector<CallFormPart> middle;
  std::vector<CallFormPart> end;
};

/// How a family writes one call: `lead` NAME `middle` ARGUMENTS `close`. A reply that has to be a
/// call can be begun with `lead`, and ended behind the arguments: what is always the same need not
/// be generated.
struct CallForm {
  enum class Arguments {
    kJson,       ///< a JSON object
    kParameters  ///< each parameter in tags of its own, its text without quotes
  };

  Prompt lead;  ///< behind the opening of a reply
  /// NAME is what a JSON string has behind the quote that `lead` ends with, closing quote included.
  bool in_quotes = false;
  std::vector<CallFormPart> middle;
  Arguments arguments = Arguments::kJson;
  ParameterForm parameter;  ///< of kParameters
  Prompt close;             ///< without an id of the call, where the family writes one there
};

/// The form of any model that was trained to none: {"tool": NAME, "args": ARGUMENTS}, as text.
CallForm plain_call_form();

/// Puts `more` behind `prompt`; texts that meet become one.
void append(Prompt& prompt, const Prompt& more);

/// `prompt` as parts of a form. It has no content.
std::vector<CallFormPart> form_parts(const Prompt& prompt);

/// The text of parts that have no id in them.
std::string to_text(const std::vector<CallFormPart>& parts);

}  // namespace pedro
