#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/feedback.h"
#include "base/json.h"
#include "sys/work_tree.h"
#include "tools/tool.h"

namespace pedro {

/// A place that a model names: an object with `file` and an optional `line`.
struct NamedPlace {
  std::string file;
  long long line = 0;  ///< from 1; 0: not named
};

/// Returns "src/a.cc:12", or "src/a.cc" without a line.
std::string to_string(const NamedPlace& place);

/// Returns all places in an output, at any depth, in order.
std::vector<NamedPlace> places_in(const Json& output);

/// Checks that the places in an output exist. Returns the problems for the model: files that are
/// missing and lines after the end. Returns nullopt if all places exist.
std::optional<std::string> refuse_places(const Json& output, const WorkTree& tree,
                                         const Feedback& feedback);

/// Checks the names in backticks of a model's reason why a task is impossible. Returns a sentence
/// for each file or program, at most 10: "`gradle`: this machine has no such program". Skips
/// other names. Reads no file.
std::vector<std::string> check_blocked_claim(std::string_view reason, const ToolContext& tools);

}  // namespace pedro
