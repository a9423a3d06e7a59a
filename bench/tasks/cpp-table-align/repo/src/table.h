// A text table.
#pragma once

#include <string>
#include <vector>

/// Renders the titles, a line of dashes and the rows, each with a newline. Cells are filled
/// with spaces to the width of their column, and cut if they are longer. A missing cell is
/// empty. Throws std::invalid_argument for a bad specification (see column.h).
std::string render_table(const std::string& spec,
                         const std::vector<std::vector<std::string>>& rows);
