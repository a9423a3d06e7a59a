// A server whose chat template renders like a family, with changes that the input describes:
//
//   FAMILY;WHEN FIND~WITH;WHEN FIND~WITH…
//
// Replaces each FIND ("" is the end) by WITH, in conversations that match WHEN, a letter: s(ystem),
// t(ools), c(alls), r(esults), h (thinking), n(o reply is opened), q(uiet), u (only a question); x
// rejects conversations that contain FIND, and any other letter matches all. "\n" is a line end.
// Learning must end within its limits in every case. The learned format must survive writing and
// reading, and must be usable.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "chat/sample_request.h"
#include "fuzz/require.h"
#include "support/tiny_vocabulary.h"
#include "template_learner/choose_format.h"
#include "template_learner/family_template.h"

namespace {

using namespace pedro;

constexpr std::size_t kMaxTextBytes = 1U << 20U;
constexpr std::size_t kMaxEdits = 16;

struct Edit {
  char when = '*';
  std::string find;
  std::string with;
};

struct Plan {
  const FormatFamily* family = nullptr;
  std::vector<Edit> edits;
};

Plan plan_of(std::string_view input) {
  Plan plan;
  for (const std::string_view part : split(input, ';')) {
    if (plan.family == nullptr) {
      const auto named = find_format(part);
      plan.family = named ? *named : &format_families()[part.size() % format_families().size()];
      continue;
    }
    if (part.empty() || plan.edits.size() == kMaxEdits) continue;
    const std::string text = replace_all(part.substr(1), "\\n", "\n");
    const std::size_t middle = std::min(text.find('~'), text.size());
    plan.edits.push_back(
        {part.front(), text.substr(0, middle), text.substr(std::min(middle + 1, text.size()))});
  }
  return plan;
}

bool any_message(const ChatRequest& request, bool (*holds)(const ChatMessage&)) {
  return std::any_of(request.messages.begin(), request.messages.end(), holds);
}

bool applies(char when, const ChatRequest& request, const TemplateMode& mode) {
  switch (when) {
    case 's':
      return any_message(request, [](const auto& one) { return one.role == Role::kSystem; });
    case 't':
      return !request.tools.empty();
    case 'c':
      return any_message(request, [](const auto& one) { return !one.calls.empty(); });
    case 'r':
      return any_message(request, [](const auto& one) { return one.role == Role::kTool; });
    case 'h':
      return any_message(request, [](const auto& one) {
        return std::any_of(one.content.begin(), one.content.end(), [](const auto& chunk) {
          return chunk.kind == ContentChunk::Kind::kThinking;
        });
      });
    case 'n':
      return !mode.opens_reply;
    case 'q':
      return !mode.thinks;
    case 'u':
      return request.messages.size() == 1;
    default:
      return true;
  }
}

class EditedTemplate : public ServedTemplate {
 public:
  explicit EditedTemplate(const Plan& plan) : plan_(plan), family_(*plan.family) {}

  Result<std::string> render(const ChatRequest& request, const TemplateMode& mode) override {
    Result<std::string> text = family_.render(request, mode);
    for (const Edit& edit : plan_.edits) {
      if (!text || text->size() > kMaxTextBytes) return text;
      if (!applies(edit.when, request, mode)) continue;
      const bool refuses = edit.when == 'x' && text->find(edit.find) != std::string::npos;
      if (refuses) return Error{ErrorKind::kUsage, edit.with};
      *text = edit.find.empty() ? *text + edit.with : replace_all(*text, edit.find, edit.with);
    }
    return text;
  }

  int requests() const { return family_.requests; }

 private:
  const Plan& plan_;
  FamilyTemplate family_;
};

Tokenizer& tokenizer_for(const FormatFamily& family) {
  static std::map<std::string, std::unique_ptr<VocabularyTokenizer>> made;
  auto& tokenizer = made[family.name];
  if (tokenizer) return *tokenizer;
  std::vector<std::string> names = {"<s>", "</s>", "[INST]", "[/INST]", "[TOOL_CALLS]"};
  if (const auto* rules = std::get_if<TurnRules>(&family.rules)) {
    names = rules->control;
    names.insert(names.end(), rules->tags.begin(), rules->tags.end());
  }
  tokenizer = tiny_tokenizer(names);
  return *tokenizer;
}

std::vector<ChatRequest> conversations() {
  const ChatMessage user = user_message("Go.");
  const RequestedCall call{"abcdefghi", "f", R"({"a": "x\n", "b": [1]})"};
  const DeclaredTool tool{"f", "Does.", R"({"type": "object", "properties": {}})"};
  return {conversation({user}),
          conversation({system_message("S"), user, answer_message("A"), user}),
          conversation({system_message("S"), user}, {tool}),
          conversation({user, with_thinking("T", calling_message({call}, "text")),
                        result_message(call, "R"), answer_message("A"), user},
                       {tool, tool})};
}

void check_family(const FormatFamily& family, std::string_view input) {
  const auto* rules = std::get_if<TurnRules>(&family.rules);
  if (rules == nullptr) return;
  const Json row = write_turn_rules(*rules);
  const auto again = read_turn_rules(row);
  require(again.ok() && write_turn_rules(*again) == row, "a row that is not the same again", input);
  for (const ChatRequest& request : conversations()) {
    const auto prompt = render_conversation(family, request);
    if (prompt) require(is_valid_utf8(to_text(*prompt)), "a prompt that is no UTF-8", input);
  }
}

void check_error(const Error& error, std::string_view input) {
  require(error.kind == ErrorKind::kModel, "an error of another kind", input);
  require(is_valid_utf8(error.message), "an error that is no UTF-8", input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const Plan plan = plan_of(input);
  Tokenizer& tokenizer = tokenizer_for(*plan.family);
  {
    EditedTemplate served(plan);
    TemplateProbes probes(served);
    const auto learned = learn_format(probes, tokenizer);
    require(served.requests() <= TemplateLimits().max_requests, "too many requests", input);
    if (learned) check_family(learned->family, input);
    if (!learned) check_error(learned.error(), input);
  }
  EditedTemplate served(plan);
  const auto chosen = choose_format(served, tokenizer);
  require(served.requests() <= TemplateLimits().max_requests, "too many requests", input);
  if (chosen) check_family(chosen->family, input);
  if (!chosen) check_error(chosen.error(), input);
  return 0;
}
