#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "call_parser/call_part.h"

namespace pedro {

/// A call as written. The tool may not exist.
struct WrittenCall {
  std::string tool;
  std::string id;
  Json args = Json::object();
};

/// A value that is not a call.
struct NoCall {};

/// A call, another value, or the problem of an invalid call. The problem's place is a pointer into
/// the value.
using ReadCall = std::variant<NoCall, WrittenCall, CallProblem>;

/// The evidence that an object is a call.
enum class CallMark {
  kNone,    ///< the object alone: it has `tool`, or `name` and arguments
  kMarker,  ///< the text around it: a name is sufficient
};

/// Reads an object with `tool` or `name`, and with `args`, `arguments` or `parameters`. These are
/// an object, or a string that contains one. With `tool`, they may be the only object under another
/// name. An `id` is optional. Ignores other members.
ReadCall read_call(const Json& value, CallMark mark);

/// Reads arguments: an object, or a string that contains one. `place` is the place of a problem.
std::variant<Json, CallProblem> read_arguments(const Json& value, std::string_view place);

/// Describes a value in at most about 80 bytes.
std::string shortened(const Json& value);

}  // namespace pedro
