// template_test ROW MODEL.gguf | -rows | -vocabulary ROW | -source ROW | -tokens ROW |
//   -template ROW FILE
//
// Compares a family's rules with its original chat template. A real llama-server
// (PEDROCLI_SERVER_URL) renders the template. Its model has the template, and MODEL's vocabulary
// with the family's control tokens. For each conversation of turns.requests.jsonl, our ids must
// equal those of /apply-template and /tokenize. Conversations that both sides refuse count as
// equal. Then tests hostile contents, see injection.h. PEDROCLI_SLOTS is the server's
// --slot-save-path. A ROW is one of templates.json, with these members:
//
//   "family"         if missing, the row only tests hostile contents
//   "template"       the name in llama.cpp's collection, if not a file of scripts/fetch-vocab
//   "edits"          changes of the template, each with its reason
//   "no_tools"       the template does not render tools, so they are omitted
//   "no_thinking"    the conversation is rendered without thinking
//   "date_by_clock"  the template uses the current date
//   "differences"    the conversations that must differ, each with its reason
//   "injected"       more families whose hostile contents are tested
//   "tokens"         more tokens of the model
//
// The other forms print data for each-template: the rows; the vocabulary of a row's model; its
// control tokens for make_model; the template of FILE with the row's edits. Exit: 0 all as
// expected, 1 a check failed, 2 usage.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/format_family.h"
#include "chat_format/prompt_encoder.h"
#include "llama/given_prompt.h"
#include "llama/injection.h"
#include "llama/template_rows.h"
#include "llm/llama_client.h"
#include "support/read_file.h"
#include "sys/file_system.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

Json rows() {
  return rows_of("templates.json", "templates");
}

const FormatFamily& family_of(const Json& row) {
  return **find_format(text_of(row, "family"));
}

std::string shown(const Given& given, std::size_t from) {
  if (!given.refusal.empty()) return "refused: " + make_printable(given.refusal);
  return Json(std::string(truncate_utf8(std::string_view(given.text).substr(from), 200))).dump();
}

void print_difference(const Given& ours, const Given& theirs) {
  const auto at =
      std::mismatch(ours.text.begin(), ours.text.end(), theirs.text.begin(), theirs.text.end());
  std::size_t from = static_cast<std::size_t>(at.first - ours.text.begin());
  if (ours.text == theirs.text) {
    fmt::print("    the same text, other ids: ours {}, the server's {}\n", fmt::join(ours.ids, " "),
               fmt::join(theirs.ids, " "));
    return;
  }
  while (from > 0 && (static_cast<unsigned char>(ours.text[from - 1]) & 0xC0) == 0x80) --from;
  if (from > 0) --from;
  fmt::print("    ours         {}\n    the server's {}\n", shown(ours, from), shown(theirs, from));
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", *std::localtime(&now));
}

/// A row with its model on the server and its local tokenizer.
struct Setup {
  Json row;
  LlamaClient& client;
  VocabularyTokenizer& tokenizer;
  Thinking thinking;
};

// Returns the number of conversations with unexpected results, or 1 if no conversation is equal.
std::size_t compare_conversations(const Setup& setup) {
  const Json& row = setup.row;
  const FormatFamily& family = family_of(row);
  const std::string date = truth_of(row, "date_by_clock") ? today() : std::string(kDate);
  std::size_t same = 0;
  std::size_t explained = 0;
  std::size_t wrong = 0;
  const std::string requests = read_file(TEST_DATA "/format/turns.requests.jsonl");
  for (const std::string_view line : split_lines(requests)) {
    Json conversation = *parse_json(line);
    if (truth_of(row, "no_tools")) conversation.erase("tools");
    const std::string name = text_of(conversation, "name");
    const Given theirs = by_server(setup.client, conversation, setup.thinking);
    const Given ours = by_us(family, setup.tokenizer, conversation, date);
    const std::string reason = text_of(member(row, "differences"), name);
    if (ours.same(theirs) != reason.empty()) {
      ++wrong;
      fmt::print("  {}: {}\n", name,
                 reason.empty() ? "DIFFERENT" : "the same, though a difference is listed");
      if (!ours.same(theirs)) print_difference(ours, theirs);
    } else if (reason.empty()) {
      ++same;
    } else {
      ++explained;
      fmt::print("  {}: different: {}\n", name, reason);
    }
  }
  fmt::print(
      "{} as {}: {} conversations have the server's ids, {} differ for a known reason, {} "
      "are wrong\n",
      text_of(row, "name"), family.name, same, explained, wrong);
  return same > 0 ? wrong : wrong + 1;
}

/// The renderer whose results are shown next to ours.
enum class Beside { kServer, kNobody };

std::size_t inject(const Setup& setup, const std::string& family, const std::string& slots,
                   Beside beside) {
  fmt::print("hostile contents in {}:\n", family);
  Injection injection(**find_format(family), setup.tokenizer, setup.client, slots);
  const std::size_t wrong = injection.run(!truth_of(setup.row, "no_tools"));
  if (beside == Beside::kServer) injection.print_by_server(setup.thinking);
  return wrong;
}

int compare(const Json& row, const std::string& model) {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  const char* slots = std::getenv("PEDROCLI_SLOTS");
  RealFileSystem files;
  Result<Vocabulary> vocabulary = VocabularyStore(files, {}, ModelRegistry::builtin()).open(model);
  if (url == nullptr || slots == nullptr || !vocabulary) {
    fmt::print(stderr, "template_test: {}\n",
               vocabulary ? "PEDROCLI_SERVER_URL or PEDROCLI_SLOTS is not set"
                          : vocabulary.error().message);
    return 2;
  }
  const auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  CurlHttp http;
  const CancelToken cancel;
  ServerOptions options;
  options.url = url;
  LlamaClient client(http, options, cancel);
  const Thinking thinking = truth_of(row, "no_thinking") ? Thinking::kOff : Thinking::kOn;
  const Setup setup{row, client, **tokenizer, thinking};
  std::size_t wrong = 0;
  Beside beside = Beside::kServer;
  if (row.contains("family")) {
    wrong += compare_conversations(setup);
    wrong += inject(setup, text_of(row, "family"), slots, std::exchange(beside, Beside::kNobody));
  }
  for (const Json& family : member(row, "injected")) {
    wrong += inject(setup, family.get<std::string>(), slots,
                    std::exchange(beside, Beside::kNobody));  // the template is the same
  }
  return wrong == 0 ? 0 : 1;
}

int run(const std::vector<std::string>& args) {
  if (args.size() == 1 && args[0] == "-rows") {
    for (const Json& row : rows()) fmt::print("{}\n", text_of(row, "name"));
    return 0;
  }
  if (args.size() == 2 && args[0] == "-vocabulary") {
    fmt::print("{}\n", text_of(row_named(rows(), args[1]), "vocabulary", "deepseek-coder"));
    return 0;
  }
  if (args.size() == 2 && args[0] == "-source") {
    fmt::print("{}\n", text_of(row_named(rows(), args[1]), "template"));
    return 0;
  }
  if (args.size() == 2 && args[0] == "-tokens") {
    for (const std::string& token : tokens_for_model(row_named(rows(), args[1]))) {
      fmt::print("{}\n", token);
    }
    return 0;
  }
  if (args.size() == 3 && args[0] == "-template") {
    fmt::print("{}", edited_template(row_named(rows(), args[1]), args[2]));
    return 0;
  }
  if (args.size() == 2) return compare(row_named(rows(), args[0]), args[1]);
  fmt::print(stderr,
             "usage: template_test ROW MODEL.gguf | -rows | -vocabulary ROW | -source ROW | "
             "-tokens ROW | -template ROW FILE\n");
  return 2;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::run({argv + 1, argv + argc});
}
