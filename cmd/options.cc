#include "options.h"

#include <utility>

namespace pedro {

std::vector<std::string> passed_on(const GlobalOptions& global) {
  std::vector<std::string> flags;
  for (const auto& [name, value] : {std::pair{"config", &global.config},
                                    {"model-url", &global.model_url},
                                    {"model", &global.model},
                                    {"context", &global.context},
                                    {"api-key-file", &global.api_key_file},
                                    {"backend", &global.backend},
                                    {"replay", &global.replay},
                                    {"debug", &global.debug}}) {
    if (!value->empty()) flags.push_back(std::string("--") + name + "=" + *value);
  }
  return flags;
}

}  // namespace pedro
