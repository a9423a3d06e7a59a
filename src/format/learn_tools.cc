#include "format/learn_tools.h"
namespace pedro {
Result<bool> learn_tools(Lesson& lesson, Tokenizer& tokenizer) {
  (void)lesson;
  (void)tokenizer;
  return false;
}
}  // namespace pedro
