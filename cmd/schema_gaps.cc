#include "schema_gaps.h"

#include <fmt/format.h>

namespace pedro {
namespace {

// Adds a slash to the document's pointer "", which would be invisible.
std::string shown_place(const std::string& pointer) {
  return pointer.empty() || pointer.ends_with(' ') ? pointer + "/" : pointer;
}

}  // namespace

void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Loosened> loosened) {
  for (const Loosened& one : loosened) {
    gaps.push_back({shown_place(one.pointer), one.keyword, one.instead});
  }
}

void add_gaps(std::vector<SchemaGap>& gaps, std::span<const Unchecked> unchecked,
              const std::string& label) {
  for (const Unchecked& one : unchecked) {
    gaps.push_back({shown_place(label + one.pointer), one.keyword, one.why, false});
  }
}

std::string to_text(const SchemaGap& gap) {
  return fmt::format("{}: {}: {}{}", gap.place, gap.keyword,
                     gap.looked_at ? "the grammar allows " : "ignored: ", gap.instead);
}

Json to_json(std::span<const SchemaGap> gaps) {
  Json list = Json::array();
  for (const SchemaGap& gap : gaps) {
    list.push_back({{"pointer", gap.place},
                    {"keyword", gap.keyword},
                    {gap.looked_at ? "instead" : "not_looked_at", gap.instead}});
  }
  return list;
}

}  // namespace pedro
