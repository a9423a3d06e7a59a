#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chat_format/turn_rules.h"
#include "template_learner/format_gap.h"
#include "template_learner/template_probes.h"
#include "template_learner/template_text.h"

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

}  // namespace pedro
