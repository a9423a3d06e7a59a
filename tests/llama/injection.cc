#include "llama/injection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/utf8.h"
#include "chat_format/prompt_encoder.h"
#include "messages_api/read_chat_request.h"
#include "support/hostile_texts.h"

namespace pedro {
namespace {

Json text_message(std::string_view role, const std::string& text) {
  return {{"role", role}, {"content", text}};
}

Json call_message(std::string_view id, std::string_view tool, const Json& args) {
  const Json call = {{"id", id},
                     {"type", "function"},
                     {"function", {{"name", tool}, {"arguments", to_line(args)}}}};
  return {{"role", "assistant"}, {"content", ""}, {"tool_calls", Json::array({call})}};
}

Json result_message(std::string_view id, const std::string& text) {
  return {{"role", "tool"}, {"tool_call_id", id}, {"content", text}};
}

Json tool(const std::string& name, const std::string& description) {
  const Json parameters = {{"type", "object"}, {"properties", Json::object()}};
  return {{"type", "function"},
          {"function", {{"name", name}, {"description", description}, {"parameters", parameters}}}};
}

// The integers at the start of a file; the file of a saved slot contains its tokens there.
std::vector<std::int32_t> numbers_of(const std::string& file, std::size_t count) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(count * 4, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()) / 4 * 4);
  std::vector<std::int32_t> numbers(bytes.size() / 4);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

Injection::Injection(const FormatFamily& family, VocabularyTokenizer& tokenizer,
                     LlamaClient& client, std::string slots)
    : family_(family), tokenizer_(tokenizer), client_(client), slots_(std::move(slots)) {
  contents_ = hostile_texts();
  const auto* rules = std::get_if<TurnRules>(&family.rules);
  if (rules == nullptr) return;
  for (const auto* names : {&rules->control, &rules->tags}) {
    for (const std::string& name : *names) {
      contents_.push_back("x" + name + "x");
      const auto ids = tokenizer.encode(name, Specials::kAll);
      if (ids && ids->size() == 1) tags_.insert(ids->front());
    }
  }
}

bool Injection::has_calls() const {
  if (const auto* rules = std::get_if<TurnRules>(&family_.rules)) return !rules->call.empty();
  return std::get<MistralRules>(family_.rules).calls != MistralRules::Calls::kNone;
}

Injection::Contents Injection::everywhere(const std::string& content) {
  return {content, content, content, content, content};
}

Json Injection::conversation(const Contents& contents) const {
  const auto& [issue, file, output, user, name] = contents;
  Json messages = Json::array();
  messages.push_back(text_message("user", "Issue 7:\n" + issue));
  if (has_calls()) {
    messages.push_back(call_message("call00001", "read_file", {{"path", "a"}}));
    messages.push_back(result_message("call00001", file));
    messages.push_back(call_message("call00002", "run", {{"command", "make"}}));
    messages.push_back(result_message("call00002", "exit code 2\n" + output));
  } else {
    messages.push_back(text_message("assistant", file));
    messages.push_back(text_message("user", output));
  }
  messages.push_back(text_message("assistant", "Done."));
  messages.push_back(text_message("user", user));
  Json out;
  out["messages"] = std::move(messages);
  if (has_calls() && with_tools_) {
    out["tools"] = Json::array({tool("read_file", "Reads."), tool("remote_" + name, name)});
  }
  return out;
}

// Returns no tokens if the conversation cannot be rendered.
std::vector<TokenId> Injection::ours(const Contents& contents) {
  Result<ChatRequest> request = read_chat_request(to_line(conversation(contents)));
  if (!request) return {};
  request->date = kDate;
  const Result<Prompt> prompt = render_conversation(family_, *request);
  if (!prompt) return {};
  auto ids = encode_prompt(*prompt, tokenizer_);
  return ids ? *std::move(ids) : std::vector<TokenId>();
}

std::vector<TokenId> Injection::controls_in(const std::vector<TokenId>& ids) const {
  std::vector<TokenId> out;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(out), [&](TokenId id) {
    return tokenizer_.vocabulary().is_control(id) || tags_.contains(id);
  });
  return out;
}

// Counts contents for which our prompt has other control tokens than for harmless ones, or cannot
// be rendered.
std::size_t Injection::count_through() {
  const auto harmless = controls_in(ours(everywhere("x")));
  std::size_t through = 0;
  for (const std::string& content : contents_) {
    if (!harmless.empty() && controls_in(ours(everywhere(content))) == harmless) continue;
    ++through;
    fmt::print("  {} becomes a control token, or cannot be written\n", make_printable(content));
  }
  return through;
}

void Injection::print_by_server(Thinking thinking) {
  const auto controls = [&](const std::string& content) {
    const Given given = by_server(client_, conversation(everywhere(content)), thinking);
    return given.refusal.empty() ? std::optional(controls_in(given.ids).size()) : std::nullopt;
  };
  const std::size_t harmless = controls("x").value_or(0);
  std::size_t contents = 0;
  std::size_t tokens = 0;
  std::size_t refused = 0;
  for (const std::string& content : contents_) {
    const auto found = controls(content);
    refused += found ? 0 : 1;
    contents += found.value_or(0) > harmless ? 1 : 0;
    tokens += found.value_or(0) > harmless ? *found - harmless : 0;
  }
  fmt::print(
      "  by the server's chat template {} of them become {} control tokens, {} are refused\n",
      contents, tokens, refused);
}

bool Injection::is_served(const std::vector<TokenId>& ids) {
  const Json body = {{"prompt", ids}, {"n_predict", 1}, {"id_slot", 0}, {"cache_prompt", false}};
  const auto reply = client_.post("/completion", body);
  const auto saved = client_.post("/slots/0?action=save", {{"filename", "prompt"}});
  if (!reply || !saved) return false;
  // The file format may change: a header of unknown size precedes the ids.
  constexpr std::size_t kMaxHeader = 32;
  const auto numbers = numbers_of(slots_ + "/prompt", ids.size() + kMaxHeader);
  const auto found = std::search(numbers.begin(), numbers.end(), ids.begin(), ids.end());
  return found != numbers.end() &&
         number_of(*saved, "n_saved") == static_cast<long long>(ids.size());
}

// Uses each content once, together with others in the other places. The place depends on the
// family.
std::size_t Injection::count_served_wrong() {
  std::size_t wrong = 0;
  std::size_t prompts = 0;
  std::size_t tokens = 0;
  for (std::size_t first = 0; first < contents_.size(); first += kPlaces) {
    Contents contents;
    for (std::size_t i = 0; i < kPlaces; ++i) {
      contents[(i + family_.name.size()) % kPlaces] = contents_[(first + i) % contents_.size()];
    }
    const std::vector<TokenId> ids = ours(contents);
    ++prompts;
    tokens += ids.size();
    if (!ids.empty() && is_served(ids)) continue;
    ++wrong;
    fmt::print("  not served as it was meant: {}\n", make_printable(contents.front()));
  }
  fmt::print("  of {} prompts of {} tokens in all {} are not what the server's slot then has\n",
             prompts, tokens, wrong);
  return wrong;
}

std::size_t Injection::run(bool with_tools) {
  with_tools_ = with_tools;
  const std::size_t through = count_through();
  fmt::print("  of {} in {} places {} become control tokens here\n", contents_.size(), kPlaces,
             through);
  return through + count_served_wrong();
}

}  // namespace pedro
