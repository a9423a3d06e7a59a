#pragma once

#include "tokenizer/scanner.h"

namespace pedro {

// The scanners of scanner_named(); each file documents its pattern.

extern const ScanPieces kScanGpt2;
extern const ScanPieces kScanStarcoder;

extern const ScanPieces kScanCl100k;
extern const ScanPieces kScanLlama3;
extern const ScanPieces kScanLlama3InLlamaCpp;
extern const ScanPieces kScanQwen2;
extern const ScanPieces kScanQwen2InLlamaCpp;
extern const ScanPieces kScanQwen35;
extern const ScanPieces kScanQwen35InLlamaCpp;

extern const ScanPieces kScanO200k;
extern const ScanPieces kScanO200kInLlamaCpp;
extern const ScanPieces kScanTekken;
extern const ScanPieces kScanTekkenInLlamaCpp;

extern const ScanPieces kScanDeepseek3;

}  // namespace pedro
