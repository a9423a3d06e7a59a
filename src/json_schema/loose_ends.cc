#include "json_schema/loose_ends.h"

namespace pedro {

void LooseEnds::add(SchemaId where, std::string_view keyword, std::string_view instead) {
  if (!budget_.spend(8)) return;
  if (!known_.emplace(where, keyword, instead).second) return;
  out_.push_back(Loosened{schema_[where].pointer, std::string(keyword), std::string(instead)});
}

}  // namespace pedro
