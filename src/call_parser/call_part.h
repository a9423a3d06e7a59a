#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "base/text.h"

namespace pedro {

/// The problem of a text that looks like a call, as facts. Templates phrase it for a model.
struct CallProblem {
  enum class Kind {
    kNotClosed,     ///< the reply ends within it
    kNotJson,       ///< another text where JSON is required
    kNotACall,      ///< JSON or a marker of the syntax, but not a call
    kUnknownTool,   ///< no tool has this name
    kBadArguments,  ///< the arguments do not fit the tool's schema
    kTooMany,       ///< more calls than the limit; the rest was not read
    kTooLong,       ///< more bytes than the limit; the rest was not read
  };

  Kind kind = Kind::kNotACall;
  std::string place;     ///< "3:14" in the reply (line and column, 1-based, bytes), or the place in
                         ///< the arguments: "search: /pattern"
  std::string expected;  ///< "',' or '}'", "an integer >= 1"
  std::string found;     ///< an excerpt of at most about 80 bytes, "the end of the reply"
};

/// Returns the name of a kind: "not-json", "bad-arguments".
std::string_view to_string(CallProblem::Kind kind);

/// Formats a problem: `3:14: expected ',' or '}', got "\"b\": 2}"`. At most about 700 bytes of
/// valid UTF-8, suitable for a prompt.
std::string to_string(const CallProblem& problem);

/// A call of a reply.
struct ParsedCall {
  ByteRange where;  ///< in the reply; the call was complete at its last byte
  std::string id;   ///< as the model wrote it; "" if there is none
  std::string tool;
  Json args = Json::object();
};

/// A part of a reply that looks like a call but is invalid.
struct RejectedText {
  ByteRange where;
  CallProblem problem;
};

/// A part of a reply that is not plain text.
using CallPart = std::variant<ParsedCall, RejectedText>;

}  // namespace pedro
