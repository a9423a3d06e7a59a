#include "options.h"

#include <utility>

namespace pedro {

std::vector<std::string> passed_on(const GlobalOptions& global) {
  std::vector<std::string> flags;
  for (const auto& [name, value] : {std::pair{"config", &global.config},
                                    {"model-url", &global.model_url},
                                    {"backend", &global.backend},
                                    {"replay", &global.replay},
                                    {"debug", &global.debug}}) {
    if (!value->empty()) flags.push_back(std::string("--") + name + "=" + *value);
  }
  return flags;
}

}  // namespace pedro
