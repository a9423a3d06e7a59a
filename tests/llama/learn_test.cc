// learn_test [-print] NAME | -rows | -all | -tokens | -eos NAME MODEL.gguf
//
// Tests choose_format() and learn_format() for a chat template on a real llama-server
// (PEDROCLI_SERVER_URL). Compares the recognized family, the learned parts and the kinds of gaps
// with the row NAME of tests/data/format/learned.json. Then compares our ids with those of
// /apply-template and /tokenize. It uses each conversation of turns.requests.jsonl that needs only
// learned parts. Those under "differences" must differ, each with its reason.
//
// -print prints the actual row. The other forms print data for learn-templates: the names of the
// default rows, and of all rows; the tokens of all templates for make_model; the id of the row's
// "eos" in a model, if it has one. Exit: 0 all as expected, 1 a check failed, 2 usage.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/prompt_encoder.h"
#include "chat_format/write_chat_request.h"
#include "llm/llama_client.h"
#include "messages_api/read_chat_request.h"
#include "support/read_file.h"
#include "sys/file_system.h"
#include "template_learner/choose_format.h"
#include "tokenizer/server_tokenizer.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

Json expectations() {
  return *parse_json(read_file(TEST_DATA "/format/learned.json"));
}

Json rows() {
  return member(expectations(), "templates");
}

Json row_named(const std::string& name) {
  for (const Json& row : rows()) {
    if (text_of(row, "name") == name) return row;
  }
  return Json::object();
}

Json kinds_of(const std::vector<FormatGap>& gaps) {
  Json out = Json::array();
  for (const FormatGap& gap : gaps) {
    if (std::find(out.begin(), out.end(), to_string(gap.kind)) == out.end()) {
      out.push_back(to_string(gap.kind));
    }
  }
  return out;
}

/// Returns true if the format supports all features of a conversation.
bool knows(const LearnedFormat& format, const ChatRequest& request) {
  bool known = format.turns && (request.tools.empty() || format.tools);
  for (const ChatMessage& message : request.messages) {
    const bool calls = !message.calls.empty();
    const auto has = [&](ContentChunk::Kind kind) {
      return std::any_of(message.content.begin(), message.content.end(),
                         [&](const ContentChunk& chunk) { return chunk.kind == kind; });
    };
    if (calls || message.role == Role::kTool) known = known && format.calls;
    if (message.calls.size() > 1) known = known && format.several;
    if (calls && has(ContentChunk::Kind::kText)) known = known && format.text;
    if (has(ContentChunk::Kind::kThinking)) known = known && format.thinking;
  }
  return known;
}

Json learned_parts(const LearnedFormat& format) {
  Json out = Json::array();
  const std::pair<const char*, bool> parts[] = {
      {"turns", format.turns},     {"tools", format.tools}, {"calls", format.calls},
      {"several", format.several}, {"text", format.text},   {"thinking", format.thinking}};
  for (const auto& [name, is_learned] : parts) {
    if (is_learned) out.push_back(name);
  }
  return out;
}

// Returns true if a difference in a conversation is covered by a reported gap.
bool is_reported(const std::string& conversation, const std::vector<FormatGap>& gaps) {
  const FormatGap::Kind kind = conversation.starts_with("blanks")  ? FormatGap::Kind::kBlanks
                               : conversation.starts_with("empty") ? FormatGap::Kind::kEmpty
                                                                   : FormatGap::Kind::kTools;
  return std::any_of(gaps.begin(), gaps.end(),
                     [&](const FormatGap& gap) { return gap.kind == kind; });
}

class Comparison {
 public:
  Comparison(const LearnedFormat& format, ServedTemplate& served, LlamaClient& client)
      : format_(format), served_(served), client_(client), tokenizer_(client.poster()) {}

  /// The names of the conversations that differ, with the places of the differences.
  Json run() {
    Json different = Json::object();
    const std::string requests = read_file(TEST_DATA "/format/turns.requests.jsonl");
    for (const std::string_view line : split_lines(requests)) {
      const Json conversation = *parse_json(line);
      const Result<ChatRequest> request = read_chat_request(line);
      if (!request || !knows(format_, *request)) continue;
      ++compared_;
      const std::string found = compare(*request);
      if (!found.empty()) different[text_of(conversation, "name")] = found;
    }
    return different;
  }

  std::size_t compared() const { return compared_; }

 private:
  std::string compare(const ChatRequest& request) {
    const Result<std::string> theirs = served_.render(request, {});
    const Result<Prompt> ours = render_conversation(format_.family, request);
    if (!ours || !theirs) {
      return ours.ok() == theirs.ok() ? ""
             : ours.ok()              ? "the server: " + theirs.error().message.substr(0, 300)
                                      : "we: " + ours.error().message;
    }
    const auto ids = encode_prompt(*ours, tokenizer_);
    if (!ids) return ids.error().message;
    const Result<Json> answer = client_.post(
        "/tokenize", {{"content", *theirs}, {"add_special", true}, {"parse_special", true}});
    if (!answer) return answer.error().message;
    if (member(*answer, "tokens").get<std::vector<TokenId>>() == *ids) return "";
    const std::string text = to_text(*ours);
    auto at = static_cast<std::size_t>(
        std::mismatch(text.begin(), text.end(), theirs->begin(), theirs->end()).first -
        text.begin());
    while (at > 0 && (static_cast<unsigned char>(text[at - 1]) & 0xC0U) == 0x80U) --at;
    at -= std::min<std::size_t>(at, 20);
    const auto shown = [&](const std::string& all) {
      return to_line(make_printable(all.substr(std::min(all.size(), at), 160)));
    };
    return fmt::format("ours {} theirs {}", shown(text), shown(*theirs));
  }

  const LearnedFormat& format_;
  ServedTemplate& served_;
  LlamaClient& client_;
  ServerTokenizer tokenizer_;
  std::size_t compared_ = 0;
};

int run_row(const std::string& name, bool print) {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  if (url == nullptr) {
    fmt::print(stderr, "learn_test: PEDROCLI_SERVER_URL is not set\n");
    return 2;
  }
  CurlHttp http;
  const CancelToken cancel;
  ServerOptions options;
  options.url = url;
  LlamaClient client(http, options, cancel);
  LlamaTemplate served(client);
  ServerTokenizer tokenizer(client.poster());
  Json row = {{"name", name}};
  const Result<ChosenFormat> chosen = choose_format(served, tokenizer);
  TemplateProbes probes(served);
  const Result<LearnedFormat> learned = learn_format(probes, tokenizer);
  if (!chosen || !learned) {
    const Error& error = chosen ? learned.error() : chosen.error();
    fmt::print("{}: {}\n", name, error.message);
    return 1;
  }
  row["format"] = chosen->family.name;
  row["likeness"] = to_string(chosen->likeness);
  row["syntax"] = chosen->syntax ? to_string(*chosen->syntax) : "";
  row["gaps"] = kinds_of(chosen->gaps);
  row["learned"] = learned_parts(*learned);
  if (!chosen->is_learned) row["not_learned"] = kinds_of(learned->gaps);
  Comparison comparison(*learned, served, client);
  const Json different = comparison.run();

  const Json expected = row_named(name);
  const Json& reasons = member(expected, "differences");
  bool good = chosen->is_learned || chosen->requests <= 10;
  if (!good) fmt::print("  {} requests for a known family\n", chosen->requests);
  for (const auto& [conversation, what] : different.items()) {
    const std::string reason = text_of(reasons, conversation);
    if (reason.empty()) {
      good = false;
      fmt::print("  {}: DIFFERENT: {}\n", conversation, what.get<std::string>());
    }
    row["differences"][conversation] = reason;
    if (!is_reported(conversation, learned->gaps)) {
      good = false;
      fmt::print("  {}: different, and no gap says so\n", conversation);
    }
  }
  for (const auto& [conversation, reason] : reasons.items()) {
    if (different.contains(conversation)) continue;
    good = false;
    fmt::print("  {}: the same, though a difference is listed: {}\n", conversation,
               reason.get<std::string>());
  }
  for (const char* key : {"eos", "default"}) {
    if (expected.contains(key)) row[key] = member(expected, key);
  }
  if (print) {
    for (const FormatGap& gap : learned->gaps) {
      fmt::print(stderr, "  {} gap {}: {}\n", name, to_string(gap.kind), gap.what);
    }
    fmt::print("{}\n", to_line(row));
    return 0;
  }
  for (const auto& [key, value] : row.items()) {
    if (key == "differences" || member(expected, key) == value) continue;
    good = false;
    fmt::print("  {}: {} is {}, expected {}\n", name, key, to_line(value),
               to_line(member(expected, key)));
  }
  const std::string parts = to_line(row["learned"]);
  fmt::print(
      "{:<50} {:<18} {:<5} {:>2} requests; learned in {:>2}: {}; {} conversations, {} other\n",
      name, chosen->family.name, to_string(chosen->likeness), chosen->requests, probes.requests(),
      parts, comparison.compared(), different.size());
  return good ? 0 : 1;
}

int print_eos(const Json& row, const std::string& model) {
  const std::string eos = text_of(row, "eos");
  if (eos.empty()) return 0;
  RealFileSystem files;
  Result<Vocabulary> vocabulary = VocabularyStore(files, {}, ModelRegistry::builtin()).open(model);
  if (!vocabulary) return 1;
  const auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  const auto id = tokenizer ? (*tokenizer)->id_of(eos) : std::optional<TokenId>();
  if (!id || !*id) return 1;
  fmt::print("{}\n", **id);
  return 0;
}

int run(const std::vector<std::string>& args) {
  if (args.size() == 1 && (args[0] == "-rows" || args[0] == "-all")) {
    for (const Json& row : rows()) {
      if (args[0] == "-all" || truth_of(row, "default")) fmt::print("{}\n", text_of(row, "name"));
    }
    return 0;
  }
  if (args.size() == 1 && args[0] == "-tokens") {
    const Json all = expectations();
    for (const Json& token : member(all, "tokens")) {
      fmt::print("{}\n", token.get<std::string>());
    }
    return 0;
  }
  if (args.size() == 3 && args[0] == "-eos") return print_eos(row_named(args[1]), args[2]);
  if (args.size() == 2 && args[0] == "-print") return run_row(args[1], true);
  if (args.size() == 1 && !args[0].starts_with('-')) return run_row(args[0], false);
  fmt::print(stderr,
             "usage: learn_test [-print] NAME | -rows | -all | -tokens | -eos NAME MODEL.gguf\n");
  return 2;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::run({argv + 1, argv + argc});
}
