#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/script_words.h"
#include "tools/checks.h"

namespace pedro {

/// Returns the text of a file before the work, the target of a link; "" if there is none.
using TextOfBase = std::function<std::string(const std::string& path)>;

/// The links of a commit with their targets, by path.
using LinksOfBase = std::map<std::string, std::string>;

/// The files that checks run, found in their commands and in the definitions of the base. Follows
/// scripts, included files, sub-makes and settings of test runners. After 256 files, every file
/// that looks like a script counts. Borrows the arguments. Without `base`, reads only the commands.
///
///     CheckScripts scripts(checks, base, links);
///     scripts.contains("ci/run.sh")  // true for the Makefile "test:\n\tcd ci && ./run.sh"
class CheckScripts {
 public:
  CheckScripts(std::span<const Check> checks, const TextOfBase& base, const LinksOfBase& links);

  bool contains(const std::string& path) const;

 private:
  struct Found {
    std::string path;
    std::string text;
    bool is_make = false;
  };
  // kOfTest: a test runs it, so it may be the program.
  enum class Kind { kScript, kMake, kOfTest };

  void follow(const std::string& path, const std::string& text, bool is_make);
  void take(const ScriptWords& words, const std::string& folder, Kind kind);
  void take_includes(const std::string& text, const std::string& folder);
  void take_settings();
  void add_word(std::string word, const std::vector<std::string>& folders, Kind kind);
  void add(const std::string& path, Kind kind);
  std::string resolved(const std::string& path) const;
  bool is_place(const std::string& place) const;
  bool is_in_place(const std::string& path) const;
  bool is_link_target(const std::string& path) const;

  const TextOfBase& base_;
  const LinksOfBase& links_;
  std::vector<Found> found_;
  std::set<std::string> paths_;        // of found_
  std::set<std::string> tried_;        // paths that add() has seen
  std::vector<std::string> includes_;  // patterns of any file
  std::vector<std::string> loops_;     // patterns of scripts
  std::vector<std::string> places_;    // patterns of tests, and their folders
  bool is_cut_ = false;                // found_ lacks files
};

}  // namespace pedro
