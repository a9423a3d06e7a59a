#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// How calls under a grammar are generated.
enum class Steering {
  kSingle,  ///< in one request
  kStaged,  ///< in stages; see StagedCall
  kAuto,    ///< both are tried; the one that takes less time is kept
};
std::string_view to_string(Steering steering);
/// Nothing of another text.
std::optional<Steering> parse_steering(std::string_view text);

/// Which of two ways the next call is written, and what came of it.
class SteeringChoice {
 public:
  /// So many calls of each are timed before one is kept.
  static constexpr int kTried = 3;

  explicit SteeringChoice(Steering wanted) : wanted_(wanted) {}

  /// kSingle or kStaged: by turns, until it is known which is faster.
  Steering next() const;

  /// A call that was written as next() said: how long it took without its prompt, and how many
  /// tokens it has.
  void record(Steering used, double ms, std::size_t tokens);

  /// What was found out, once: "staged: 12.1 ms a token of a call, single 20.3"; "" before and
  /// after.
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
