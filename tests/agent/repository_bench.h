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

  // Runs a shell script in the work tree, where `git commit` has an author.
  void shell(const std::string& script) {
    const Command command{
        .argv = {"sh", "-ec",
                 "export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A "
                 "GIT_COMMITTER_EMAIL=a@b\n" +
                     script},
        .folder = folder.tree()};
    const auto ran = processes.run(command, cancel);
    REQUIRE(ran.ok());
    CAPTURE(ran->err);
    REQUIRE(ran->ok());
  }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
  std::optional<Repository> repository;
  std::string base;  ///< the id of that commit
};

}  // namespace pedro
