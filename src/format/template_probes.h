#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "format/served_template.h"

namespace pedro {

/// The most that a served template is asked for and may answer.
struct TemplateLimits {
  int max_requests = 64;
  std::size_t max_text_bytes = std::size_t{64} << 10;  ///< of one answer
};

/// A served template with limits, which is asked once for each conversation. Borrows it.
class TemplateProbes {
 public:
  explicit TemplateProbes(ServedTemplate& served, const TemplateLimits& limits = {})
      : served_(served), limits_(limits) {}

  /// Errors as ServedTemplate has them; kModel where a limit is reached or the text is no UTF-8.
  Result<std::string> render(const ChatRequest& request, const TemplateMode& mode = {});

  /// How many the server has answered.
  int requests() const { return requests_; }

 private:
  ServedTemplate& served_;
  TemplateLimits limits_;
  int requests_ = 0;
  std::map<std::string, Result<std::string>> known_;  // by request and mode
};

}  // namespace pedro
