#pragma once

#include <random>
#include <string>
#include <vector>

#include "base/json.h"

namespace pedro {

/// Makes random schemas of all keywords, about a small set of values. Equal seeds give equal
/// schemas.
class RandomSchema {
 public:
  explicit RandomSchema(unsigned seed) : random_(seed) {}

  /// Returns a schema document. It may refer to itself, and it may allow no value.
  Json document();

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  Json schema(int depth);
  void add_keyword(Json& schema, int depth);
  void add_applicator(Json& schema, int depth);
  Json list(int depth);

  std::mt19937 random_;
};

/// Returns values that such schemas distinguish: scalars, arrays and objects with up to three
/// members.
std::vector<Json> small_values();

/// Returns the texts of a value with the members of its own in every order.
std::vector<std::string> in_every_order(const Json& value);

}  // namespace pedro
