#include "agent/run_observer.h"

namespace pedro {

std::string_view to_string(PhaseEnd end) {
  switch (end) {
    case PhaseEnd::kCompleted:
      return "completed";
    case PhaseEnd::kSkipped:
      return "skipped";
    case PhaseEnd::kStuck:
      return "stuck";
    case PhaseEnd::kRounds:
    case PhaseEnd::kTime:
      return "at the limit";
    case PhaseEnd::kBlocked:
      return "blocked";
  }
  return "";
}

}  // namespace pedro
