#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// The method of generating calls under a grammar.
enum class Steering {
  kSingle,  ///< in one request
  kStaged,  ///< in stages; see StagedCall
  kAuto,    ///< measures both and keeps the faster one
};
std::string_view to_string(Steering steering);
/// Returns nullopt for an unknown name.
std::optional<Steering> parse_steering(std::string_view text);

/// Chooses the method of the next call and records the results.
class SteeringChoice {
 public:
  /// Measured calls per method before one is kept.
  static constexpr int kTried = 3;

  explicit SteeringChoice(Steering wanted) : wanted_(wanted) {}

  /// Returns kSingle or kStaged. Alternates until the faster one is known.
  Steering next() const;

  /// Records a call by method `used`: its time in ms without the prompt, and its number of tokens.
  void record(Steering used, double ms, std::size_t tokens);

  /// Returns the result of the measurement once, e.g. "calls are written in stages: 12.1 ms …"; ""
  /// before and afterwards.
  std::string news();

 private:
  struct Tried {
    int calls = 0;
    double ms = 0;
    std::size_t tokens = 0;
    double ms_per_token() const { return tokens == 0 ? 0 : ms / static_cast<double>(tokens); }
  };

  Steering wanted_;
  std::array<Tried, 2> tried_;  // single, staged
  bool told_ = false;
};

}  // namespace pedro
