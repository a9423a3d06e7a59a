#pragma once

#include <functional>
#include <string>
#include <utility>

#include "chat_format/format_family.h"
#include "chat_format/prompt.h"
#include "template_learner/served_template.h"

namespace pedro {

/// A served template that renders like a family. `distort` may change its output.
class FamilyTemplate : public ServedTemplate {
 public:
  using Distortion = std::function<Result<std::string>(std::string text, const ChatRequest&)>;

  explicit FamilyTemplate(FormatFamily family, Distortion distort = {})
      : family_(std::move(family)), unopened_(family_), distort_(std::move(distort)) {
    if (auto* rules = std::get_if<TurnRules>(&unopened_.rules)) {
      rules->reply = "";
      rules->reply_after_result = "";
    }
  }

  Result<std::string> render(const ChatRequest& request, const TemplateMode& mode) override {
    ++requests;
    Result<Prompt> prompt = render_conversation(mode.opens_reply ? family_ : unopened_, request);
    if (!prompt) return prompt.error();
    prompt->spaced = prompt->spaced && spaced;
    std::string text = to_text(*prompt);
    return distort_ ? distort_(std::move(text), request) : Result<std::string>(std::move(text));
  }

  int requests = 0;
  bool spaced = false;  ///< the template writes spaces that the vocabulary would add

 private:
  FormatFamily family_;
  FormatFamily unopened_;  // the family without openings of replies
  Distortion distort_;
};

}  // namespace pedro
