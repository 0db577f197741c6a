/// A class that a C record or a manifest can name as a service's implementation.
///
/// ```c
/// REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
/// ```
///
/// A manager finds the class by name at first use, and creates instances with this initializer on
/// the thread of the lookup. The class must also conform to the record's protocol. A class that a C
/// record exports as a module conforms to `Module` instead. Classes written in Objective-C need no
/// conformance, because they are created with `init`.
///
/// The compiler doesn't read the record. Write a scope other than `scope(transient)` only if every
/// thread may use the instances.
// Inheriting from SendableMetatype (SE-0470) rules out isolated conformances, because a lookup by
// name can't check their isolation.
public protocol NamedExport: AnyObject, SendableMetatype {
  init() throws
}

/// A main-actor class that a C record or a manifest can name as a service's implementation.
///
/// Unlike a ``NamedExport``, it is created only on the main actor. On other actors, `createService`
/// throws a ``ServiceError`` and `service(for:)` switches to the main actor.
@MainActor public protocol MainActorNamedExport: AnyObject, SendableMetatype {
  init() throws
}
