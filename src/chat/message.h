#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// A call of one tool action, as the model requested it.
struct ToolCall {
  std::string id;    ///< "call00007": unique within a job, assigned by pedrocli
  std::string tool;  ///< the name in the manifest: "search"
  Json args = Json::object();
  bool by_harness = false;  ///< created from an answer, not called by the model
};

/// The result of a tool. `ok == false` means a mistake of the model or a failed command. The text
/// then suggests a next step, and the loop continues.
struct ToolResult {
  bool ok = true;
  std::string text;  ///< for the model; bounded, valid UTF-8
  /// Paths below the work tree that the call changed, for the journal and the evidence.
  std::vector<std::string> changed;
  std::string ended = {};    ///< exit of a command, "[exit 1]"; "" if none ran
  std::string kept_as = {};  ///< id of the stored complete text; "" if `text` is complete
  bool may_repeat = false;   ///< it failed, but the same call may succeed later
  bool pinned = false;       ///< stays in the conversation
  std::vector<std::string> repaired = {};  ///< deviations of the call that were corrected
  std::vector<std::string> found = {};     ///< tools that the model may call from now on
};

enum class Role { kSystem, kUser, kAssistant, kTool };

/// The name in all message formats: "system", "user", "assistant", "tool".
constexpr std::string_view to_string(Role role) {
  constexpr std::string_view kNames[] = {"system", "user", "assistant", "tool"};
  return kNames[static_cast<int>(role)];
}

/// The cost of one inference, as the server reported it. Times are in milliseconds.
struct Usage {
  long long prompt_tokens = 0;  ///< the whole prompt
  long long cached_tokens = 0;  ///< of these, read from the prefix cache
  long long generated_tokens = 0;
  double prompt_ms = 0;
  double generate_ms = 0;
  long long cache_written_tokens = 0;  ///< of the prompt, written to a cache that charges for it
  long long estimated_tokens = 0;      ///< of the prompt, estimated: the server reported no usage

  Usage& operator+=(const Usage& more) {
    prompt_tokens += more.prompt_tokens;
    cached_tokens += more.cached_tokens;
    generated_tokens += more.generated_tokens;
    prompt_ms += more.prompt_ms;
    generate_ms += more.generate_ms;
    cache_written_tokens += more.cache_written_tokens;
    estimated_tokens += more.estimated_tokens;
    return *this;
  }
};

/// The first token that a server evaluated again because it had less of a prompt in its cache than
/// expected.
struct CacheMiss {
  long long position = 0;  ///< in the prompt, 0-based
  long long token = 0;     ///< token id
  std::string text;        ///< "" if unknown; may be part of a UTF-8 sequence
};

}  // namespace pedro
