#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "format/call_part.h"

namespace pedro {

/// A call as it was written, before anyone asked whether there is such a tool.
struct WrittenCall {
  std::string tool;
  std::string id;
  Json args = Json::object();
};

/// The value is something else.
struct NoCall {};

/// A call, something else, or what is wrong with something that was meant as a call (its place is
/// then a pointer into the value).
using ReadCall = std::variant<NoCall, WrittenCall, CallProblem>;

/// Who says that an object is a call.
enum class CallMark {
  kNone,    ///< nobody but the object: it has `tool`, or `name` and arguments
  kMarker,  ///< what stands around it: a name is enough
};

/// Reads an object with `tool` or `name`, `args`, `arguments` or `parameters` (an object, or a
/// string that holds one), and maybe `id`. Other members mean nothing.
ReadCall read_call(const Json& value, CallMark mark);

/// Reads arguments: an object, or a string that holds one. `place` is for the problem.
std::variant<Json, CallProblem> read_arguments(const Json& value, std::string_view place);

/// At most about 80 bytes of JSON.
std::string shortened(const Json& value);

}  // namespace pedro
