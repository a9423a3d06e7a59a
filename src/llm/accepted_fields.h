#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "llm/server_refusal.h"

namespace pedro {

/// The optional parts of a request's body, beside the conversation.
enum class BodyField {
  kUsageOption,
  kTemperature,
  kPenalty,
  kSeed,
  kThinking,
  kCacheMarks,
  kBlocks,  ///< texts as lists of blocks; else as strings
  kStream,
  kCount
};

/// The optional parts of a body that a server accepts, and its limit of a reply's tokens. Learned
/// from its refusals, which name a part as their parameter or in words. A value.
class AcceptedFields {
 public:
  /// `known`: the parts that the API has.
  explicit AcceptedFields(std::initializer_list<BodyField> known);

  bool sends(BodyField field) const { return sends_[static_cast<std::size_t>(field)]; }
  /// Returns the limit of the next reply: at most `wanted`.
  long long limit_tokens(long long wanted);
  /// Returns true if the limit's name is "max_completion_tokens".
  bool names_completion_tokens() const { return names_completion_tokens_; }
  /// Omits or changes a refused part. Returns false if the refusal names none that is sent. Becomes
  /// false after finitely many calls.
  bool learn(const ServerRefusal& refusal);

 private:
  long long named_limit(const ServerRefusal& refusal) const;
  bool learn_limit(const ServerRefusal& refusal);

  std::array<bool, static_cast<std::size_t>(BodyField::kCount)> sends_ = {};
  bool names_completion_tokens_ = false;
  long long most_tokens_ = 0;  // of a reply, as the server says; 0: no limit known
  long long sent_tokens_ = 0;  // limit in the last request
};

}  // namespace pedro
