#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "prompts/prompt_library.h"

namespace pedro {

/// The texts that the executor sends to the model: the files of `prompts/feedback/`. load() reads
/// and checks all of them, so that an unknown variable is an error at start-up. Immutable.
class Feedback {
 public:
  static Result<Feedback> load(const PromptLibrary& library);

  /// Returns the text `name` with its variables, without the final newline. The name must exist,
  /// and all its variables must have values.
  std::string text(const std::string& name,
                   const std::map<std::string, std::string>& values = {}) const;

 private:
  std::map<std::string, PromptTemplate> templates_;
};

}  // namespace pedro
