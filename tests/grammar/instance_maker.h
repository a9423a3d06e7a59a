#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>

#include "base/json.h"
#include "grammar/gbnf.h"

namespace pedro {

/// Makes random values and texts; the same seed makes the same ones.
class InstanceMaker {
 public:
  explicit InstanceMaker(unsigned seed) : random_(seed) {}

  /// A random text of the grammar, with repetitions kept short. It must match something.
  std::string derived(const Gbnf& grammar);

  /// The same of a grammar that may be hostile: nothing where it matches nothing, or where the text
  /// takes more than `max_steps` expressions, which also bounds how deep this recurses.
  std::optional<std::string> derived_within(const Gbnf& grammar, std::size_t max_steps);

  /// `value` with a change somewhere, which may or may not make it unfit.
  Json changed(Json value);

  /// JSON as a model writes it: at random with or without a blank after each ':' and ','.
  std::string written(const Json& value);

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string text(std::size_t min, std::size_t max);
  Json any_value();
  void measure(const Gbnf& grammar);
  int height_of(const Expr& expr) const;
  void derive(const Expr& expr, int depth, std::string& out);
  char32_t member_of(const CharClass& set);

  std::mt19937 random_;
  std::size_t steps_left_ = 0;
  std::unordered_map<std::string, const Expr*> rules_;
  std::unordered_map<std::string, int> heights_;  ///< of the lowest derivation of a rule
};

}  // namespace pedro
