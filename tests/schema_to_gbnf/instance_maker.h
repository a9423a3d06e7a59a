#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>

#include "base/json.h"
#include "gbnf/gbnf.h"

namespace pedro {

/// Makes random values and texts. Equal seeds give equal results.
class InstanceMaker {
 public:
  explicit InstanceMaker(unsigned seed) : random_(seed) {}

  /// Returns a random text of the grammar, with few repetitions. The grammar must match at least
  /// one text.
  std::string derived(const Gbnf& grammar);

  /// Like derived(), for a possibly hostile grammar. Returns nothing if the grammar matches no
  /// text, or if the text takes more than `max_steps` expressions. This also bounds the recursion
  /// depth.
  std::optional<std::string> derived_within(const Gbnf& grammar, std::size_t max_steps);

  /// Returns `value` with a random change, which may make it invalid.
  Json changed(Json value);

  /// JSON in the style of a model: with or without a blank after each ':' and ',', at random.
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
  std::unordered_map<std::string, int> heights_;  ///< height of a rule's lowest derivation
};

}  // namespace pedro
