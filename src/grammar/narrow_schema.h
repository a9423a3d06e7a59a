#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/json.h"
#include "grammar/literal_graph.h"
#include "grammar/schema.h"

namespace pedro {

/// What values with "x-names" are narrowed to, by what they name. Names of a kind that is missing
/// stay as they are.
struct Narrowing {
  struct Texts {
    std::shared_ptr<const LiteralGraph> graph;  ///< never null
    std::string noun;                           ///< for errors: "a file of the project"
    Json values = nullptr;  ///< the texts as a list, for "enum"; null: too many, or endless
  };
  std::map<Named, Texts> texts;
  long long lines = 0;  ///< the last line that a kLine may name; 0: any
};

/// The schema with what the narrowing says on the nodes that name something. Its fingerprint covers
/// both. O(nodes).
Schema narrowed(const Schema& schema, const Narrowing& narrowing);

/// The same of the document: "enum" and "maximum" in place of "x-names", which is left out
/// everywhere. O(document and lists).
Json narrowed(const Json& document, const Narrowing& narrowing);

}  // namespace pedro
