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

/// A request's biases of texts as rows of tokens, looked up once for the same texts.
class BiasRows {
 public:
  using Notice = std::function<void(std::string_view)>;

  /// Where the tokenizer fails there are no rows, which `notice` tells: the job goes on without. It
  /// tells as well what makes a model repeat a text (kMaxUnforcedBias); `trace` what was found.
  void find(std::span<const BiasedText> texts, Tokenizer& tokenizer, const Trace& trace,
            const Notice& notice);
  /// JSON rows "[id,bias],…" for `logit_bias`; "" where there are none.
  const std::string& json() const { return json_; }
  /// There are none until other texts are asked for: the server cannot do with them.
  void drop() { json_.clear(); }

 private:
  std::vector<BiasedText> texts_;
  std::string json_;
};

}  // namespace pedro
