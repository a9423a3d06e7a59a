#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro::mcp {

/// A tool's parameter whose value each call repeats in an HTTP header, for proxies that route by
/// it. The input schema marks it with `x-mcp-header` (since 2026-07-28).
struct HeaderParameter {
  std::string header;             ///< "Mcp-Param-" and the name of the annotation
  std::vector<std::string> path;  ///< names of nested properties

  bool operator==(const HeaderParameter&) const = default;
};

/// Returns the annotated parameters of an input schema. Error (kRefused): an annotation is invalid;
/// then the tool must not be called over HTTP.
///
///     header_parameters({{"properties", {{"region", {{"type", "string"},
///                                                    {"x-mcp-header", "Region"}}}}}})
///     // {"Mcp-Param-Region", {"region"}}
Result<std::vector<HeaderParameter>> header_parameters(const Json& schema);

/// Returns the lines "Mcp-Param-NAME: value" of a call, and "Mcp-Param-NAME;" for an empty value.
/// Null and missing arguments have none.
std::vector<std::string> parameter_headers(const std::vector<HeaderParameter>& parameters,
                                           const Json& args);

/// Returns a value for a header. One that is no plain ASCII text is in base64.
std::string header_value(const std::string& value);

}  // namespace pedro::mcp
