// The macros of the systems' headers, defined as the attributes that Swift's importer reads.
#pragma once

// Classes, enumerations, and structures between these two macros are not Sendable unless their
// declaration says so.
#define STUB_PRAGMA(text) _Pragma(#text)
#define NS_HEADER_AUDIT_BEGIN                                                                                          \
  STUB_PRAGMA(clang assume_nonnull begin)                                                                              \
  STUB_PRAGMA(clang attribute push(__attribute__((swift_attr("@_nonSendable(_assumed)"))),                             \
                                   apply_to = any(objc_interface, record, enum)))
#define NS_HEADER_AUDIT_END                                                                                            \
  STUB_PRAGMA(clang attribute pop)                                                                                     \
  STUB_PRAGMA(clang assume_nonnull end)

#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_SWIFT_NONISOLATED __attribute__((swift_attr("nonisolated")))
#define NS_SWIFT_BRIDGE(type) __attribute__((swift_bridge(#type)))
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define NS_UNAVAILABLE __attribute__((unavailable))

#define NS_TYPED_ENUM __attribute__((swift_wrapper(enum)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_wrapper(struct)))
#define NS_ENUM(type, name)                                                                                            \
  enum __attribute__((enum_extensibility(open))) name : type name;                                                     \
  enum name : type
#define NS_OPTIONS(type, name)                                                                                         \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type name;                                          \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type

// The checked system's macro is defined to 1. A declaration that the system lacks is then an error,
// as in its SDK.
#if STAND_IN_tvOS
#define STAND_IN_NOT_tvos __attribute__((unavailable("not available on tvOS")))
#else
#define STAND_IN_NOT_tvos
#endif
#if STAND_IN_watchOS
#define STAND_IN_NOT_watchos __attribute__((unavailable("not available on watchOS")))
#else
#define STAND_IN_NOT_watchos
#endif
#if STAND_IN_visionOS
#define STAND_IN_NOT_visionos __attribute__((unavailable("not available on visionOS")))
#else
#define STAND_IN_NOT_visionos
#endif

#define STAND_IN_NOT_1(a) STAND_IN_NOT_##a
#define STAND_IN_NOT_2(a, b) STAND_IN_NOT_##a STAND_IN_NOT_##b
#define STAND_IN_NOT_3(a, b, c) STAND_IN_NOT_2(a, b) STAND_IN_NOT_##c
#define STAND_IN_PICK(a, b, c, name, ...) name
#define API_UNAVAILABLE(...)                                                                                           \
  STAND_IN_PICK(__VA_ARGS__, STAND_IN_NOT_3, STAND_IN_NOT_2, STAND_IN_NOT_1, )(__VA_ARGS__)

// These declarations were deprecated before the oldest systems that the package supports. The
// stand-ins do not check versions.
#define API_DEPRECATED(message) __attribute__((deprecated(message)))

// visionOS 1 deprecated these declarations, which the other systems do not.
#if STAND_IN_visionOS
#define API_DEPRECATED_ON_VISIONOS(message) API_DEPRECATED(message)
#else
#define API_DEPRECATED_ON_VISIONOS(message)
#endif
