#pragma once

#include <string>

#include "agent/phase.h"
#include "command.h"

namespace pedro {

/// A user's JSON Schema of the answer of `pedrocli ask`.
class AnswerSchema {
 public:
  /// Reads the file (- is standard input). Errors: kUsage, kConfig or kLimit, with the place.
  static Result<AnswerSchema> read(const CommandContext& context, const std::string& path);

  /// Makes the schema that of the phase's output.
  void use_for(Phase& phase) const;
  /// Returns the value for the user from an output of that phase.
  const Json& value_of(const Json& output) const;
  const std::string& text() const { return text_; }

 private:
  bool wraps_ = false;  // outputs are objects: any other value is their member "answer"
  std::string text_;
  Json json_;
  Schema schema_;
};

}  // namespace pedro
