// What the other headers of this target share: the standard types, C linkage in C++, and pointers
// that aren't null unless they're marked.

#ifndef REGISTRY_DECLARATIONS_H
#define REGISTRY_DECLARATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define REGISTRY_BEGIN_ extern "C" {
#define REGISTRY_END_ }
#else
#define REGISTRY_BEGIN_
#define REGISTRY_END_
#endif

// Without nullability, Swift imports pointers as implicitly unwrapped optionals, and each
// successful lookup would unwrap its cell. Nullability in C and flexible arrays in C++ are
// extensions.
#ifdef __clang__
#define REGISTRY_NONNULL_BEGIN_                                                                              \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")           \
      _Pragma("clang diagnostic ignored \"-Wc99-extensions\"") _Pragma("clang assume_nonnull begin")         \
          REGISTRY_BEGIN_
#define REGISTRY_NONNULL_END_                                                                                \
  REGISTRY_END_ _Pragma("clang assume_nonnull end") _Pragma("clang diagnostic pop")
#define REGISTRY_NULLABLE_ _Nullable
#else
#define REGISTRY_NONNULL_BEGIN_ REGISTRY_BEGIN_
#define REGISTRY_NONNULL_END_ REGISTRY_END_
#define REGISTRY_NULLABLE_
#endif

#endif
