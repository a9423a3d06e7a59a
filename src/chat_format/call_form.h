#pragma once

#include <string>
#include <variant>
#include <vector>

#include "chat/call_ids.h"
#include "chat_format/prompt.h"

namespace pedro {

/// A piece between a call's name and its arguments: a token, a text, or an id that the model
/// invents.
using CallFormPart = std::variant<ControlToken, std::string, CallIdForm>;

/// The end of a reply.
enum class ReplyEnd {
  kByModel,        ///< the model ended the reply, or it was cut
  kArguments,      ///< after the arguments of a call that began with the lead of call_form()
  kPlainArguments  ///< the same with the lead of plain_call_form()
};

/// Thinking that the opening of a reply starts: its opening and closing tags. Both are "" if there
/// is none.
struct OpenThinking {
  std::string open;
  std::string close;
};

/// The text around one parameter of a call: `open` NAME `middle` VALUE `end`.
struct ParameterForm {
  std::vector<CallFormPart> open;
  std::vector<CallFormPart> middle;
  std::vector<CallFormPart> end;
  std::vector<CallFormPart> between = {};      ///< between two parameters
  std::vector<CallFormPart> before_text = {};  ///< after `middle` if VALUE is a string
  std::vector<CallFormPart> after_text = {};   ///< before `end` if VALUE is a string
  std::vector<CallFormPart> before_json = {};  ///< after `middle` if VALUE is not a string
  bool in_quotes = false;                      ///< strings are written as JSON too
};

/// The form of one call in a family: `lead` NAME `middle` ARGUMENTS `close`. A reply that must be a
/// call can be started with `lead` and stopped after the arguments. The constant parts need not be
/// generated.
struct CallForm {
  enum class Arguments {
    kJson,       ///< a JSON object
    kParameters  ///< each parameter in its own tags, its text without quotes
  };

  Prompt lead;  ///< after the opening of a reply
  /// `lead` ends with a quote. NAME is the rest of a JSON string, with its closing quote.
  bool in_quotes = false;
  std::vector<CallFormPart> middle;
  Arguments arguments = Arguments::kJson;
  ParameterForm parameter;  ///< of kParameters
  Prompt close;             ///< without the call's id, if the family writes one there
};

/// The form for models without a trained form: {"tool": NAME, "args": ARGUMENTS}, as text.
CallForm plain_call_form();

/// Appends `more` to `prompt` and joins adjacent texts.
void append(Prompt& prompt, const Prompt& more);

/// Converts `prompt` to parts of a form. Requires a prompt without content.
std::vector<CallFormPart> form_parts(const Prompt& prompt);

/// Returns the text of parts that contain no id.
std::string to_text(const std::vector<CallFormPart>& parts);

/// The form of a reply that begins with thinking: `open` THINKING `end` `behind_end` TEXT. If a
/// limit cuts the thinking, `close` replaces `end` and `behind_end`.
struct ThinkingForm {
  Prompt open;      ///< after the opening of a reply; no parts if that opens the thinking
  std::string end;  ///< "</think>": text, or the name of a control token
  Prompt behind_end;
  Prompt close;
};

}  // namespace pedro
