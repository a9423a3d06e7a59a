#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/diff.h"
#include "agent/feedback.h"
#include "agent/finding.h"
#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "sys/work_tree.h"

namespace pedro {

/// What came of a review.
struct ReviewResult {
  std::vector<ReviewFinding> findings;    ///< merged and sorted
  std::vector<std::string> not_reviewed;  ///< what nobody has looked at, and why
  std::string verdict;                    ///< "approve", "comment", "request_changes", or ""
  std::string no_verdict;  ///< why there is none; "" where there is one, or none was asked for
  std::string summary;
};

/// Where a change is reviewed: it knows the diff, cuts it into parts that fit, and takes no finding
/// that points elsewhere. Borrows everything but the diff.
class ReviewPlace : public Workplace {
 public:
  ReviewPlace(std::vector<DiffFile> diff, const WorkTree& tree, const Feedback& feedback)
      : diff_(std::move(diff)), tree_(tree), feedback_(feedback) {}

  Result<std::string> value(const std::string& variable, const PhaseItem& item) override;
  Result<Json> list(const std::string& name, std::size_t room_bytes) override;
  Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                             const Json& output) override;
  Result<NextStep> finished(const Phase& phase, const PhaseItem& item, const Json& output) override;

  std::string shown_of(const Phase& phase, const PhaseItem& item) override;

  /// A text that is another for another diff.
  std::string identity() const;

  /// Parts that a phase came to no end with.
  const std::set<std::string>& unread() const { return unread_; }

  /// What the phases found, as far as they came.
  ReviewResult result(const PhaseOutputs& outputs) const;

 private:
  std::string changes() const;
  const DiffPart& part_of(const PhaseItem& item) const;

  std::vector<DiffFile> diff_;
  const WorkTree& tree_;
  const Feedback& feedback_;
  DiffParts parts_;
  std::vector<ReviewFinding> findings_;
  std::set<std::string> unread_;
  std::set<int> heard_;  // numbers of parts that a phase came to an end with, whichever that was
  std::string no_verdict_;
};

/// A review for people, as Markdown.
std::string review_report(const std::string& title, const WorkflowResult& end,
                          const ReviewResult& result);

/// The same as one JSON value: findings, not_reviewed, verdict, summary, and where there is no
/// verdict, no_verdict.
Json to_json(const ReviewResult& result);

/// The body of GitHub's "create a review" (https://docs.github.com/rest/pulls/reviews): a comment
/// for each finding at its line of `commit` (of the newest, where it is ""), and always a sentence.
Json to_github_review(const ReviewResult& result, const std::string& commit);

}  // namespace pedro
