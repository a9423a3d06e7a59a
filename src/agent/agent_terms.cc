#include "agent/agent_terms.h"

namespace pedro {

const AgentTerms& writing_terms() {
  static const AgentTerms kTerms = {
      {"project", "checks", "diff"},
      {},
      {Evidence::kChange, Evidence::kChecks, Evidence::kFailure, Evidence::kPlaces}};
  return kTerms;
}

const AgentTerms& reading_terms() {
  static const AgentTerms kTerms = {{"project"}, {}, {Evidence::kPlaces}};
  return kTerms;
}

const AgentTerms& terms_of(std::string_view agent, bool writes) {
  static const AgentTerms kReview = {
      {"changes", "part", "findings"}, {"parts"}, {Evidence::kDiffLines, Evidence::kPlaces}};
  if (agent == "review") return kReview;
  return writes ? writing_terms() : reading_terms();
}

}  // namespace pedro
