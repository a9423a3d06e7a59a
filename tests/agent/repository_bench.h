#pragma once

#include <optional>

#include "git/repository.h"
#include "support/git_folder.h"

namespace pedro {

/// A repository with "one" in a.txt, and one commit on the branch main.
struct RepositoryBench {
  RepositoryBench() {
    folder.init();
    folder.put("a.txt", "one\n");
    folder.commit_all("first");
    repository = *Repository::open(files, processes, cancel, folder.tree());
    base = *repository->commit_id();
  }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
  std::optional<Repository> repository;
  std::string base;  ///< the id of that commit
};

}  // namespace pedro
