#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/format_gap.h"
#include "format/template_probes.h"
#include "format/template_text.h"
#include "format/turn_rules.h"

namespace pedro {

/// Words that stand for contents while a template is learned: plain letters, which no template
/// escapes or trims, and none within another.
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

/// What is being learned of a template: the rules so far, and what does not go into them. Errors of
/// its functions are the server's, or a limit; a template that refuses is no Error.
struct Lesson {
  explicit Lesson(TemplateProbes& asked) : probes(asked) {}

  TemplateProbes& probes;
  TemplateCutter cutter = {};
  TurnRules rules = {};
  std::vector<FormatGap> gaps = {};

  /// The text of a request; "" where the template refuses it.
  Result<std::string> text(const ChatRequest& request, const TemplateMode& mode = {});
  /// The same, cut at marks; nothing where they do not all come, each once and in order.
  Result<std::vector<std::string>> cut(const ChatRequest& request,
                                       std::span<const std::string> marks,
                                       const TemplateMode& mode = {});
  /// Whether `candidate` writes what the template writes. A request that both refuse is the same.
  Result<bool> agrees(const TurnRules& candidate, const ChatRequest& request);
  Result<bool> agrees_on_all(const TurnRules& candidate, std::span<const ChatRequest> requests);

  void note(FormatGap::Kind kind, std::string what) { gaps.push_back({kind, std::move(what)}); }
};

/// Whether a template's text can be a part of a piece: what stands for a value in pieces may not be
/// in it.
bool can_be_piece(std::string_view text);

}  // namespace pedro
