#pragma once

#include <string>

namespace pedro {

/// What a format does not write as the server's chat template does, or cannot.
struct FormatGap {
  enum class Kind {
    kSystem,     ///< there is no system turn, or it stands elsewhere as the conversation grows
    kOwnPrompt,  ///< the template has a system prompt of its own where none is given
    kDate,       ///< the head has a date in it
    kTurns,      ///< conversations without tools are written otherwise
    kReply,      ///< a reply is opened otherwise than the same turn is written later
    kBlanks,     ///< blanks around contents are kept or dropped otherwise
    kEmpty,      ///< a system message without text is written otherwise
    kThinking,   ///< thinking is left out of earlier turns, or is never written
    kTools,      ///< tools are not written, or in a way that is not known
    kCalls,      ///< the same with calls
    kText,       ///< the same with the text beside a call
    kResults     ///< the same with results
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
