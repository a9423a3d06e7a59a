#include "job/bounded_json.h"

#include <vector>

#include "base/text.h"

namespace pedro {

Json bounded_json(Json value, std::size_t max_text_bytes, std::size_t max_bytes) {
  std::vector<Json*> open = {&value};
  while (!open.empty()) {
    Json* const next = open.back();
    open.pop_back();
    if (next->is_structured()) {
      for (Json& inside : *next) open.push_back(&inside);
    } else if (next->is_string()) {
      auto& text = next->get_ref<std::string&>();
      if (text.size() > max_text_bytes) text = cut_middle(text, max_text_bytes, "");
    }
  }
  const std::size_t bytes = to_line(value).size();
  return bytes <= max_bytes ? value : Json{{"left_out_bytes", bytes}};
}

}  // namespace pedro
