#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Whether a variable may hold a secret, by its name: TOKEN, SECRET, PASSWORD, KEY and the like are
/// words of it.
bool names_secret(std::string_view variable);

/// What of an environment a confined command gets: language, time zone, search path, how compilers
/// and package managers are set up, and the variables named in `also`; never one that
/// names_secret().
std::map<std::string, std::string> reduced_environment(
    const std::map<std::string, std::string>& variables, const std::vector<std::string>& also);

}  // namespace pedro
