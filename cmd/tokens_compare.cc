#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "base/utf8.h"
#include "text_input.h"
#include "token_source.h"
#include "tokens_command.h"

namespace pedro {
namespace {

constexpr std::size_t kContextTokens = 4;  // shown before and after the first difference

struct CompareOptions {
  TokenSourceOptions a;
  TokenSourceOptions b;
  std::string file;
};

/// The tokens of one vocabulary for a text.
struct Side {
  std::string name;
  std::vector<std::string> pieces;
  std::vector<TokenId> ids;
};

Result<Side> side_of(CommandContext& context, const LoadedConfig& config,
                     const TokenSourceOptions& options, const TextInput& input) {
  PEDRO_TRY(TokenSource source, open_token_source(context, config, options));
  std::vector<std::string_view> names;
  const auto ids = source.tokenizer->encode(input.text, specials_of(options, names));
  if (!ids) return ids.error().at(input.name);
  PEDRO_TRY(auto pieces, source.tokenizer->pieces(*ids));
  return Side{source.tokenizer->provider_name(), std::move(pieces), *ids};
}

std::string around(const Side& side, std::size_t at) {
  std::string out;
  const std::size_t begin = at - std::min(at, kContextTokens);
  const std::size_t end = std::min(side.pieces.size(), at + kContextTokens + 1);
  for (std::size_t i = begin; i < end; ++i) {
    out += fmt::format("{}{}:{}", i == begin ? "" : " ", side.ids[i],
                       to_line(Json(make_printable(side.pieces[i]))));
  }
  return out + (end == side.pieces.size() ? " (end)" : "");
}

Result<int> run(CommandContext& context, const CompareOptions& options) {
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxTokenInputBytes));
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  PEDRO_TRY(const auto a, side_of(context, config, options.a, input));
  PEDRO_TRY(const auto b, side_of(context, config, options.b, input));
  const std::size_t shorter = std::min(a.ids.size(), b.ids.size());
  std::size_t at = 0;
  std::size_t offset = 0;
  while (at < shorter && a.ids[at] == b.ids[at] && a.pieces[at] == b.pieces[at]) {
    offset += a.pieces[at++].size();
  }
  const bool same = at == a.ids.size() && at == b.ids.size();
  if (context.global.json) {
    Json line = {{"same", same}, {"a", a.ids.size()}, {"b", b.ids.size()}};
    if (!same) line["first_difference"] = {{"token", at}, {"byte", offset}};
    print(to_line(line) + "\n");
  } else if (same) {
    const std::size_t count = a.ids.size();
    print(count == 1 ? "the same token\n" : fmt::format("the same {} tokens\n", count));
  } else {
    print(fmt::format("{}: {} tokens by {}, {} by {}; different from token {} on, at byte {}\n",
                      make_printable(input.name), a.ids.size(), a.name, b.ids.size(), b.name, at,
                      offset));
    print(fmt::format("a: {}\nb: {}\n", around(a, at), around(b, at)));
  }
  return same ? kExitDone : kExitNo;
}

}  // namespace

CommandFunction add_tokens_compare(CLI::App& command) {
  auto options = std::make_shared<CompareOptions>();
  command.add_option("--a", options->a.vocabulary, "A vocabulary: a name or a file")->required();
  command.add_option("--b", options->b.vocabulary, "Another one (default: the server)");
  command.add_option("--server", options->b.server, "The server to compare with");
  command.add_option("--specials", options->a.specials,
                     "Special tokens in the text: none, all, or a comma-separated list");
  command.add_option("file", options->file, "A file, or - for standard input; up to 256 MiB")
      ->required();
  command.footer("Exit codes: 0 the same ids of the same bytes, 1 different; prints the place.\n");
  return [options](CommandContext& context) {
    options->b.specials = options->a.specials;
    options->b.server_itself = true;
    return exit_code(run(context, *options), context.cancel);
  };
}

}  // namespace pedro
