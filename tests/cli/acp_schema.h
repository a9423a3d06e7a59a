#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "base/json.h"
#include "json_schema/schema.h"
#include "json_schema/validate.h"
#include "sys/file_system.h"

namespace pedro {

/// Validates messages of the Agent Client Protocol with the schema at PEDROCLI_ACP_SCHEMA, in both
/// directions. Without that file, checks nothing.
class AcpSchema {
 public:
  AcpSchema() {
    const char* path = std::getenv("PEDROCLI_ACP_SCHEMA");
    if (path == nullptr) return;
    const auto text = RealFileSystem().read(path, 1 << 20);
    REQUIRE(text.ok());
    definitions_ = member(*parse_json(*text), "$defs");
    for (const auto& [name, definition] : definitions_.items()) {
      const std::string method = text_of(definition, "x-method");
      if (!method.empty()) methods_[method + kind_of(name)] = name;
    }
    REQUIRE(methods_.size() > 20);
  }

  bool is_available() const { return !definitions_.is_null(); }

  /// Returns the violation of a definition, or "". Requires is_available().
  std::string problem_of(const std::string& name, const Json& value) {
    if (!schemas_.contains(name)) {
      auto schema = parse_schema({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                                  {"$ref", "#/$defs/" + name},
                                  {"$defs", definitions_}});
      const std::string problem = schema ? "" : schema.error().message;
      REQUIRE_MESSAGE(schema.ok(), problem);
      schemas_.emplace(name, *std::move(schema));
    }
    const auto violation = validate(schemas_.at(name), value);
    return violation ? to_string(*violation) : "";
  }

  /// Checks a message. `method`: of the request, if it is a response.
  void check(const Json& message, const std::string& method) {
    if (!is_available()) return;
    CAPTURE(message);
    CHECK(text_of(message, "jsonrpc") == "2.0");
    const bool is_call = message.contains("method");
    const char* kind = !is_call ? "Response" : message.contains("id") ? "Request" : "Notification";
    if (message.contains("error")) {
      check_as("Error", message["error"]);
    } else {
      const auto name = methods_.find((is_call ? text_of(message, "method") : method) + kind);
      REQUIRE(name != methods_.end());
      check_as(name->second, message[is_call ? "params" : "result"]);
    }
    ++checked;
  }

  int checked = 0;  ///< messages

 private:
  static std::string kind_of(const std::string& name) {
    for (const char* kind : {"Request", "Response", "Notification"}) {
      if (name.ends_with(kind)) return kind;
    }
    return "";
  }

  void check_as(const std::string& name, const Json& value) {
    CAPTURE(name);
    CHECK(problem_of(name, value) == "");
  }

  Json definitions_;
  std::map<std::string, std::string> methods_;  // "session/newRequest": its definition
  std::map<std::string, Schema> schemas_;
};

}  // namespace pedro
