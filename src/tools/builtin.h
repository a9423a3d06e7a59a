#pragma once

#include <memory>
#include <vector>

#include "tools/tool.h"

namespace pedro {

std::unique_ptr<Tool> make_bash_tool();
std::unique_ptr<Tool> make_code_edit_tool();
std::unique_ptr<Tool> make_context_tool();
std::unique_ptr<Tool> make_file_tool();
std::unique_ptr<Tool> make_git_tool();
std::unique_ptr<Tool> make_github_tool();
std::unique_ptr<Tool> make_navigate_tool();
std::unique_ptr<Tool> make_search_tool();
std::unique_ptr<Tool> make_test_tool();

/// Returns one tool of each kind.
std::vector<std::unique_ptr<Tool>> make_builtin_tools();

}  // namespace pedro
