#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "command.h"
#include "model_facts.h"
#include "sys/read_parts.h"
#include "sys/terminal.h"
#include "token_source.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/token_counter.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

// Maximum input of encode, show and compare, in bytes. One GiB can be tokenized at once, and ids
// require more memory than text.
constexpr std::uint64_t kMaxTokenInputBytes = 256u << 20;

constexpr std::uint64_t kMaxServerInputBytes = 64u << 20;

struct CountOptions {
  TokenSourceOptions source;
  std::vector<std::string> files;
};

struct Count {
  std::size_t tokens = 0;
  bool exact = true;
};

class Counting {
 public:
  Counting(CommandContext& context, TokenSource source, Specials specials)
      : context_(context), source_(std::move(source)), specials_(specials) {}

  int run(const std::vector<std::string>& files) {
    Count total;
    int code = kExitDone;
    for (const std::string& file : files) {
      const Result<Count> count = count_file(file);
      if (!count) {
        code = report_error(count.error(), context_.cancel);
        if (context_.cancel.cancelled()) return code;
        continue;
      }
      total.tokens += count->tokens;
      total.exact = total.exact && count->exact;
      tell(*count, file);
    }
    if (files.size() > 1) tell(total, "total");
    return code;
  }

 private:
  Result<Count> count_file(const std::string& file) {
    if (source_.local == nullptr) {
      PEDRO_TRY(const TextInput input, read_input(context_, file, kMaxServerInputBytes));
      const auto tokens = source_.tokenizer->count(input.text, specials_);
      if (!tokens) return tokens.error().at(input.name);
      return Count{*tokens, source_.tokenizer->is_exact()};
    }
    TokenCounter counter(*source_.local, specials_);
    if (source_.traced != nullptr) {
      counter.on_part([&](std::string_view part, TextPlace where) { trace(file, part, where); });
    }
    PEDRO_RETURN_IF_ERROR(read_parts(file, context_.cancel,
                                     [&](std::string_view part) { return counter.add(part); }));
    const auto tokens = counter.finish();
    if (!tokens) return tokens.error().at(file);
    Count count{*tokens, counter.is_exact() && source_.estimate == nullptr};
    if (source_.estimate != nullptr) count.tokens = source_.estimate->estimate_of(count.tokens);
    return count;
  }

  // Tokenizes again for the trace, because counting creates no ids.
  void trace(const std::string& file, std::string_view part, TextPlace where) const {
    if (part.empty()) return;
    const long long begin = context_.clock.ticks_us();
    const auto ids = source_.local->encode_part(part, specials_, where);
    const long long us = context_.clock.ticks_us() - begin;
    const std::string_view what = file == "-" ? std::string_view("standard input") : file;
    if (ids) source_.traced->tell({part, specials_, what}, *ids, {us});
  }

  void tell(const Count& count, const std::string& name) const {
    if (context_.global.json) {
      print_json({{"tokens", count.tokens},
                  {"exact", count.exact},
                  {"name", name},
                  {"by", source_.tokenizer->provider_name()}});
      return;
    }
    const std::string shown = name == "-" ? "" : " " + make_printable(name);
    print(fmt::format("{:>7}{}\n", (count.exact ? "" : "\u2248") + std::to_string(count.tokens),
                      shown));
  }

  CommandContext& context_;
  TokenSource source_;
  Specials specials_;
};

Result<int> run(CommandContext& context, const CountOptions& options) {
  PEDRO_TRY(TokenSource source, open_token_source(context, options.source));
  std::vector<std::string_view> names;
  const Specials specials = specials_of(options.source, names);
  return Counting(context, std::move(source), specials).run(options.files);
}

CommandFunction add_tokens_count(CLI::App& command) {
  auto options = std::make_shared<CountOptions>();
  add_token_source(command, options->source);
  command.add_option("files", options->files, "Files, or - for standard input; of any size")
      ->required();
  return running(run, options);
}

struct DecodeOptions {
  TokenSourceOptions source;
  std::string file;
};

bool is_separator(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == '[' || c == ']';
}

// Reads ids, separated by blanks or as a JSON array.
Result<std::vector<TokenId>> read_ids(const TextInput& input) {
  std::vector<TokenId> ids;
  const char* at = input.text.data();
  const char* const end = at + input.text.size();
  while (at != end) {
    if (is_separator(*at)) {
      ++at;
      continue;
    }
    TokenId id = 0;
    const auto [behind, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (behind != end && !is_separator(*behind))) {
      return usage_error(
          fmt::format("{}: byte {}: expected a token id", input.name, at - input.text.data()));
    }
    ids.push_back(id);
    at = behind;
  }
  return ids;
}

Result<int> run(CommandContext& context, const DecodeOptions& options) {
  PEDRO_TRY(TokenSource source, open_token_source(context, options.source));
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxTokenInputBytes));
  PEDRO_TRY(const auto ids, read_ids(input));
  PEDRO_TRY(const auto text, source.tokenizer->decode(ids));
  note_estimate(context, source);
  print(text);
  return kExitDone;
}

CommandFunction add_tokens_decode(CLI::App& command) {
  auto options = std::make_shared<DecodeOptions>();
  add_token_source(command, options->source);
  command
      .add_option("file", options->file,
                  "Ids separated by blanks or commas: a file, or - for standard input")
      ->required();
  command.footer("Prints the tokens' bytes, and nothing after them.\n");
  return running(run, options);
}

struct EncodeOptions {
  TokenSourceOptions source;
  std::string file;
};

Result<int> run(CommandContext& context, const EncodeOptions& options) {
  PEDRO_TRY(TokenSource source, open_token_source(context, options.source));
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxTokenInputBytes));
  std::vector<std::string_view> names;
  const auto ids = source.tokenizer->encode(input.text, specials_of(options.source, names));
  if (!ids) return ids.error().at(input.name);
  note_estimate(context, source);
  if (context.global.json) {
    print_json(*ids);
    return kExitDone;
  }
  std::string out;
  for (const TokenId id : *ids) {
    if (!out.empty()) out += ' ';
    fmt::format_to(std::back_inserter(out), "{}", id);
  }
  print(out + "\n");
  return kExitDone;
}

CommandFunction add_tokens_encode(CLI::App& command) {
  auto options = std::make_shared<EncodeOptions>();
  add_token_source(command, options->source);
  command.add_option("file", options->file, "A file, or - for standard input; up to 256 MiB")
      ->required();
  return running(run, options);
}

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
    print_json(line);
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

}  // namespace

CommandFunction add_tokens_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"count", "Count the tokens of files or standard input", add_tokens_count},
      {"encode", "Print the token ids of a text", add_tokens_encode},
      {"decode", "Print the text of token ids", add_tokens_decode},
      {"show", "Show how a text is split into tokens", add_tokens_show},
      {"compare", "Find the first token in which two vocabularies differ", add_tokens_compare},
  };
  return add_commands_below(
      command, kCommands,
      "Exit codes: 0 done (of compare: the same), 1 different, 2 usage, 3 configuration, 4 the "
      "server.\n");
}

}  // namespace pedro
