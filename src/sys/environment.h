#pragma once

#include <map>
#include <string>

namespace pedro {

/// The process environment as a value, so that code other than main() can be tested.
struct Environment {
  std::map<std::string, std::string> variables;

  /// Returns the variable's value, or "" if it is unset.
  std::string get(const std::string& name) const {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  }

  /// Return $XDG_STATE_HOME, $XDG_CONFIG_HOME, $XDG_CACHE_HOME and $XDG_DATA_HOME, followed by
  /// "/pedrocli". Default to the standard folders below $HOME; "" if neither is an absolute path.
  std::string state_folder() const { return xdg("XDG_STATE_HOME", "/.local/state"); }
  std::string config_folder() const { return xdg("XDG_CONFIG_HOME", "/.config"); }
  std::string cache_folder() const { return xdg("XDG_CACHE_HOME", "/.cache"); }
  std::string data_folder() const { return xdg("XDG_DATA_HOME", "/.local/share"); }

 private:
  std::string xdg(const std::string& name, const std::string& below_home) const {
    const std::string set = get(name);
    // The XDG specification requires relative paths to be ignored.
    if (set.starts_with('/')) return set + "/pedrocli";
    const std::string home = get("HOME");
    return home.starts_with('/') ? home + below_home + "/pedrocli" : "";
  }
};

/// Returns a copy of this process's environment.
Environment real_environment();

/// Returns the name of this machine, as uname(2) reports it.
std::string host_name();

/// Removes environment variables that point git to another repository than the one around its
/// folder (`git rev-parse --local-env-vars`). A git hook that starts pedrocli has them set. Call it
/// once at startup, before there are threads.
void drop_git_variables();

}  // namespace pedro
