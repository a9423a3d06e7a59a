#include "table.h"

#include "column.h"

namespace {

std::string fit(const std::string& cell, const Column& column) {
  const std::string text = cell.substr(0, column.width);
  const size_t spaces = column.width - text.size();
  size_t before = 0;
  if (column.align == Align::kRight) before = spaces;
  if (column.align == Align::kCenter) before = spaces / 2;
  return std::string(before, ' ') + text + std::string(spaces - before, ' ');
}

std::string render_row(const std::vector<Column>& columns, const std::vector<std::string>& cells) {
  std::string row;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) row += '|';
    row += fit(i < cells.size() ? cells[i] : "", columns[i]);
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
    table += fit(columns[i].title, columns[i]);
    line += std::string(columns[i].width, '-');
  }
  table += '\n' + line + '\n';
  for (const std::vector<std::string>& cells : rows) table += render_row(columns, cells);
  return table;
}
