#include "table.h"

#include "column.h"

namespace {

std::string fit(const std::string& cell, int width) {
  std::string text = cell.substr(0, width);
  text.resize(width, ' ');
  return text;
}

std::string render_row(const std::vector<Column>& columns, const std::vector<std::string>& cells) {
  std::string row;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) row += '|';
    row += fit(i < cells.size() ? cells[i] : "", columns[i].width);
  }
  return row + '\n';
}

}  // namespace

std::string render_table(const std::string& spec,
                         const std::vector<std::vector<std::string>>& rows) {
  const std::vector<Column> columns = parse_spec(spec);
  std::string table;
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) {
      table += '|';
      line += '+';
    }
    table += fit(columns[i].title, columns[i].width);
    line += std::string(columns[i].width, '-');
  }
  table += '\n' + line + '\n';
  for (const std::vector<std::string>& cells : rows) table += render_row(columns, cells);
  return table;
}
