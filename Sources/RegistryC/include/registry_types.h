// The types that conform to a Swift protocol.

#ifndef REGISTRY_TYPES_H
#define REGISTRY_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

/// A conformance of a class that is neither generic nor nested.
typedef struct registry_conformance {
  /// The class in the metadata, for `registry_class_metadata`.
  const void *descriptor;
  const void *witness_table;
} registry_conformance;

/// Calls a function with each conformance of a class to a protocol, in all loaded images in load
/// order, and with the name `Module.Class`, which is valid during the call.
///
/// Leaves out what the Swift runtime would have to decide: conformances that are conditional,
/// generic, resilient, or isolated to an actor, and classes that are generic, private, or nested.
///
/// \param protocol The protocol's descriptor.
void registry_classes_conforming(
    const void *protocol, void *context,
    void (*each)(void *context, const char *name, registry_conformance conformance));

/// Returns the metadata of a class, which its first use creates.
const void *registry_class_metadata(const void *descriptor);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif

#endif
