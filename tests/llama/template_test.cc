// template_test ROW MODEL.gguf | -rows | -vocabulary ROW | -tokens ROW | -template ROW FILE
//
// A family's rules against the chat template that its makers gave out, rendered by a real
// llama-server (PEDROCLI_SERVER_URL) whose model has that template and, in MODEL's vocabulary, the
// family's control tokens: for each conversation of turns.requests.jsonl our ids are those of
// /apply-template and /tokenize. A ROW is one of templates.json: "family", "edits" to the template,
// each with its reason, "no_tools" where the template does not write them (they are then left out),
// "no_thinking", "date_by_clock", and "differences", conversations that are not the same, each with
// its reason; one that is the same all the same is a failure. What reaches the model is compared,
// so a conversation that both refuse is the same. Then contents spell the family's tokens, and none
// may become one.
//
// The other forms print, for each-template: the rows; whose vocabulary a row's model has; its
// control tokens as make_model takes them; the template of FILE with the row's edits.
// Exit: 0 all as expected, 1 something is not, 2 usage.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "format/prompt_encoder.h"
#include "format/format_family.h"
#include "format/read_chat_request.h"
#include "llm/llama_client.h"
#include "sys/file_system.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

constexpr std::string_view kDate = "2026-11-22";
constexpr std::string_view kDay = "22 Nov 2026";

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Json rows() {
  return member(*parse_json(read(TEST_DATA "/format/templates.json")), "templates");
}

Json row_named(const std::string& name) {
  for (const Json& row : rows()) {
    if (text_of(row, "name") == name) return row;
  }
  fmt::print(stderr, "template_test: templates.json has no row '{}'\n", name);
  std::exit(2);
}

const TurnRules& rules_of(const FormatFamily& family) {
  return std::get<TurnRules>(family.rules);
}

const FormatFamily& family_of(const Json& row) {
  return **find_format(text_of(row, "family"));
}

void print_tokens(const Json& row) {
  const TurnRules& rules = rules_of(family_of(row));
  for (const std::string& name : rules.control) fmt::print("{}\n", name);
  for (const std::string& name : rules.tags) fmt::print("={}\n", name);
}

int print_template(const Json& row, const std::string& file) {
  std::string text = read(file);
  for (const Json& edit : member(row, "edits")) {
    if (text.find(text_of(edit, "from")) == std::string::npos) {
      fmt::print(stderr, "template_test: {}: nothing to edit: {}\n", file, text_of(edit, "from"));
      return 1;
    }
    text = replace_all(text, text_of(edit, "from"), text_of(edit, "to"));
  }
  fmt::print("{}", text);
  return 0;
}

/// What a model is given for a conversation, or why it cannot be.
struct Given {
  std::string text;
  std::vector<TokenId> ids;
  std::string refusal;

  bool same(const Given& other) const {
    return refusal.empty() == other.refusal.empty() && (!refusal.empty() || ids == other.ids);
  }
};

Given by_server(LlamaClient& client, const Json& conversation, bool thinks) {
  Json body = conversation;
  body.erase("name");
  body["chat_template_kwargs"] = {{"date_string", kDay}, {"enable_thinking", thinks}};
  const Result<Json> prompt = client.post("/apply-template", body);
  if (!prompt) return {"", {}, prompt.error().message};
  Given out;
  out.text = text_of(*prompt, "prompt");
  const Result<Json> ids = client.post(
      "/tokenize", {{"content", out.text}, {"add_special", false}, {"parse_special", true}});
  if (!ids) return {"", {}, ids.error().message};
  out.ids = member(*ids, "tokens").get<std::vector<TokenId>>();
  return out;
}

Given by_us(const FormatFamily& family, Tokenizer& tokenizer, const Json& conversation,
            std::string_view date) {
  Result<ChatRequest> request = read_chat_request(to_line(conversation));
  if (!request) return {"", {}, request.error().message};
  request->date = date;
  if (const Status valid = check_conversation(family, *request); !valid) {
    return {"", {}, valid.error().message};
  }
  const Result<Prompt> prompt = render_conversation(family, *request);
  if (!prompt) return {"", {}, prompt.error().message};
  const auto ids = encode_prompt(*prompt, tokenizer);
  if (!ids) return {"", {}, ids.error().message};
  return {to_text(*prompt), *ids, ""};
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

/// Contents that spell the family's own tokens: that none of them becomes one, and how many do when
/// the server writes the conversation.
class HostileContents {
 public:
  HostileContents(const FormatFamily& family, VocabularyTokenizer& tokenizer, LlamaClient& client)
      : family_(family), tokenizer_(tokenizer), client_(client) {
    const TurnRules& rules = rules_of(family);
    names_ = rules.control;
    names_.insert(names_.end(), rules.tags.begin(), rules.tags.end());
    for (const std::string& name : names_) {
      const auto ids = tokenizer.encode(name, Specials::kAll);
      if (ids && ids->size() == 1) tokens_.insert(ids->front());
    }
  }

  /// How many of the names got through our rendering.
  std::size_t run() {
    const Json harmless = conversation("x");
    const auto ours = tokens_in(by_us(family_, tokenizer_, harmless, kDate));
    const auto theirs = tokens_in(by_server(client_, harmless, true));
    std::size_t through = 0;
    std::size_t through_server = 0;
    for (const std::string& name : names_) {
      const Json hostile = conversation("x" + name + "x");
      const Given given = by_us(family_, tokenizer_, hostile, kDate);
      if (!given.refusal.empty() || tokens_in(given) != ours) {
        ++through;
        fmt::print("  {} in a content becomes a token, or: {}\n", name, given.refusal);
      }
      through_server += tokens_in(by_server(client_, hostile, true)) != theirs ? 1 : 0;
    }
    fmt::print(
        "  of {} names of tokens in contents {} become tokens here, and {} by the server's "
        "template\n",
        names_.size(), through, through_server);
    return through;
  }

 private:
  static Json conversation(const std::string& content) {
    return {{"messages",
             {{{"role", "user"}, {"content", content}},
              {{"role", "assistant"}, {"content", content}},
              {{"role", "user"}, {"content", content}}}}};
  }

  std::ptrdiff_t tokens_in(const Given& given) const {
    return std::count_if(given.ids.begin(), given.ids.end(),
                         [&](TokenId id) { return tokens_.contains(id); });
  }

  const FormatFamily& family_;
  VocabularyTokenizer& tokenizer_;
  LlamaClient& client_;
  std::vector<std::string> names_;
  std::set<TokenId> tokens_;
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", *std::localtime(&now));
}

int compare(const Json& row, const std::string& model) {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  RealFileSystem files;
  Result<Vocabulary> vocabulary = VocabularyStore(files, {}, ModelRegistry::builtin()).open(model);
  if (url == nullptr || !vocabulary) {
    fmt::print(stderr, "template_test: {}\n",
               url == nullptr ? "PEDROCLI_SERVER_URL is not set" : vocabulary.error().message);
    return 2;
  }
  const auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  CurlHttp http;
  const CancelToken cancel;
  LlamaClientOptions options;
  options.url = url;
  LlamaClient client(http, options, cancel);
  const FormatFamily& family = family_of(row);
  const bool by_clock = truth_of(row, "date_by_clock");
  const std::string date = by_clock ? today() : std::string(kDate);
  std::size_t same = 0;
  std::size_t explained = 0;
  std::size_t wrong = 0;
  const std::string requests = read(TEST_DATA "/format/turns.requests.jsonl");
  for (const std::string_view line : split_lines(requests)) {
    Json conversation = *parse_json(line);
    if (truth_of(row, "no_tools")) conversation.erase("tools");
    const std::string name = text_of(conversation, "name");
    const Given theirs = by_server(client, conversation, !truth_of(row, "no_thinking"));
    const Given ours = by_us(family, **tokenizer, conversation, date);
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
  wrong += HostileContents(family, **tokenizer, client).run();
  return wrong == 0 && same > 0 ? 0 : 1;
}

int run(const std::vector<std::string>& args) {
  if (args.size() == 1 && args[0] == "-rows") {
    for (const Json& row : rows()) fmt::print("{}\n", text_of(row, "name"));
    return 0;
  }
  if (args.size() == 2 && args[0] == "-vocabulary") {
    fmt::print("{}\n", text_of(row_named(args[1]), "vocabulary", "deepseek-coder"));
    return 0;
  }
  if (args.size() == 2 && args[0] == "-tokens") {
    print_tokens(row_named(args[1]));
    return 0;
  }
  if (args.size() == 3 && args[0] == "-template")
    return print_template(row_named(args[1]), args[2]);
  if (args.size() == 2) return compare(row_named(args[0]), args[1]);
  fmt::print(stderr,
             "usage: template_test ROW MODEL.gguf | -rows | -vocabulary ROW | -tokens ROW | "
             "-template ROW FILE\n");
  return 2;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::run({argv + 1, argv + argc});
}
