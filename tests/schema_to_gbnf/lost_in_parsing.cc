#include "schema_to_gbnf/lost_in_parsing.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/json.h"

namespace pedro {
namespace {

bool repeats_a_name(const std::string& text) {
  std::vector<std::set<std::string>> names;
  bool repeats = false;
  const Json::parser_callback_t look = [&](int, Json::parse_event_t event, Json& part) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key) {
      repeats |= !names.back().insert(part.get<std::string>()).second;
    }
    return true;
  };
  const Json value = Json::parse(text, look, /*allow_exceptions=*/false);
  return repeats && !value.is_discarded();
}

bool has_long_number(const std::string& text) {
  int digits = 0;
  return std::any_of(text.begin(), text.end(), [&](char c) {
    if (c >= '0' && c <= '9') return ++digits > 15;
    if (c != '.') digits = 0;
    return false;
  });
}

}  // namespace

bool lost_in_parsing(const std::string& text) {
  return repeats_a_name(text) || has_long_number(text);
}

}  // namespace pedro
