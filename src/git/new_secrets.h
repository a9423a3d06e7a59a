#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "git/changed_file.h"
#include "git/repository.h"
#include "secrets/secret_mask.h"

namespace pedro {

/// Searches changed files for secrets that a base lacks. Searches the first 50 MiB of a file, the
/// target of a link, and the path. Borrows all references.
class NewSecrets {
 public:
  /// `changed`: all changes from the commit `base`. `secrets` may be null: there are none.
  NewSecrets(const SecretMask* secrets, const std::string& base,
             const std::vector<ChangedFile>& changed, const Repository& repository)
      : secrets_(secrets), base_(base), changed_(changed), repository_(repository) {}

  /// Returns true if the file has a secret that neither its version in the base nor a removed file
  /// has: a renamed file keeps its secrets. Considers the first 100 removed files.
  bool has(const ChangedFile& file);

 private:
  std::set<std::string> secrets_in(const std::string& path) const;
  std::set<std::string> secrets_before(const std::string& path) const;
  const std::set<std::string>& removed_secrets();

  const SecretMask* secrets_;
  const std::string& base_;
  const std::vector<ChangedFile>& changed_;
  const Repository& repository_;
  std::optional<std::set<std::string>> removed_;  // those of removed files
};

}  // namespace pedro
