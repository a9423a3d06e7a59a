#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/feedback.h"
#include "base/json.h"
#include "sys/work_tree.h"

namespace pedro {

/// A place that a model names: an object with `file` and, where it is known, `line`.
struct NamedPlace {
  std::string file;
  long long line = 0;  ///< from 1; 0: none is named
};

/// "src/a.cc:12", or "src/a.cc" without a line.
std::string to_string(const NamedPlace& place);

/// All places in an output, at any depth, in the order in which they stand there.
std::vector<NamedPlace> places_in(const Json& output);

/// Why an output is not accepted, for the model: places in it that are not in the tree, a file that
/// is missing or a line behind its end; nullopt where all are there.
std::optional<std::string> refuse_places(const Json& output, const WorkTree& tree,
                                         const Feedback& feedback);

}  // namespace pedro
