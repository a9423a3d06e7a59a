#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Returns true if a variable's name suggests a secret: one of its words is TOKEN, SECRET,
/// PASSWORD, KEY or similar.
bool names_secret(std::string_view variable);

/// Returns the variables for a confined command: language, time zone, search path, settings of
/// compilers and package managers, and `also`. Excludes variables with names_secret().
std::map<std::string, std::string> reduced_environment(
    const std::map<std::string, std::string>& variables, const std::vector<std::string>& also);

}  // namespace pedro
