#include "agent/agent_terms.h"

namespace pedro {

const AgentTerms& terms_of(std::string_view agent, bool writes) {
  static const AgentTerms kWriting = {{"project", "checks", "diff", "files", "failures", "answer"},
                                      {},
                                      {Evidence::kChange, Evidence::kChecks, Evidence::kFailure,
                                       Evidence::kLook, Evidence::kPlaces, Evidence::kSolution}};
  static const AgentTerms kReading = {
      {"project", "files"}, {}, {Evidence::kLook, Evidence::kPlaces}};
  static const AgentTerms kReview = {
      {"changes", "part", "findings"}, {"parts"}, {Evidence::kDiffLines, Evidence::kPlaces}};
  static const AgentTerms kBlog = {
      {"working_title", "words", "section_words", "section_count", "language", "style",
       "earlier_posts", "notes", "facts", "part", "heading", "section_notes", "note", "post"},
      {"sources", "sections", "missing"},
      {Evidence::kMaterial, Evidence::kLengths}};
  if (agent == "review") return kReview;
  if (agent == "blog") return kBlog;
  return writes ? kWriting : kReading;
}

}  // namespace pedro
