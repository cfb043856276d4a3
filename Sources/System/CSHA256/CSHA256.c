// The compression of SHA-256 (FIPS 180-4). It is in C since Swift has no functions for the processor's instructions.
#include "CSHA256.h"

#include <stdatomic.h>
#include <stdbool.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int distance) { return word >> distance | word << (32 - distance); }

void csha256_process_in_steps(csha256_state *state, const uint32_t block[16]) {
    uint32_t schedule[64];
    for (int i = 0; i < 16; i++) schedule[i] = block[i];
#pragma clang loop unroll_count(8)
    for (int i = 16; i < 64; i++) {
        const uint32_t early = schedule[i - 15], late = schedule[i - 2];
        schedule[i] = schedule[i - 16] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) + schedule[i - 7]
            + (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
    }

    uint32_t a = state->words[0], b = state->words[1], c = state->words[2], d = state->words[3];
    uint32_t e = state->words[4], f = state->words[5], g = state->words[6], h = state->words[7];
#pragma clang loop unroll_count(8)
    for (int i = 0; i < 64; i++) {
        const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + constants[i] + schedule[i];
        const uint32_t second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
        h = g, g = f, f = e, e = d + first;
        d = c, c = b, b = a, a = first + second;
    }
    state->words[0] += a, state->words[1] += b, state->words[2] += c, state->words[3] += d;
    state->words[4] += e, state->words[5] += f, state->words[6] += g, state->words[7] += h;
}

// Both versions below keep the last sixteen words of the schedule, four in each part, and do four rounds in each turn of the loop.

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static bool finds_instructions(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

__attribute__((target("sha,sse4.1")))
static void process_with_instructions(csha256_state *state, const uint32_t block[16]) {
    // The instructions take the state as the words a, b, e, f and c, d, g, h, the first of them in the highest place.
    __m128i *const places = (__m128i *)state->words;
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(places), 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(places + 1), 0x1B);
    const __m128i abef_before = _mm_alignr_epi8(badc, efgh, 8);
    const __m128i cdgh_before = _mm_blend_epi16(efgh, badc, 0xF0);
    __m128i abef = abef_before, cdgh = cdgh_before;

    __m128i words[4];
    for (int part = 0; part < 4; part++) words[part] = _mm_loadu_si128((const __m128i *)(block + 4 * part));

#pragma clang loop unroll(full)
    for (int turn = 0; turn < 16; turn++) {
        const __m128i oldest = words[turn % 4], newest = words[(turn + 3) % 4];
        const __m128i sum = _mm_add_epi32(oldest, _mm_loadu_si128((const __m128i *)(constants + 4 * turn)));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));

        const __m128i early = _mm_sha256msg1_epu32(oldest, words[(turn + 1) % 4]);
        const __m128i middle = _mm_alignr_epi8(newest, words[(turn + 2) % 4], 4);
        words[turn % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(early, middle), newest);
    }

    const __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xB1);
    _mm_storeu_si128(places, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(places + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(__aarch64__) && (defined(__APPLE__) || defined(__linux__))
#include <arm_neon.h>

#if defined(__APPLE__)
// Every 64-bit ARM processor of Apple has them.
static bool finds_instructions(void) { return true; }
#else
#include <sys/auxv.h>

static bool finds_instructions(void) {
    const unsigned long hwcap_sha2 = 1 << 6;
    return getauxval(AT_HWCAP) & hwcap_sha2;
}
#endif

__attribute__((target("sha2")))
static void process_with_instructions(csha256_state *state, const uint32_t block[16]) {
    const uint32x4_t abcd_before = vld1q_u32(state->words), efgh_before = vld1q_u32(state->words + 4);
    uint32x4_t abcd = abcd_before, efgh = efgh_before;

    uint32x4_t words[4];
    for (int part = 0; part < 4; part++) words[part] = vld1q_u32(block + 4 * part);

#pragma clang loop unroll(full)
    for (int turn = 0; turn < 16; turn++) {
        const uint32x4_t oldest = words[turn % 4], newest = words[(turn + 3) % 4];
        const uint32x4_t sum = vaddq_u32(oldest, vld1q_u32(constants + 4 * turn)), before = abcd;
        abcd = vsha256hq_u32(abcd, efgh, sum);
        efgh = vsha256h2q_u32(efgh, before, sum);

        const uint32x4_t early = vsha256su0q_u32(oldest, words[(turn + 1) % 4]);
        words[turn % 4] = vsha256su1q_u32(early, words[(turn + 2) % 4], newest);
    }

    vst1q_u32(state->words, vaddq_u32(abcd, abcd_before));
    vst1q_u32(state->words + 4, vaddq_u32(efgh, efgh_before));
}

#else
static bool finds_instructions(void) { return false; }

static void process_with_instructions(csha256_state *state, const uint32_t block[16]) {
    csha256_process_in_steps(state, block);
}
#endif

void csha256_process(csha256_state *state, const uint32_t block[16]) {
    // Asking takes many times as long as a block, so the answer is kept. Threads that ask at once get the same one.
    enum { unknown, absent, present };
    static _Atomic int instructions = unknown;
    int found = atomic_load_explicit(&instructions, memory_order_relaxed);
    if (found == unknown) {
        found = finds_instructions() ? present : absent;
        atomic_store_explicit(&instructions, found, memory_order_relaxed);
    }
    if (found == present) {
        process_with_instructions(state, block);
    } else {
        csha256_process_in_steps(state, block);
    }
}
