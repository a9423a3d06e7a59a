#pragma once

#include <functional>
#include <string>

#include "base/json.h"

namespace pedro {

/// The topics of `-debug=…`.
enum class TraceTopic { kTokens, kGrammar, kHttp, kPrompt };

/// The destination of traces. A disabled topic costs one test; build its text only if wants()
/// returns true. Copyable. `sink` and `record` run on the tracing thread.
struct Trace {
  bool tokens = false;
  bool grammar = false;
  bool http = false;
  bool prompt = false;
  std::function<void(TraceTopic, const std::string& text)> sink;
  /// Receives the events as JSON for a file; may be empty.
  std::function<void(TraceTopic, const Json& event)> record;

  /// Requires wants(topic).
  void tell(TraceTopic topic, const std::string& text, const Json& event) const {
    sink(topic, text);
    if (record) record(topic, event);
  }

  bool wants(TraceTopic topic) const {
    if (!sink) return false;
    switch (topic) {
      case TraceTopic::kTokens:
        return tokens;
      case TraceTopic::kGrammar:
        return grammar;
      case TraceTopic::kHttp:
        return http;
      case TraceTopic::kPrompt:
        return prompt;
    }
    return false;
  }
};

}  // namespace pedro
