#include "json_schema/resolve_uri.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

// Each part includes its delimiters, so that the parts in a row are the URI.
struct UriParts {
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
  std::string_view query;
};

std::string_view take_until(std::string_view& text, std::size_t end) {
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(taken.size());
  return taken;
}

UriParts parts_of(std::string_view uri) {
  uri = uri.substr(0, uri.find('#'));
  UriParts parts;
  const std::size_t mark = uri.find_first_of(":/?");
  if (mark != std::string_view::npos && mark > 0 && uri[mark] == ':') {
    parts.scheme = take_until(uri, mark + 1);
  }
  if (uri.starts_with("//")) parts.authority = take_until(uri, uri.find_first_of("/?", 2));
  parts.path = take_until(uri, uri.find('?'));
  parts.query = uri;
  return parts;
}

std::string without_dots(std::string_view path) {
  std::vector<std::string> kept;
  const std::vector<std::string_view> steps = split(path, '/');
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool dots = steps[i] == "." || steps[i] == "..";
    if (steps[i] == ".." && kept.size() > 1) kept.pop_back();
    if (!dots) kept.emplace_back(steps[i]);
    if (dots && i + 1 == steps.size()) kept.emplace_back();
  }
  return join(kept, "/");
}

}  // namespace

std::string resolve_uri(std::string_view base, std::string_view reference) {
  UriParts to = parts_of(reference);
  std::string path(to.path);
  if (to.scheme.empty()) {
    const UriParts from = parts_of(base);
    to.scheme = from.scheme;
    const bool relative = to.authority.empty() && !path.starts_with('/');
    if (relative && path.empty() && to.query.empty()) to.query = from.query;
    if (relative) {
      const std::string_view folder = from.path.substr(0, from.path.rfind('/') + 1);
      const bool bare = !from.authority.empty() && folder.empty();
      path = path.empty() ? std::string(from.path) : (bare ? "/" : std::string(folder)) + path;
    }
    if (to.authority.empty()) to.authority = from.authority;
  }
  return std::string(to.scheme).append(to.authority).append(without_dots(path)).append(to.query);
}

}  // namespace pedro
