/// A class that a C record or a manifest can name as a service's implementation.
///
/// ```c
/// REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
/// ```
///
/// A manager finds the class by name at first use, and creates instances with `init()` on the
/// thread of the lookup. The class must also conform to the service's protocol. A class that a C
/// record exports as a module conforms to `Module` instead. Classes written in Objective-C need no
/// `NamedExport` conformance, because managers call their `init` method.
///
/// The compiler doesn't read the record. Write a scope other than `scope(transient)` only if every
/// thread may use the instances, which an actor-isolated conformance to the service's protocol
/// rules out.
// Inheriting from SendableMetatype (SE-0470) rules out isolated conformances, whose isolation a
// lookup by name can't check.
public protocol NamedExport: AnyObject, SendableMetatype {
  init() throws
}

/// A main-actor class that a C record or a manifest can name as a service's implementation.
///
/// Unlike a ``NamedExport``, it's created only on the main actor. Elsewhere, `createService` throws
/// a ``ServiceError``, and `service(for:)` switches to the main actor.
@MainActor public protocol MainActorNamedExport: AnyObject, SendableMetatype {
  init() throws
}
