#include "agent/agent_terms.h"

namespace pedro {

const AgentTerms& writing_terms() {
  static const AgentTerms kTerms = {{"project", "checks", "diff", "files", "failures", "answer"},
                                    {},
                                    {Evidence::kChange, Evidence::kChecks, Evidence::kFailure,
                                     Evidence::kLook, Evidence::kPlaces}};
  return kTerms;
}

const AgentTerms& reading_terms() {
  static const AgentTerms kTerms = {{"project"}, {}, {Evidence::kLook, Evidence::kPlaces}};
  return kTerms;
}

const AgentTerms& terms_of(std::string_view agent, bool writes) {
  static const AgentTerms kReview = {
      {"changes", "part", "findings"}, {"parts"}, {Evidence::kDiffLines, Evidence::kPlaces}};
  static const AgentTerms kBlog = {
      {"working_title", "words", "section_words", "language", "style", "earlier_posts", "notes",
       "facts", "outline_text", "part", "problems", "so_far", "post"},
      {"sources", "edit_rounds"},
      {Evidence::kMaterial, Evidence::kLengths, Evidence::kEdits}};
  if (agent == "review") return kReview;
  if (agent == "blog") return kBlog;
  return writes ? writing_terms() : reading_terms();
}

}  // namespace pedro
