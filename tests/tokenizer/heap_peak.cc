#include "tokenizer/heap_peak.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t in_use = 0;    // NOLINT: operator new has no other place for it
std::size_t most = 0;      // NOLINT
std::size_t at_start = 0;  // NOLINT

}  // namespace

void* operator new(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) std::abort();
  in_use += malloc_usable_size(block);
  most = std::max(most, in_use);
  return block;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size);
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  in_use -= malloc_usable_size(block);
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  operator delete(block);
}

namespace pedro {

void start_heap_peak() {
  at_start = in_use;
  most = in_use;
}

std::size_t heap_peak() {
  return most - at_start;
}

}  // namespace pedro
