#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "format/prompt.h"

namespace pedro {

/// What is wrong with a text that looks like a call: facts, no sentences. What a model is told
/// about it is a matter of templates.
struct CallProblem {
  enum class Kind {
    kNotClosed,     ///< the reply ends within it
    kNotJson,       ///< where JSON has to be, there is something else
    kNotACall,      ///< JSON, or a marker of the syntax, but not what a call consists of
    kUnknownTool,   ///< no tool has this name
    kBadArguments,  ///< they do not fit the tool's schema
    kTooMany,       ///< more calls than a reply can have; nothing behind it was looked at
    kTooLong,       ///< more bytes than a reply can have; nothing behind it was looked at
  };

  Kind kind = Kind::kNotACall;
  std::string place;     ///< "3:14" in the reply (line and column, 1-based, bytes), or where in the
                         ///< arguments: "search: /pattern"
  std::string expected;  ///< "',' or '}'", "an integer >= 1"
  std::string found;     ///< an excerpt of at most about 80 bytes, "the end of the reply"
};

/// "not-json", "bad-arguments"
std::string_view to_string(CallProblem::Kind kind);

/// `3:14: expected ',' or '}', got "\"b\": 2}"`. At most about 700 bytes, valid UTF-8, fit for a
/// prompt.
std::string to_string(const CallProblem& problem);

/// A call of a reply.
struct ParsedCall {
  ByteRange where;  ///< of the reply's text; the call was complete with its last byte
  std::string id;   ///< as the model wrote it; "" where it wrote none
  std::string tool;
  Json args = Json::object();
};

/// A part of a reply that looks like a call and is none.
struct RejectedText {
  ByteRange where;
  CallProblem problem;
};

/// What a reply consists of, other than plain text.
using CallPart = std::variant<ParsedCall, RejectedText>;

}  // namespace pedro
