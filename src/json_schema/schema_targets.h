#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "gbnf/schema_budget.h"

namespace pedro {

/// Resolves the references of a schema document: JSON pointers, "$anchor" and "$id" (draft 4: "id")
/// within the document. Borrows the document. One thread.
class SchemaTargets {
 public:
  struct Target {
    const Json* schema = nullptr;
    std::string pointer;
  };

  /// Charges the budget. Finds nothing once it is spent.
  SchemaTargets(const Json& document, SchemaBudget& budget)
      : document_(document), budget_(budget) {}

  /// Resolves `reference` in the schema at `pointer`. Returns nullopt if the target is missing or
  /// outside of the document.
  std::optional<Target> find(std::string_view reference, std::string_view pointer);

  /// Returns true if the document has several targets for a "$dynamicRef" or "$recursiveRef".
  bool is_ambiguous(std::string_view reference);

 private:
  struct Named {
    std::string name;  ///< a URI without its fragment, or an anchor
    Target target;
  };

  void index();
  void add_names(const Target& target);
  const Target* resource_of(std::string_view uri, std::string_view pointer) const;

  const Json& document_;
  SchemaBudget& budget_;
  bool indexed_ = false;
  std::vector<Named> resources_;  ///< the document is the first
  std::vector<Named> anchors_;
  std::vector<std::string> dynamic_;  ///< each "$dynamicAnchor"; "" is a "$recursiveAnchor"
};

}  // namespace pedro
