#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// Where the references of a schema document lead: JSON pointers, "$anchor", "$id" (draft 4: "id")
/// within the document. Borrows the document. One thread.
class SchemaTargets {
 public:
  struct Target {
    const Json* schema = nullptr;
    std::string pointer;
  };

  explicit SchemaTargets(const Json& document) : document_(document) {}

  /// What `reference`, which stands in the schema at `pointer`, means; nothing where that is
  /// outside of the document or not there.
  std::optional<Target> find(std::string_view reference, std::string_view pointer);

 private:
  struct Named {
    std::string name;  ///< a URI without its fragment, or an anchor
    Target target;
  };

  void index();
  void add_names(const Target& target);
  const Target* resource_of(std::string_view uri, std::string_view pointer) const;

  const Json& document_;
  bool indexed_ = false;
  std::vector<Named> resources_;  ///< the document first
  std::vector<Named> anchors_;
};

}  // namespace pedro
