#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "prompts/prompt_template.h"
#include "sys/file_system.h"

namespace pedro {

/// The prompt files: those embedded in the program, overridden by files of the same name in the
/// project's `.pedro/prompts/`. Other files there are added. Immutable; open() reads all files.
class PromptLibrary {
 public:
  /// Opens the library. `override_folder` may be missing or empty. So may `agents_folder`, whose
  /// folders are additional agents. Errors (kConfig): a prompt file over 256 KB, an agent there
  /// whose name is already in use.
  static Result<PromptLibrary> open(const FileSystem& files, const std::string& override_folder,
                                    const std::string& agents_folder = "");

  /// Returns the names below the prompts folder ("build/2-analyze.md") that begin with `folder` +
  /// "/", sorted.
  std::vector<std::string> list(std::string_view folder) const;

  /// Returns the folders below the prompts folder, sorted.
  std::vector<std::string> folders() const;

  /// Returns true if a folder is embedded in the program.
  bool is_embedded(std::string_view folder) const;

  /// Returns the text of a file. Error (kConfig): no such file, with a similar name as a
  /// suggestion.
  Result<std::string> read(const std::string& name) const;

  /// Returns the location of `name` for error messages: for an override, its path in the project.
  std::string place(const std::string& name) const;

  /// Parses a file without front matter and resolves its includes.
  Result<PromptTemplate> load(const std::string& name) const;

 private:
  struct File {
    std::string text;
    std::string place;
  };
  Status add_overrides(const FileSystem& files, const std::string& folder,
                       const std::string& prefix);

  std::map<std::string, File> files_;
};

}  // namespace pedro
