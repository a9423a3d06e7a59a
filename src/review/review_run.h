#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/feedback.h"
#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "review/diff.h"
#include "review/finding.h"
#include "sys/work_tree.h"

namespace pedro {

/// The result of a review.
struct ReviewResult {
  std::vector<ReviewFinding> findings;    ///< merged and sorted
  std::vector<std::string> not_reviewed;  ///< unreviewed contents with reasons
  std::string verdict;                    ///< "approve", "comment", "request_changes", or ""
  std::string no_verdict;                 ///< reason if the requested verdict is missing; else ""
  std::string summary;
};

/// The workplace of a review. Splits the diff into parts that fit a prompt, and refuses findings
/// outside the part. Borrows all except the diff.
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

  /// Returns a hash of the diff.
  std::string identity() const;

  /// Returns the parts that a phase did not complete, with reasons.
  const std::set<std::string>& unread() const { return unread_; }

  /// Returns the findings of the phases so far.
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
  std::set<int> heard_;  // numbers of parts with a finished phase, completed or not
  std::string no_verdict_;
};

/// Returns a review as Markdown for users.
std::string review_report(const std::string& title, const WorkflowResult& end,
                          const ReviewResult& result);

/// Returns a review as one JSON value: findings, not_reviewed, verdict, summary, and no_verdict if
/// the verdict is missing.
Json to_json(const ReviewResult& result);

/// Returns the request body of GitHub's "create a review"
/// (https://docs.github.com/rest/pulls/reviews). Each finding is a comment at its line of `commit`
/// (the newest commit if ""). The body is never empty.
Json to_github_review(const ReviewResult& result, const std::string& commit);

}  // namespace pedro
