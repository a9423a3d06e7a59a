#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json.h"
#include "base/utf8.h"
#include "model_facts.h"
#include "sys/terminal.h"
#include "text_input.h"
#include "token_source.h"
#include "tokenizer/shown_token.h"
#include "tokens_command.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxShownFileBytes = 1u << 20;

struct ShowOptions {
  TokenSourceOptions source;
  std::string file;
};

/// A token with its bytes.
struct ShownToken {
  TokenId id = 0;
  std::string bytes;
  bool control = false;
};

// Formats tokens in sequence, with two alternating colours and a third one for control tokens.
// Starts a new line after a newline token.
std::string in_colours(const std::vector<ShownToken>& tokens) {
  static constexpr const char* kColours[] = {"\x1b[48;5;24m", "\x1b[48;5;58m"};
  std::string out;
  std::string pending;  // a character shared by several tokens; shown in the colour of the last
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const char* colour = tokens[i].control ? "\x1b[48;5;88m" : kColours[i % 2];
    pending += tokens[i].bytes;
    if (!is_valid_utf8(pending) && i + 1 < tokens.size() && pending.size() < 8) continue;
    std::string shown;
    for (const char c : make_printable(pending)) {
      if (c == '\n')
        shown += "\u21B5\x1b[0m\n" + std::string(colour);
      else if (c == '\t')
        shown += "\u21E5";
      else
        shown += c;
    }
    out += colour + shown + "\x1b[0m";
    pending.clear();
  }
  return out + "\n";
}

std::string in_lines(const std::vector<ShownToken>& tokens) {
  std::string out;
  for (const ShownToken& token : tokens) {
    out += fmt::format("{}\t{}{}\n", token.id, shown_token(token.bytes),
                       token.control ? "\tcontrol" : "");
  }
  return out;
}

std::string in_json(const std::vector<ShownToken>& tokens) {
  std::string out;
  for (const ShownToken& token : tokens) {
    Json line = {{"id", token.id}, {"control", token.control}};
    if (is_valid_utf8(token.bytes)) {
      line["text"] = token.bytes;
    } else {
      line["bytes"] = std::vector<int>();
      for (const char c : token.bytes) line["bytes"].push_back(static_cast<unsigned char>(c));
    }
    out += to_line(line) + "\n";
  }
  return out;
}

Result<std::vector<ShownToken>> tokens_of(TokenSource& source, const std::string& text,
                                          Specials specials) {
  PEDRO_TRY(const auto ids, source.tokenizer->encode(text, specials));
  PEDRO_TRY(auto pieces, source.tokenizer->pieces(ids));
  std::vector<ShownToken> tokens;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    // Skips this for a server, which would need a request per token.
    const bool control = source.local != nullptr && source.local->vocabulary().is_control(ids[i]);
    tokens.push_back({ids[i], std::move(pieces[i]), control});
  }
  return tokens;
}

// Prints the model's row of the table.
Result<int> show_row(CommandContext& context, const std::string& name) {
  PEDRO_TRY(const ModelRegistry registry, load_registry(context));
  const KnownModel* row = registry.model(name);
  if (row == nullptr) return registry.unknown_model(name);
  print(context.global.json ? in_json_lines(name, facts_of(*row)) : in_lines(facts_of(*row)));
  return static_cast<int>(kExitDone);
}

Result<int> run(CommandContext& context, const ShowOptions& options) {
  if (options.file.empty()) {
    if (!options.source.model.empty()) return show_row(context, options.source.model);
    return usage_error("expected a file, or -model NAME");
  }
  PEDRO_TRY(TokenSource source, open_token_source(context, options.source));
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxShownFileBytes));
  std::vector<std::string_view> names;
  const auto tokens = tokens_of(source, input.text, specials_of(options.source, names));
  if (!tokens) return tokens.error().at(input.name);
  const bool colours =
      is_terminal(StandardStream::kOut) && context.environment.get("NO_COLOR").empty();
  print(context.global.json ? in_json(*tokens) : colours ? in_colours(*tokens) : in_lines(*tokens));
  const std::string count =
      source.estimate == nullptr
          ? std::to_string(tokens->size())
          : "\u2248" + std::to_string(source.estimate->estimate_of(tokens->size()));
  print_note(context.global,
             fmt::format("{} tokens by {}", count, source.tokenizer->provider_name()));
  return kExitDone;
}

}  // namespace

CommandFunction add_tokens_show(CLI::App& command) {
  auto options = std::make_shared<ShowOptions>();
  add_token_source(command, options->source);
  command.add_option("file", options->file,
                     "A file, or - for standard input; up to 1 MiB.\n"
                     "With -model and no file: the known properties of the model");
  command.footer(
      "On a terminal the tokens have alternating colours; otherwise each is a line: its id,\n"
      "a tab, its text as a JSON string (\\xNN: a byte that is part of a character).\n");
  return running(run, options);
}

}  // namespace pedro
