#pragma once

#include <optional>
#include <string>

#include "agent/executor.h"
#include "agent/phase.h"
#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// One of the things that a phase is done for (`for_each`); a phase without that is done once, for
/// null.
struct PhaseItem {
  Json value;
  int number = 1;
  int total = 1;
};

/// What a phase is told to do when its output was accepted.
enum class NextStep { kGoOn, kStop };

/// What an agent's phases are about: it knows what their prompts ask for, and what shows that one
/// is done. There is one for each way in which an agent's work ends: a commit, a report, a post.
/// Errors stop the job.
class Workplace {
 public:
  virtual ~Workplace() = default;

  /// What a variable of the agent's terms stands for. Asked only where a prompt has it.
  virtual Result<std::string> value(const std::string& variable, const PhaseItem& item) = 0;
  /// The elements of a list of the agent's terms; what a prompt says of one should not have more
  /// than `room_bytes`.
  virtual Result<Json> list(const std::string& name, std::size_t room_bytes);
  /// What a phase is shown of an item of a list beside its value: where that is another, what was
  /// handed on for the item is about something else.
  virtual std::string shown_of(const Phase& phase, const PhaseItem& item);
  /// True where there is nothing to do in a phase, or for an item of it.
  virtual Result<bool> may_skip(const Phase& phase, const PhaseItem& item);
  /// Returns the output of a phase if it is known without the model.
  virtual Result<std::optional<Json>> known_output(const Phase& phase);
  /// Called before the first round of a phase, or of an item of it; its prompt is rendered.
  virtual Status begin(const Phase& phase, const PhaseItem& item);
  /// Why an output is not accepted, for the model; nullopt where it is.
  virtual Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                                     const Json& output) = 0;
  /// Runs a phase of answers. `render` makes its prompts from additional variables.
  virtual Result<PhaseOutcome> solve(const Phase& phase, const RenderTry& render);
  /// Returns true if the job can continue after a phase that reached its limit of rounds.
  virtual Result<bool> may_continue_after(const Phase& phase);
  /// Hears what a phase, or an item of it, handed on; null where it ended at a limit.
  virtual Result<NextStep> finished(const Phase& phase, const PhaseItem& item, const Json& output);
};

inline Result<Json> Workplace::list(const std::string&, std::size_t) {
  return Json::array();
}
inline std::string Workplace::shown_of(const Phase&, const PhaseItem&) {
  return "";
}
inline Result<bool> Workplace::may_skip(const Phase&, const PhaseItem&) {
  return false;
}
inline Result<std::optional<Json>> Workplace::known_output(const Phase&) {
  return std::optional<Json>();
}
inline Status Workplace::begin(const Phase&, const PhaseItem&) {
  return {};
}
inline Result<PhaseOutcome> Workplace::solve(const Phase&, const RenderTry&) {
  return PhaseOutcome{PhaseEnd::kSkipped, Json(), 0};
}
inline Result<bool> Workplace::may_continue_after(const Phase&) {
  return false;
}
inline Result<NextStep> Workplace::finished(const Phase&, const PhaseItem&, const Json&) {
  return NextStep::kGoOn;
}

}  // namespace pedro
