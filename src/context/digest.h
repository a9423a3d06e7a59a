#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "context/ledger.h"

namespace pedro {

/// What is told of exchanges that left a conversation, made without a model: the same exchanges
/// always give the same texts. It grows with every exchange and remembers the newest of everything,
/// so that one digest covers all that ever left. Bounded: about 64 KiB. A value.
class Digest {
 public:
  /// A call that leaves, with its result as the model saw it. Where it failed and the same
  /// succeeded since (`mended`), nothing is told of the failure.
  void add(const CallFacts& facts, std::string_view result, bool mended = false);
  void add_exchange() { ++exchanges_; }
  /// A failure whose result gave way to a few words.
  void add_failure(const CallFacts& facts, std::string_view result);

  /// How many have left so far.
  std::size_t exchanges() const { return exchanges_; }
  bool empty() const { return exchanges_ == 0 && failed_.empty(); }

  /// By section: "changed" (paths, each with what `state_of` says of it), "read", "commands" (with
  /// how they ended), "failed" (what did not succeed since, verbatim), "notes" (what was
  /// set aside), "decisions" (what phases ended with); "-" where there is nothing. All together at
  /// most about `max_bytes`; the newest are kept.
  std::map<std::string, std::string> sections(
      std::size_t max_bytes,
      const std::function<std::string(const std::string& path)>& state_of) const;

 private:
  // A list of what was last said of each name, newest last.
  struct Entry {
    std::string name;
    std::string text;
  };
  static void put(std::vector<Entry>& list, std::string name, std::string text);

  std::size_t exchanges_ = 0;
  std::vector<Entry> changed_;
  std::vector<Entry> read_;
  std::vector<Entry> commands_;
  std::vector<Entry> failed_;
  std::vector<Entry> notes_;
  std::vector<Entry> decisions_;
};

}  // namespace pedro
