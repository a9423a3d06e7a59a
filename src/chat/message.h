#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// A call of one tool action, as the model asked for it.
struct ToolCall {
  std::string id;    ///< "call00007": unique within a job, given by us
  std::string tool;  ///< the manifest's name: "search"
  Json args = Json::object();
  bool by_harness = false;  ///< made from an answer, not called by the model
};

/// What a tool gave back. `ok == false` is the model's mistake or a failed command: the text says
/// what to try next, and the loop goes on.
struct ToolResult {
  bool ok = true;
  std::string text;  ///< for the model; bounded, valid UTF-8
  /// Paths below the work tree that the call changed, for the journal and the evidence.
  std::vector<std::string> changed;
  std::string ended = {};    ///< how a command ended, "[exit 1]"; "" where none was run
  std::string kept_as = {};  ///< the id under which all of it was set aside; "" where it is whole
  bool may_repeat = false;   ///< it failed, but the same call is worth another try
};

enum class Role { kSystem, kUser, kAssistant, kTool };

/// As every message format names it: "system", "user", "assistant", "tool".
constexpr std::string_view to_string(Role role) {
  constexpr std::string_view kNames[] = {"system", "user", "assistant", "tool"};
  return kNames[static_cast<int>(role)];
}

/// What one inference cost, as the server reported it.
struct Usage {
  long long prompt_tokens = 0;  ///< all of the prompt
  long long cached_tokens = 0;  ///< of these, taken from the prefix cache
  long long generated_tokens = 0;
  double prompt_ms = 0;
  double generate_ms = 0;
  long long cache_written_tokens = 0;  ///< of the prompt, put into a cache that has its price

  Usage& operator+=(const Usage& more) {
    prompt_tokens += more.prompt_tokens;
    cached_tokens += more.cached_tokens;
    generated_tokens += more.generated_tokens;
    prompt_ms += more.prompt_ms;
    generate_ms += more.generate_ms;
    cache_written_tokens += more.cache_written_tokens;
    return *this;
  }
};

/// Where a server had less of a prompt in its cache than it was asked for before: the first token
/// of it that was evaluated once more.
struct CacheMiss {
  long long position = 0;  ///< in the prompt, from 0
  long long token = 0;     ///< its id
  std::string text;        ///< as far as it is known; may be a part of a character
};

}  // namespace pedro
