#pragma once

#include <cassert>
#include <span>
#include <string_view>

#include "tools/tool.h"

namespace pedro {

/// One action of a tool: its name in the manifest, and the function that implements it.
struct ActionRow {
  std::string_view name;
  Result<ToolResult> (*run)(const Json& args, ToolContext& context);
  std::string (*shell_line)(const Json& args) = nullptr;  ///< see Tool::shell_line(); null: none
};

/// A tool implemented by a table of functions. Borrows the table, which must be static.
class TableTool : public Tool {
 public:
  TableTool(std::string_view name, std::span<const ActionRow> rows) : name_(name), rows_(rows) {}

  std::string_view name() const override { return name_; }

  std::string shell_line(const ActionManifest& action, const Json& args) const override {
    for (const ActionRow& row : rows_) {
      if (row.name == action.name && row.shell_line != nullptr) return row.shell_line(args);
    }
    return "";
  }

  Result<ToolResult> run(const ActionManifest& action, const Json& args,
                         ToolContext& context) override {
    for (const ActionRow& row : rows_) {
      if (row.name == action.name) return row.run(args, context);
    }
    assert(false && "an override manifest must not add actions: Registry::open checks that");
    return refuse("there is no action " + action.name);
  }

 private:
  std::string_view name_;
  std::span<const ActionRow> rows_;
};

}  // namespace pedro
