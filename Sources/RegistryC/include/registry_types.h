// Finds the classes that conform to a Swift protocol. With signed pointers or in WebAssembly, the
// library reads no metadata, and these functions find nothing.

#ifndef REGISTRY_TYPES_H
#define REGISTRY_TYPES_H

#include "registry_declarations.h"

REGISTRY_NONNULL_BEGIN_

/// A class's conformance to a protocol.
typedef struct registry_conformance {
  /// The class's descriptor, for `registry_class_metadata`.
  const void *descriptor;
  const void *witness_table;
} registry_conformance;

/// Calls a function for each class that conforms to a protocol, with the class's name, such as
/// `Module.Class`, and the conformance. The name is valid until the function returns.
///
/// Visits the loaded images in load order; on Apple systems, only images with records.
///
/// Leaves these to the Swift runtime: conformances that are conditional, generic, resilient, or
/// isolated to an actor, and classes that are generic, private, or nested.
///
/// \param protocol The protocol's descriptor.
/// \param name The name of the only class to visit, or null to visit all classes.
void registry_classes_conforming(
    const void *protocol, const char *REGISTRY_NULLABLE_ name, void *context,
    void (*each)(void *context, const char *name, registry_conformance conformance));

/// Returns the metadata of a class, creating it at first use.
const void *registry_class_metadata(const void *descriptor);

/// Returns the descriptor of the only protocol in a type such as `any P`, or null for other types.
const void *REGISTRY_NULLABLE_ registry_protocol(const void *type);

/// Returns the unqualified name of the only protocol in a type, or null for other types.
const char *REGISTRY_NULLABLE_ registry_protocol_name(const void *type);

REGISTRY_NONNULL_END_

#endif
