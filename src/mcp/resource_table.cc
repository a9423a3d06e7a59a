#include "mcp/resource_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "json_schema/validate.h"
#include "mcp/shown_text.h"

namespace pedro::mcp {
namespace {

constexpr int kMaxVariables = 8;
constexpr std::size_t kMaxShownBytes = 300;
constexpr SchemaLimits kTemplateLimits{.max_depth = 8, .max_nodes = 8, .max_enum_values = 1};

std::string escaped(std::string_view literal) {
  std::string out;
  for (const char c : literal) {
    if (std::string_view(R"(\^$.|?*+()[]{}/-)").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string pattern_of_template(const std::string& uri_template) {
  std::string pattern = "^";
  std::size_t at = 0;
  for (int variables = 0;; ++variables) {
    const std::size_t begin = uri_template.find('{', at);
    pattern += escaped(std::string_view(uri_template).substr(at, begin - at));
    if (begin == uri_template.npos) return variables > 0 ? pattern + "$" : "";
    const std::size_t end = uri_template.find('}', begin);
    if (end == uri_template.npos || end == begin + 1 || variables == kMaxVariables) return "";
    const bool has_operator =
        std::string_view("+#./;?&").find(uri_template[begin + 1]) != std::string_view::npos;
    pattern += fmt::format(R"([^\s"\\<>{{}}{}]{{1,{}}})", has_operator ? "" : "\\/?#",
                           ResourceTable::kMaxValueChars);
    at = end + 1;
  }
}

std::string describe(const ResourceDeclaration& resource) {
  const std::string about = one_line(resource.description, kMaxShownBytes);
  return fmt::format("- {} ({}){}{}\n", resource.uri,
                     resource.is_template ? "template" : one_line(resource.name, kMaxShownBytes),
                     about.empty() ? "" : ": ", about);
}

std::size_t ResourceTable::add(Server& server) {
  std::size_t left_out = 0;
  for (const ResourceDeclaration& declared : server.resources()) {
    const auto same = [&](const Known& one) { return one.declared.uri == declared.uri; };
    if (std::ranges::any_of(known_, same)) continue;
    const auto kind = [&](const Known& one) {
      return one.declared.is_template == declared.is_template;
    };
    const auto limit = declared.is_template ? kMaxTemplates : kMaxKnown;
    Known made{&server, declared, "", {}};
    if (declared.is_template) {
      made.pattern = pattern_of_template(declared.uri);
      auto schema = parse_schema({{"type", "string"}, {"pattern", made.pattern}},
                                 SchemaDialect::kStandard, kTemplateLimits);
      if (made.pattern.empty() || !schema || !schema->unchecked.empty()) {
        ++left_out;
        continue;
      }
      made.schema = *std::move(schema);
    }
    if (static_cast<std::size_t>(std::ranges::count_if(known_, kind)) >= limit) {
      ++left_out;
      continue;
    }
    known_.push_back(std::move(made));
  }
  return left_out;
}

std::size_t ResourceTable::count(const std::string& server) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      known_, [&](const Known& one) { return one.server->name() == server; }));
}

Json ResourceTable::uri_schema() const {
  Json uris = Json::array();
  Json options = Json::array();
  for (const Known& one : known_) {
    if (one.declared.is_template) {
      options.push_back({{"type", "string"}, {"pattern", one.pattern}});
    } else {
      uris.push_back(one.declared.uri);
    }
  }
  if (!uris.empty()) options.insert(options.begin(), Json{{"enum", std::move(uris)}});
  return {{"anyOf", std::move(options)}};
}

Server* ResourceTable::server_of(const std::string& uri) const {
  for (const Known& one : known_) {
    if (one.declared.uri == uri && !one.declared.is_template) return one.server;
  }
  for (const Known& one : known_) {
    if (one.declared.is_template && !validate(one.schema, uri)) return one.server;
  }
  return nullptr;
}

}  // namespace pedro::mcp
