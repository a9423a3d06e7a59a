#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chat_format/turn_rules.h"
#include "template_learner/format_gap.h"
#include "template_learner/template_probes.h"
#include "template_learner/template_text.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Placeholder words for contents while a template is learned. They are plain letters, which no
/// template escapes or trims. No word contains another.
namespace mark {
inline const std::string kSystem = "Qsystemqua";
inline const std::string kLaterSystem = "Qlatersysq";
inline const std::string kUser = "Quserquaone";
inline const std::string kUser2 = "Quserquatwo";
inline const std::string kUser3 = "Quserquathree";
inline const std::string kAnswer = "Qanswerquaone";
inline const std::string kAnswer2 = "Qanswerquatwo";
inline const std::string kText = "Qtextquafirst";
inline const std::string kThinking = "Qthoughtqua";
inline const std::string kResult = "Qresultquaone";
inline const std::string kResult2 = "Qresultquatwo";
}  // namespace mark

/// The state of learning a template: the rules so far, and gaps for the rest. Errors are the
/// server's or a limit. A refusal of the template is not an Error.
struct Lesson {
  explicit Lesson(TemplateProbes& asked) : probes(asked) {}

  TemplateProbes& probes;
  TemplateCutter cutter = {};
  TurnRules rules = {};
  std::vector<FormatGap> gaps = {};

  /// Renders a request; "" if the template refuses it.
  Result<std::string> text(const ChatRequest& request, const TemplateMode& mode = {});
  /// The same, split at marks; empty if they do not all appear once and in order.
  Result<std::vector<std::string>> cut(const ChatRequest& request,
                                       std::span<const std::string> marks,
                                       const TemplateMode& mode = {});
  /// Returns true if `candidate` writes the template's text, or if both refuse the request.
  Result<bool> agrees(const TurnRules& candidate, const ChatRequest& request);
  Result<bool> agrees_on_all(const TurnRules& candidate, std::span<const ChatRequest> requests);

  void note(FormatGap::Kind kind, std::string what) { gaps.push_back({kind, std::move(what)}); }
};

/// Returns true if a template's text can be part of a piece. It must not contain the start of a
/// variable in pieces.
bool can_be_piece(std::string_view text);

/// The parts of calls that were learned.
struct LearnedCalls {
  bool calls = false;  ///< one call, its result and the answer after it
  bool several = false;
  bool text = false;
  bool thinking = false;
};

/// Learns the form of calls, results, text before calls and thinking. Builds on learn_turns() and
/// learn_tools(). Rules omit the parts that differ from the template; gaps report them.
Result<LearnedCalls> learn_calls(Lesson& lesson, Tokenizer& tokenizer);

/// Learns the form of tools: their position, their spelling and the text around them. Builds on
/// learn_turns(). Returns true if the rules then write tools like the template. Otherwise the rules
/// stay unchanged and a gap gives the reason.
Result<bool> learn_tools(Lesson& lesson, Tokenizer& tokenizer);

/// Returns true if the rules still write tools like the template after later steps; otherwise adds
/// a gap. Sends no requests that learn_tools() did not send.
Result<bool> check_tools(Lesson& lesson);

/// Learns the form of conversations without tools: all required pieces, `begin` if the template
/// writes it, and trimming. Puts the names of tokens into `lesson.cutter`. Returns true if the
/// rules then write such conversations like the template. Error (kModel): a question and an answer
/// do not appear in order, each once.
Result<bool> learn_turns(Lesson& lesson, Tokenizer& tokenizer);

/// Returns true if the rules still write conversations without tools like the template after later
/// steps. Adds a gap for each difference. Sends no requests that learn_turns() did not send.
Result<bool> check_turns(Lesson& lesson);

/// Learns the form of thinking and the turns that keep it. Builds on learn_calls(). Returns true if
/// the rules write or omit thinking like the template.
Result<bool> learn_thinking(Lesson& lesson);

}  // namespace pedro
