#pragma once

#include <cstddef>
#include <cstdint>

namespace pedro {

/// The work and memory that a schema may cost, from its patterns to its grammar. Every stage
/// charges the same budget. Once it is spent, each stage ends early, and its result has no meaning.
class SchemaBudget {
 public:
  static constexpr std::size_t kMaxSteps = 24'000'000;             ///< of about 50 ns
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;  ///< of results that are kept

  /// Charges steps, and bytes that stay in use. Returns false if the budget is spent.
  bool spend(std::size_t steps, std::size_t bytes = 0) {
    steps_ += steps;
    bytes_ += bytes;
    return !is_spent();
  }

  bool is_spent() const { return steps_ > kMaxSteps || bytes_ > kMaxBytes; }

  /// Returns true if at most half of the budget is left.
  bool is_half_spent() const { return steps_ > kMaxSteps / 2 || bytes_ > kMaxBytes / 2; }

  /// Returns the exceeded limit for an error.
  const char* why() const {
    return bytes_ > kMaxBytes ? "takes more than 64 MiB" : "takes more than 24,000,000 steps";
  }

  /// Sets the node of the schema that later charges belong to. place() is that of the charge that
  /// spent it.
  void enter(std::uint32_t id) {
    if (!is_spent()) place_ = id;
  }
  std::uint32_t place() const { return place_; }

 private:
  std::size_t steps_ = 0;
  std::size_t bytes_ = 0;
  std::uint32_t place_ = 0;
};

}  // namespace pedro
