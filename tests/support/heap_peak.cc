#include "support/heap_peak.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> in_use = 0;  // NOLINT: operator new has no other place for it
std::atomic<std::size_t> most = 0;    // NOLINT
std::size_t at_start = 0;             // NOLINT

}  // namespace

void* operator new(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) std::abort();
  const std::size_t bytes = malloc_usable_size(block);
  const std::size_t now = in_use.fetch_add(bytes) + bytes;
  std::size_t before = most;
  while (before < now && !most.compare_exchange_weak(before, now)) {
  }
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
  most = at_start;
}

std::size_t heap_peak() {
  return most - at_start;
}

}  // namespace pedro
