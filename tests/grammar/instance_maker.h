#pragma once

#include <random>
#include <string>

#include "base/json.h"
#include "grammar/gbnf.h"
#include "grammar/schema.h"

namespace pedro {

/// Makes random values and texts; the same seed makes the same ones.
class InstanceMaker {
 public:
  explicit InstanceMaker(unsigned seed) : random_(seed) {}

  /// A value that fits the schema, its members in declared order.
  Json fitting(const Schema& schema, SchemaId id);

  /// `value` with a change somewhere, which may or may not make it unfit.
  Json changed(Json value);

  /// JSON as a model writes it: at random with or without a blank after each ':' and ','.
  std::string written(const Json& value);

  /// A random text of the grammar, with repetitions kept short.
  std::string derived(const Gbnf& grammar);

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string text(std::size_t min, std::size_t max);
  Json any_value();
  void derive(const Gbnf& grammar, const Expr& expr, std::string& out);
  char32_t member_of(const CharClass& set);

  std::mt19937 random_;
};

}  // namespace pedro
