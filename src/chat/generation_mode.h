#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace pedro {

/// The constraint on a reply that must be a call. If a server does not support one, a weaker one
/// applies (kGrammar, kSchema, kUnconstrained) and a notice reports it. Every reply is checked.
enum class GenerationMode {
  kUnconstrained,  ///< none: calls are found in free text
  kGrammar,        ///< by a grammar, or the server's own tools if it accepts none
  kSchema,         ///< by a JSON Schema that the server converts to a grammar
  kHybrid          ///< as kGrammar; free text if the server refuses such a request
};

namespace generation_mode {
inline constexpr std::array<std::string_view, 4> kNames = {"unconstrained", "grammar", "schema",
                                                           "hybrid"};
}  // namespace generation_mode

constexpr std::string_view to_string(GenerationMode mode) {
  return generation_mode::kNames[static_cast<std::size_t>(mode)];
}

/// Returns the mode with this name, or nothing if there is none.
constexpr std::optional<GenerationMode> parse_generation_mode(std::string_view text) {
  for (std::size_t i = 0; i < generation_mode::kNames.size(); ++i) {
    if (generation_mode::kNames[i] == text) return static_cast<GenerationMode>(i);
  }
  return std::nullopt;
}

}  // namespace pedro
