#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "prompts/prompt_template.h"
#include "sys/file_system.h"

namespace pedro {

/// The prompt files: those embedded in the program, each of which a file of the same name in the
/// project's `.pedro/prompts/` replaces; further files there are added. Immutable, read at once.
class PromptLibrary {
 public:
  /// `override_folder` may be missing or empty; so may `agents_folder`, whose folders are further
  /// agents. Errors (kConfig): a prompt file over 256 KB, an agent there of a name that is taken.
  static Result<PromptLibrary> open(const FileSystem& files, const std::string& override_folder,
                                    const std::string& agents_folder = "");

  /// Names below the prompts folder ("build/2-analyze.md") that begin with `folder` + "/", sorted.
  std::vector<std::string> list(std::string_view folder) const;

  /// The folders below the prompts folder, sorted.
  std::vector<std::string> folders() const;

  /// True where a folder came with the program.
  bool is_embedded(std::string_view folder) const;

  /// The text of a file; an error that suggests a near name where there is none.
  Result<std::string> read(const std::string& name) const;

  /// What stands in error messages for `name`: its path in the project where it is an override.
  std::string place(const std::string& name) const;

  /// Parses a file without front matter, includes resolved.
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
