#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "template_learner/served_template.h"

namespace pedro {

/// Limits of a served template.
struct TemplateLimits {
  int max_requests = 64;
  std::size_t max_text_bytes = std::size_t{64} << 10;  ///< of one rendered text
};

/// Queries a served template within limits, once per conversation. Borrows the template.
class TemplateProbes {
 public:
  explicit TemplateProbes(ServedTemplate& served, const TemplateLimits& limits = {})
      : served_(served), limits_(limits) {}

  /// Renders a conversation. Errors: as ServedTemplate::render(); kModel if a limit is reached or
  /// the text is not UTF-8.
  Result<std::string> render(const ChatRequest& request, const TemplateMode& mode = {});

  /// The number of requests to the server.
  int requests() const { return requests_; }

 private:
  ServedTemplate& served_;
  TemplateLimits limits_;
  int requests_ = 0;
  std::map<std::string, Result<std::string>> known_;  // by request and mode
};

}  // namespace pedro
