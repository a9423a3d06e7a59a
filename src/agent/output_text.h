#pragma once

#include <string>

#include "base/json.h"

namespace pedro {

/// What a phase handed on, for people, as Markdown: a line for each short value ("severity: high"),
/// a section for each long text and each list; an object in a list begins with its place
/// ("src/a.cc:12"), if it has one.
std::string output_text(const Json& output);

}  // namespace pedro
