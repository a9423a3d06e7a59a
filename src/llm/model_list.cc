#include "llm/model_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/file_system.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::size_t kMostNames = 12;

// Keys of vLLM, Anthropic and several hosts of many models.
long long context_in(const Json& row) {
  for (const char* key : {"max_model_len", "max_input_tokens", "context_length"}) {
    const long long tokens = number_of(row, key);
    if (tokens > 0) return tokens;
  }
  return 0;
}

ListedModel read_row(std::string id, const Json& row) {
  return {std::move(id), context_in(row), text_of(row, "owned_by")};
}

bool means(const std::string& id, const std::string& wanted) {
  const bool is_file = id.starts_with('/') && base_name(id) == wanted;
  return id == wanted || id == wanted + ":latest" || is_file;
}

std::string names_of(const std::vector<std::string>& ids) {
  std::vector<std::string> shown;
  for (const std::string& id : ids) {
    if (shown.size() == kMostNames) break;
    shown.push_back(make_printable(truncate_utf8(id, 100)));
  }
  std::string text = join(shown, ", ");
  if (ids.size() > shown.size()) text += fmt::format(" and {} more", ids.size() - shown.size());
  return text;
}

// Returns true if a name needs no escaping in a path.
bool fits_a_path(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alnum || std::string_view("-._:/").find(c) != std::string_view::npos;
  });
}

Error none_meant(const JsonClient& client, const std::vector<std::string>& ids) {
  const std::string& wanted = client.options().model;
  const std::string there = ids.empty() ? "it lists none" : "it has " + names_of(ids);
  const std::string what = wanted.empty() ? "the server does not have exactly one model"
                                          : fmt::format("the server has no model '{}'{}", wanted,
                                                        did_you_mean(wanted, ids));
  return {ErrorKind::kModel, fmt::format("{}: {}: {}; name one in model.model_name",
                                         public_url(client.options().url), what, there)};
}

}  // namespace

Result<ListedModel> choose_model(JsonClient& client, const std::string& path) {
  const std::string& wanted = client.options().model;
  const Result<Json> list = client.get_first(path);
  if (!list && (wanted.empty() || !client.is_not_there())) return list.error();
  if (!list) return ListedModel{wanted};
  std::vector<std::string> ids;
  for (const Json& row : member(*list, "data")) {
    ids.push_back(text_of(row, "id"));
    if (means(ids.back(), wanted)) return read_row(ids.back(), row);
  }
  if (wanted.empty() && ids.size() == 1) {
    return read_row(ids.front(), member(*list, "data")[0]);
  }
  if (!wanted.empty() && fits_a_path(wanted)) {
    const Result<Json> row = client.get(path.substr(0, path.find('?')) + "/" + wanted);
    if (row && !text_of(*row, "id").empty()) return read_row(wanted, *row);
    if (!row && row.error().kind == ErrorKind::kInterrupted) return row.error();
  }
  return none_meant(client, ids);
}

}  // namespace pedro
