#include "git/nested_work.h"

#include <filesystem>

#include "support/git_folder.h"

using namespace pedro;

TEST_CASE("nested work: repositories with uncommitted work, and those that git cannot read") {
  GitFolder folder;
  folder.init();
  const auto nested = [&folder](const std::string& name) {
    const std::string path = folder.tree() + "/" + name;
    folder.git({"init", "--quiet", path});
    folder.put(name + "/a", "a\n");
    folder.git({"-C", path, "add", "a"});
    folder.git({"-C", path, "commit", "--quiet", "-m", "a"});
    return path + "/.git";
  };
  std::vector<std::string> known;
  for (const char* name : {"clean", "changed", "new", "staged", "ignored", "node_modules/x"}) {
    known.push_back(nested(name));
  }
  folder.put("changed/a", "b\n");
  folder.put("new/b", "b\n");
  folder.put("staged/c", "c\n");
  folder.git({"-C", folder.tree() + "/staged", "add", "c"});
  folder.put("ignored/.git/info/exclude", "*.log\n");
  folder.put("ignored/x.log", "x\n");
  folder.put("node_modules/x/a", "b\n");
  folder.put("broken/.git", "gitdir: nowhere\n");
  known.push_back(folder.tree() + "/broken/.git");
  known.push_back(folder.tree() + "/bare.git");
  RealFileSystem files;
  RealProcessRunner processes;
  const CancelToken cancel;
  const auto found = nested_work(folder.tree(), known, files, processes, cancel);
  REQUIRE(found.ok());
  std::vector<std::string> expected;
  for (const char* name : {"changed", "new", "staged", "broken"}) {
    expected.push_back(folder.tree() + "/" + name);
  }
  CHECK(*found == expected);
}
