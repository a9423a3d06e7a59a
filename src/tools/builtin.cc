#include "tools/builtin.h"

namespace pedro {

std::vector<std::unique_ptr<Tool>> make_builtin_tools() {
  std::vector<std::unique_ptr<Tool>> tools;
  tools.push_back(make_bash_tool());
  tools.push_back(make_code_edit_tool());
  tools.push_back(make_context_tool());
  tools.push_back(make_file_tool());
  tools.push_back(make_git_tool());
  tools.push_back(make_github_tool());
  tools.push_back(make_navigate_tool());
  tools.push_back(make_search_tool());
  tools.push_back(make_test_tool());
  return tools;
}

}  // namespace pedro
