#include "template_learner/call_text.h"

#include <algorithm>

#include "chat_format/python_json.h"
#include "template_learner/lesson.h"

namespace pedro {
namespace {

// First owner numbers of spellings in calls and in results.
constexpr int kFirstCall = 0;
constexpr int kFirstResult = 10;

void extend(TextPart& part, const SpellingFound& one) {
  part.begin = std::min(part.begin, one.begin);
  part.end = one.end;
}

// Returns true if the object with the arguments continues up to `at`.
bool is_same_object(std::string_view text, std::size_t arguments_end, std::size_t at) {
  return arguments_end > 0 &&
         text.substr(arguments_end, at - arguments_end).find_first_of("{}[]<>|\n") ==
             std::string_view::npos;
}

}  // namespace

// The words occur nowhere else, and all templates accept the id.
const SampleCall& sample_call(int number) {
  static const SampleCall kSamples[] = {
      {{"qcallaone", "qfunctionone",
        R"({"qargumentone": "Qvalueone", "qargumenttwo": "Qvaluetwo"})"},
       {"qargumentone", "qargumenttwo"},
       {"Qvalueone", "Qvaluetwo"}},
      {{"qcallatwo", "qfunctiontwo",
        R"({"qargumentsix": "Qvaluesix", "qargumentten": "Qvalueten"})"},
       {"qargumentsix", "qargumentten"},
       {"Qvaluesix", "Qvalueten"}}};
  return kSamples[number];
}

std::vector<DeclaredTool> sample_tools(int count) {
  std::vector<DeclaredTool> out;
  for (int i = 0; i < count; ++i) {
    out.push_back(
        {sample_call(i).call.name, "Does it.", R"({"type": "object", "properties": {}})"});
  }
  return out;
}

bool has_sample_words(std::string_view text) {
  for (const char* word : {"qcalla", "qfunction", "qargument", "Qvalue", "Qresultqua"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::optional<CallText> CallText::cut(const std::string& all, int calls, int results) {
  const std::size_t user = all.find(mark::kUser);
  if (user == std::string::npos) return {};
  CallText out;
  out.text_ = all.substr(user + mark::kUser.size());
  if (!can_be_piece(out.text_)) return {};
  out.find(calls, results);
  std::size_t at = 0;
  for (const auto* parts : {&out.calls_, &out.results_}) {
    for (const TextPart& part : *parts) {
      if (!part.found() || part.begin < at) return {};
      at = part.end;
    }
  }
  return out;
}

void CallText::find(int calls, int results) {
  std::vector<Spelling> spellings;
  for (int i = 0; i < calls; ++i) {
    const SampleCall& one = sample_call(i);
    const int owner = kFirstCall + i;
    spellings.push_back({one.call.arguments, "{{arguments}}", owner});
    spellings.push_back({python_json_string(one.call.name), "{{name_json}}", owner});
    spellings.push_back({one.call.name, "{{name}}", owner});
    spellings.push_back({one.call.id, "{{id}}", owner});
    for (int j = 0; j < 2; ++j) {
      spellings.push_back({one.keys[j], "{{key}}", owner});
      spellings.push_back({one.values[j], "{{value}}", owner});
    }
  }
  const std::string words[] = {mark::kResult, mark::kResult2};
  for (int i = 0; i < results; ++i) {
    spellings.push_back({python_json_string(words[i]), "{{json}}", kFirstResult + i});
    spellings.push_back({words[i], "{{content}}", kFirstResult + i});
  }
  const std::vector<SpellingFound> found = find_spellings(text_, spellings);
  calls_.resize(static_cast<std::size_t>(calls));
  results_.resize(static_cast<std::size_t>(results));
  take_parts(found, calls, results);
  for (auto* parts : {&calls_, &results_}) {
    for (TextPart& part : *parts) {
      if (part.found()) part.piece = with_values(text_, part.begin, part.end, found);
    }
  }
}

// Assigns spellings to calls and results. Names and ids after the last argument belong to the next
// result, except an id in the same object.
void CallText::take_parts(const std::vector<SpellingFound>& found, int calls, int results) {
  std::size_t arguments_end = 0;
  for (const SpellingFound& one : found) {
    const bool argument = one.spelling->value == "{{arguments}}" ||
                          one.spelling->value == "{{value}}" || one.spelling->value == "{{key}}";
    if (argument) arguments_end = one.end;
  }
  TextPart pending;
  int next = 0;
  for (const SpellingFound& one : found) {
    const int owner = one.spelling->owner;
    const bool in_call =
        one.begin < arguments_end || is_same_object(text_, arguments_end, one.begin);
    if (owner < kFirstResult && (in_call || next >= results)) {
      if (owner < calls) extend(calls_[static_cast<std::size_t>(owner)], one);
    } else if (owner < kFirstResult) {
      extend(pending, one);
    } else {
      TextPart& part = results_[static_cast<std::size_t>(owner - kFirstResult)];
      if (part.found()) continue;
      part = pending;
      extend(part, one);
      pending = {};
      next = owner - kFirstResult + 1;
    }
  }
}

}  // namespace pedro
