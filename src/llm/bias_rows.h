#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/trace.h"
#include "chat/biased_text.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The biases of a request as rows of tokens. Looks up equal texts only once.
class BiasRows {
 public:
  using Notice = std::function<void(std::string_view)>;

  /// Looks up `texts`. If the tokenizer fails, there are no rows, and the job continues without
  /// biases. `notice` receives this failure, and a warning for each bias above kMaxUnforcedBias.
  /// `trace` receives the tokens of each text.
  void find(std::span<const BiasedText> texts, Tokenizer& tokenizer, const Trace& trace,
            const Notice& notice);
  /// Returns JSON rows "[id,bias],…" for `logit_bias`; "" if there are none.
  const std::string& json() const { return json_; }
  /// Removes the rows until find() gets other texts. Used for a server that cannot sample with
  /// them.
  void drop() { json_.clear(); }

 private:
  std::vector<BiasedText> texts_;
  std::string json_;
};

}  // namespace pedro
