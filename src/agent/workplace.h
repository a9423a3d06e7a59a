#pragma once

#include <optional>
#include <string>

#include "agent/executor.h"
#include "agent/phase.h"
#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// An item of a phase with `for_each`. Other phases run once with a null value.
struct PhaseItem {
  Json value;
  int number = 1;
  int total = 1;
};

/// The next step after a phase.
enum class NextStep { kGoOn, kStop };

/// The environment of an agent's phases: provides the values for prompts and checks the evidence.
/// Each kind of result (a commit, a report, a post) has an implementation. Errors stop the job. One
/// thread.
class Workplace {
 public:
  virtual ~Workplace() = default;

  /// Called before the first phase, for places that need the parts of the job. Borrows both.
  virtual void use(Executor& executor, const ExecutorParts& parts);

  /// Replaces the text of the task by a later message of the user.
  virtual void take_up(const std::string& message);

  /// Returns the value of a variable of the agent's terms. Called only if a prompt uses it.
  virtual Result<std::string> value(const std::string& variable, const PhaseItem& item) = 0;
  /// Returns the elements of a list of the agent's terms. The text of each in a prompt should fit
  /// in `room_bytes`.
  virtual Result<Json> list(const std::string& name, std::size_t room_bytes);
  /// Returns the text that a phase shows of a list item in addition to its value. If it has
  /// changed, earlier outputs for the item are invalid.
  virtual std::string shown_of(const Phase& phase, const PhaseItem& item);
  /// Returns true if there is nothing to do in a phase or for its item.
  virtual Result<bool> may_skip(const Phase& phase, const PhaseItem& item);
  /// Returns the output of a phase if it is known without the model.
  virtual Result<std::optional<Json>> known_output(const Phase& phase);
  /// Called before the first round of a phase or its item, after its prompt is rendered.
  virtual Status begin(const Phase& phase, const PhaseItem& item);
  /// Returns the reason to refuse an output, for the model; nullopt to accept it.
  virtual Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                                     const Json& output) = 0;
  /// Runs a phase of answers. `render` renders its prompts from additional variables.
  virtual Result<PhaseOutcome> solve(const Phase& phase, const RenderTry& render);
  /// Returns true if the job can continue after a phase that reached its limit of rounds.
  virtual Result<bool> may_continue_after(const Phase& phase);
  /// Receives the output of a phase or its item, null if it ended at a limit. Returns the next
  /// step.
  virtual Result<NextStep> finished(const Phase& phase, const PhaseItem& item, const Json& output);
};

inline void Workplace::use(Executor&, const ExecutorParts&) {}
inline void Workplace::take_up(const std::string&) {}
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
