#include "tools/meant_call.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("meant call: names with more around them") {
  Manifest file;
  file.name = "file";
  file.actions.resize(2);
  file.actions[0].name = "read";
  file.actions[1].name = "replace";
  Manifest git;
  git.name = "git";
  git.actions.resize(1);
  git.actions[0].name = "status";
  Manifest vcs = git;
  vcs.name = "vcs";
  Manifest end;
  end.name = "phase_complete";
  Manifest remote;
  remote.name = "memory_search";
  remote.server_tool = "memory.search";
  remote.actions.resize(1);
  const std::vector<const Manifest*> known = {&file, &end, &remote, &git, &vcs};
  struct Row {
    std::string name;
    const char* tool;
    const char* action;
  };
  for (const Row& row : {
           Row{"file", "file", ""},
           Row{"functions.file", "file", ""},
           Row{"default_api.file", "file", ""},
           Row{"functions_file", "file", ""},
           Row{"functions.file:0", "file", ""},
           Row{"file<|channel|>commentary", "file", ""},
           Row{" file ", "file", ""},
           Row{"\"file\"", "file", ""},
           Row{"file()", "file", ""},
           Row{"file json", "file", ""},
           Row{"File", "file", ""},
           Row{"file.replace", "file", "replace"},
           Row{"file_replace", "file", "replace"},
           Row{"functions.file.read", "file", "read"},
           Row{"functions.phase_complete", "phase_complete", ""},
           Row{"memory_search", "memory_search", ""},
           Row{"replace_file", "file", "replace"},
           Row{"default_api:file", "file", ""},
           Row{"x:file_read:0", "file", "read"},
           Row{"x:fly", "x:fly", ""},
           Row{"file.fly", "file.fly", ""},
           Row{"fi-le", "file", ""},
           Row{"FILE", "file", ""},
           Row{"Phase Complete", "phase_complete", ""},
           Row{"phaseComplete", "phase_complete", ""},
           Row{"memory-search", "memory_search", ""},
           Row{"fileReplace", "file", "replace"},
           Row{"file (replace)", "file", "replace"},
           Row{"file replace", "file", "replace"},
           Row{"replace", "file", "replace"},
           Row{"functions.replace", "file", "replace"},
           Row{"text.replace", "text.replace", ""},  // an action of anything else
           Row{"status", "status", ""},              // an action of two tools
           Row{"edit_file", "edit_file", ""},
           Row{"memory_search_x", "memory_search_x", ""},
           Row{"", "", ""},
           Row{"<|x|>", "<|x|>", ""},
           Row{"..", "..", ""},
       }) {
    CAPTURE(row.name);
    CHECK(meant_tool(row.name, known).tool == row.tool);
    CHECK(meant_tool(row.name, known).action == row.action);
  }
  const std::string hostile = std::string(1 << 20, '.') + "file";
  CHECK(meant_tool(hostile, known).tool == hostile);
}

}  // namespace pedro
