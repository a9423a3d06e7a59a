#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/json.h"
#include "json_schema/schema.h"
#include "regular/literal_graph.h"

namespace pedro {

/// The allowed values for each kind of "x-names". Kinds without an entry are not narrowed.
struct Narrowing {
  struct Texts {
    std::shared_ptr<const LiteralGraph> graph;  ///< never null
    std::string noun;                           ///< for error messages: "a file of the project"
    Json values = nullptr;  ///< the texts as a list, for "enum"; null if too many or unbounded
  };
  std::map<Named, Texts> texts;
  long long lines = 0;  ///< the highest value of a kLine; 0 for no limit
};

/// Adds the narrowing to the nodes with Names. The fingerprint covers schema and narrowing.
/// O(nodes).
Schema narrowed(const Schema& schema, const Narrowing& narrowing);

/// Does the same for a schema document: replaces "x-names" by "enum", or by "minimum" and
/// "maximum", or removes it. A stricter keyword of the document stays. Texts without a list, and
/// those of a schema that is not of strings only, are not narrowed. O(size of document and lists).
Json narrowed(const Json& document, const Narrowing& narrowing);

}  // namespace pedro
