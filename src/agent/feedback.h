#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "prompts/prompt_library.h"

namespace pedro {

/// What the executor tells the model between its calls: the files of `prompts/feedback/`. All are
/// read and checked at once, so that a misspelt variable is an error at start-up. Immutable.
class Feedback {
 public:
  static Result<Feedback> load(const PromptLibrary& library);

  /// The text `name` with its variables, without the file's final newline. Both were checked.
  std::string text(const std::string& name,
                   const std::map<std::string, std::string>& values = {}) const;

 private:
  std::map<std::string, PromptTemplate> templates_;
};

}  // namespace pedro
