#include "call_parser/written_call.h"

#include <initializer_list>
#include <utility>

#include "base/utf8.h"
#include "call_parser/json_extent.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxValueBytes = 80;

// Returns the first of these names that the object has, or "".
std::string_view name_in(const Json& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (object.contains(name)) return name;
  }
  return {};
}

// Returns the name of the only member that is an object, else "".
std::string_view only_member_object(const Json& object) {
  std::string_view only;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_object()) continue;
    if (!only.empty()) return {};
    only = name;
  }
  return only;
}

std::string id_of(const Json& object) {
  const std::string id = text_of(object, "id");
  return id.empty() ? text_of(object, "call_id") : id;
}

CallProblem problem_at(std::string_view member_name, std::string expected, const Json& found) {
  return {CallProblem::Kind::kNotACall, "/" + std::string(member_name), std::move(expected),
          shortened(found)};
}

}  // namespace

std::string shortened(const Json& value) {
  // Long values are not serialized, because they would be cut.
  if (value.is_object()) return "an object of " + std::to_string(value.size()) + " members";
  if (value.is_array()) return "an array of " + std::to_string(value.size()) + " items";
  if (!value.is_string()) return to_line(value);
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() <= kMaxValueBytes) return to_line(value);
  return to_line(std::string(truncate_utf8(text, kMaxValueBytes)) + "…");
}

std::variant<Json, CallProblem> read_arguments(const Json& value, std::string_view place) {
  if (value.is_object()) return value;
  if (value.is_string()) {
    auto inner = read_bounded_json(value.get_ref<const std::string&>());
    if (auto* args = std::get_if<Json>(&inner); args != nullptr && args->is_object()) {
      return std::move(*args);
    }
  }
  return CallProblem{CallProblem::Kind::kNotACall, std::string(place),
                     "an object with the arguments", shortened(value)};
}

ReadCall read_call(const Json& value, CallMark mark) {
  const bool marked = mark == CallMark::kMarker;
  if (!value.is_object()) {
    if (!marked) return NoCall{};
    return CallProblem{CallProblem::Kind::kNotACall, "/",
                       "an object with \"name\" and \"arguments\"", shortened(value)};
  }
  const std::string_view name = name_in(value, {"tool", "name"});
  std::string_view args = name_in(value, {"args", "arguments", "parameters"});
  if (args.empty() && name == "tool") args = only_member_object(value);
  if (!marked && (name.empty() || (args.empty() && name != "tool"))) return NoCall{};
  if (name.empty()) {
    return CallProblem{CallProblem::Kind::kNotACall, "/name", "the name of a tool", "nothing"};
  }
  const Json& tool = value[std::string(name)];
  if (!tool.is_string()) return problem_at(name, "the name of a tool", tool);
  WrittenCall call{tool.get<std::string>(), id_of(value), Json::object()};
  if (args.empty()) return call;
  auto read = read_arguments(value[std::string(args)], "/" + std::string(args));
  if (auto* problem = std::get_if<CallProblem>(&read)) return std::move(*problem);
  call.args = std::get<Json>(std::move(read));
  return call;
}

}  // namespace pedro
