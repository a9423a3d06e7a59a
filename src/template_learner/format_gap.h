#pragma once

#include <string>

namespace pedro {

/// A difference between a format and the server's chat template.
struct FormatGap {
  enum class Kind {
    kSystem,     ///< no system turn, or its position changes as the conversation grows
    kOwnPrompt,  ///< the template writes its own system prompt if none is given
    kDate,       ///< the head contains a date
    kTurns,      ///< conversations without tools differ
    kReply,      ///< the opening of a reply differs from the same turn later
    kBlanks,     ///< blanks around contents are kept or dropped differently
    kEmpty,      ///< a system message without text differs
    kThinking,   ///< thinking is omitted from earlier turns, or always
    kTools,      ///< tools are not written, or in an unknown form
    kCalls,      ///< the same for calls
    kText,       ///< the same for text beside a call
    kResults     ///< the same for results
  };

  Kind kind = Kind::kTurns;
  std::string what;  ///< a sentence without its full stop
};

/// "system", "own-prompt", "date", "turns", "reply", "blanks", "empty", "thinking", "tools",
/// "calls", "text", "results"
constexpr const char* to_string(FormatGap::Kind kind) {
  constexpr const char* kNames[] = {"system", "own-prompt", "date",  "turns", "reply", "blanks",
                                    "empty",  "thinking",   "tools", "calls", "text",  "results"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace pedro
