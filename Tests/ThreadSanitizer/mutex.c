// The slow paths of Synchronization.Mutex run in a library that the thread sanitizer does not see into, so that it takes
// what a contended lock orders for unordered. This tells it; load it before the program that is checked.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock(uint32_t thread, SELF handle) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF handle) {
    SWIFT void (*original)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
    original(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock(SELF handle) __asm__(UNLOCK);
SWIFT void unlock(SELF handle) {
    SWIFT void (*original)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    original(handle);
}
