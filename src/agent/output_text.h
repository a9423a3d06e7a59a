#pragma once

#include <string>

#include "base/json.h"

namespace pedro {

/// Formats a phase's output as Markdown for users: one line per short value ("severity: high"), one
/// section per long text or list. An object in a list begins with its place ("src/a.cc:12") if it
/// has one.
std::string output_text(const Json& output);

}  // namespace pedro
