#include "llm/traced_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMostIds = 64;
constexpr std::size_t kIdsAtEnds = 24;
constexpr std::size_t kMostFileBytes = 4096;
constexpr std::size_t kFileBytesAtEnds = 64;

// Returns the end of the string that begins at `at` with a quote.
std::size_t end_of_string(std::string_view body, std::size_t at) {
  for (++at; at < body.size() && body[at] != '"'; ++at) {
    if (body[at] == '\\') ++at;
  }
  return std::min(at + 1, body.size());
}

// Returns "[1,2,… 900 ids …,8,9]" for the inside of a long list.
std::string cut_ids(std::string_view ids) {
  const std::vector<std::string_view> all = split(ids, ',');
  if (all.size() <= kMostIds) return std::string(ids);
  const auto text_of = [&](std::size_t from) {
    std::string out;
    for (std::size_t i = from; i < from + kIdsAtEnds; ++i) {
      out += (i == from ? "" : ",") + std::string(all[i]);
    }
    return out;
  };
  return fmt::format("{}, … {} ids …, {}", text_of(0), all.size() - 2 * kIdsAtEnds,
                     text_of(all.size() - kIdsAtEnds));
}

// Returns a string with its quotes, without the inside of a long file in base64.
std::string cut_file(std::string_view text) {
  const bool is_file = text.size() > kMostFileBytes && text.find_first_of(" \\") == text.npos &&
                       (text.starts_with("\"data:image/") || text.find(',') == text.npos);
  if (!is_file) return std::string(text);
  return fmt::format("{}… {} bytes …{}", text.substr(0, kFileBytesAtEnds),
                     text.size() - 2 * kFileBytesAtEnds,
                     text.substr(text.size() - kFileBytesAtEnds));
}

}  // namespace

std::string traced_body(std::string_view body) {
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    std::size_t end = at + 1;
    if (body[at] == '"') end = end_of_string(body, at);
    out += cut_file(body.substr(at, end - at));
    if (body[at] == '[') {
      const std::size_t close = std::min(body.find_first_not_of("0123456789, ", end), body.size());
      const bool is_list = close < body.size() && body[close] == ']';
      out += is_list ? cut_ids(body.substr(end, close - end))
                     : std::string(body.substr(end, close - end));
      end = close;
    }
    at = end;
  }
  return out;
}

}  // namespace pedro
