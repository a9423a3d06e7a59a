#include "mcp/header_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tools/word_list.h"

namespace pedro::mcp {
namespace {

constexpr const char* kAnnotation = "x-mcp-header";
constexpr std::string_view kPrefix = "Mcp-Param-";
constexpr std::string_view kMarks = "!#$%&'*+-.^`|~";  // in the name of a header
constexpr std::size_t kMaxHeaderNameBytes = 128;
constexpr std::size_t kMaxParameters = 100;
constexpr std::string_view kTypes = "|string|integer|boolean|";
// Keywords with one schema or a list of them, and those with schemas by name.
constexpr std::string_view kSchemas =
    "|items|prefixItems|additionalItems|unevaluatedItems|contains|additionalProperties"
    "|unevaluatedProperties|propertyNames|allOf|anyOf|oneOf|not|if|then|else|contentSchema|";
constexpr std::string_view kNamedSchemas =
    "|properties|patternProperties|$defs|definitions|dependentSchemas|dependencies|";

// Returns true for a name of a header (RFC 9110, "token").
bool is_header_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxHeaderNameBytes &&
         std::ranges::all_of(
             name, [](char c) { return is_word_byte(c) || kMarks.find(c) != kMarks.npos; });
}

/// A part of the schema, with the part that has it.
struct Part {
  const Json* schema;
  const Part* parent = nullptr;
  const std::string* name = nullptr;  // in `properties` of the parent
  bool is_property = false;           // reachable by `properties` alone
};

/// Reads the annotations of a schema.
class AnnotationScan {
 public:
  Result<std::vector<HeaderParameter>> scan(const Json& schema) {
    parts_.push_back({&schema});
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      if (!part.schema->is_object()) continue;
      if (part.schema->contains(kAnnotation)) PEDRO_RETURN_IF_ERROR(take(part));
      for (const auto& one : part.schema->items()) enter(part, one.key(), one.value());
    }
    return std::move(found_);
  }

 private:
  void enter(const Part& part, const std::string& keyword, const Json& value) {
    if (is_listed(kNamedSchemas, keyword) && value.is_object()) {
      const bool is_property =
          keyword == "properties" && (part.is_property || part.parent == nullptr);
      for (auto one = value.begin(); one != value.end(); ++one) {
        parts_.push_back({&one.value(), &part, &one.key(), is_property});
      }
    } else if (is_listed(kSchemas, keyword) && value.is_array()) {
      for (const Json& schema : value) parts_.push_back({&schema, &part});
    } else if (is_listed(kSchemas, keyword)) {
      parts_.push_back({&value, &part});
    }
  }

  Status take(const Part& part) {
    const std::string name = text_of(*part.schema, kAnnotation);
    const auto wrong = [&](std::string_view why) {
      return refusal(fmt::format("{} '{}' {}", kAnnotation,
                                 make_printable(truncate_utf8(name, kMaxHeaderNameBytes)), why));
    };
    if (!is_header_name(name)) return wrong("is no name of a header");
    if (!part.is_property) return wrong("is not on a property");
    if (!is_listed(kTypes, text_of(*part.schema, "type"))) {
      return wrong("is on a type other than string, integer and boolean");
    }
    HeaderParameter made{fmt::format("{}{}", kPrefix, name), {}};
    const auto is_same = [&made](const HeaderParameter& one) {
      return to_lower(one.header) == to_lower(made.header);
    };
    if (std::ranges::any_of(found_, is_same)) return wrong("is on two parameters");
    if (found_.size() == kMaxParameters) return wrong("is one of too many");
    for (const Part* at = &part; at->name != nullptr; at = at->parent) {
      made.path.push_back(*at->name);
    }
    std::ranges::reverse(made.path);
    found_.push_back(std::move(made));
    return {};
  }

  std::deque<Part> parts_;  // whose addresses stay
  std::vector<HeaderParameter> found_;
};

}  // namespace

Result<std::vector<HeaderParameter>> header_parameters(const Json& schema) {
  return AnnotationScan().scan(schema);
}

std::vector<std::string> parameter_headers(const std::vector<HeaderParameter>& parameters,
                                           const Json& args) {
  std::vector<std::string> lines;
  for (const HeaderParameter& parameter : parameters) {
    const Json* value = &args;
    for (const std::string& name : parameter.path) value = &member(*value, name);
    if (value->is_null() || value->is_structured()) continue;
    const std::string text = value->is_string() ? value->get<std::string>() : to_line(*value);
    // libcurl sends "Name;" as a header without a value.
    lines.push_back(text.empty() ? parameter.header + ";"
                                 : fmt::format("{}: {}", parameter.header, header_value(text)));
  }
  return lines;
}

std::string header_value(const std::string& value) {
  const bool plain = std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
  const bool trimmed = trim(value) == value;
  if (plain && trimmed && !value.starts_with("=?base64?")) return value;
  return fmt::format("=?base64?{}?=", to_base64(value));
}

}  // namespace pedro::mcp
