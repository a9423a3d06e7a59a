#include "tools/ctags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "base/text.h"
#include "tools/language.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTagsBytes = 8u << 20;
constexpr double kTimeoutS = 30;

using MaybeTags = std::optional<std::vector<Tag>>;

// Parses line, kind, file, scope and name, separated by tabs.
std::optional<Tag> parse_tag(std::string_view line) {
  const std::vector<std::string_view> fields = split(line, '\t');
  if (fields.size() != 5) return std::nullopt;
  Tag tag;
  const auto [end, error] =
      std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), tag.line);
  if (error != std::errc() || tag.line == 0) return std::nullopt;
  tag.kind = fields[1];
  tag.path = fields[2].starts_with("./") ? fields[2].substr(2) : fields[2];
  tag.scope = fields[3];
  tag.name = fields[4];
  return tag;
}

std::vector<Tag> parse_tags(const std::string& out) {
  std::vector<Tag> tags;
  for (const std::string_view line : split_lines(out)) {
    if (auto tag = parse_tag(line)) tags.push_back(std::move(*tag));
  }
  std::sort(tags.begin(), tags.end(), [](const auto& a, const auto& b) {
    return std::tie(a.path, a.line, a.name) < std::tie(b.path, b.line, b.name);
  });
  return tags;
}

Command base_command(ToolContext& context, const std::string& ctags) {
  Command command;
  command.argv = {ctags, "--options=NONE", "--quiet"};
  command.folder = context.tree.root();
  command.timeout_s = kTimeoutS;
  command.max_output_bytes = kMaxTagsBytes;
  return command;
}

// Returns nothing if the command failed. Errors: only kInterrupted.
Result<std::optional<std::string>> output_of(ToolContext& context, const Command& command) {
  const auto result = context.processes.run(command, context.cancel);
  if (!result && result.error().kind == ErrorKind::kInterrupted) return result.error();
  if (!result || !result->ok()) return std::optional<std::string>();
  return std::optional(result->out);
}

}  // namespace

bool is_whole_definition(const Tag& tag) {
  constexpr std::array<std::string_view, 8> kParts = {
      "enumerator", "local", "parameter", "header", "label", "unknown", "nsprefix", "externvar"};
  if (tag.kind == "member") return language_of(tag.path) == Language::kPython;  // a method there
  return std::find(kParts.begin(), kParts.end(), tag.kind) == kParts.end();
}

Result<MaybeTags> find_tags(ToolContext& context, const std::vector<std::string>& paths,
                            TagKinds kinds) {
  const std::string ctags = context.processes.find("ctags");
  if (ctags.empty()) return MaybeTags();
  Command command = base_command(context, ctags);
  // Only Universal Ctags knows these options; others fail.
  command.argv.insert(command.argv.end(),
                      {"--sort=no", "-x", "--_xformat=%n\t%K\t%F\t%s\t%N", "-f", "-"});
  if (kinds == TagKinds::kDeclarationsToo) {
    command.argv.insert(command.argv.end(), {"--kinds-C=+p", "--kinds-C++=+p"});
  }
  for (const std::string& path : paths) command.argv.push_back("./" + path);
  PEDRO_TRY(const auto listed, output_of(context, command));
  if (!listed) return MaybeTags();
  return MaybeTags(parse_tags(*listed));
}

}  // namespace pedro
