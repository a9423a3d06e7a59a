#include "llm/context_window.h"

#include <utility>

namespace pedro {

ContextWindow choose_window(ContextWindow served, long long configured, const KnownModel* row) {
  if (configured > 0 && (served.tokens <= 0 || configured < served.tokens)) {
    return {configured, "model.context_size"};
  }
  if (served.tokens > 0) return served;
  if (row == nullptr || row->window <= 0) return {};
  return {row->window, source_of(*row)};
}

}  // namespace pedro
