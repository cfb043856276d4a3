#pragma once

#include <stdint.h>

/// The chaining words of SHA-256.
typedef struct {
    uint32_t words[8];
} csha256_state;

/// Processes one block, given as sixteen words, with the processor's instructions for it where there are such.
void csha256_process(csha256_state *state, const uint32_t block[16]);

/// Does the same without such instructions.
void csha256_process_in_steps(csha256_state *state, const uint32_t block[16]);
