/// A class that a record written in C may name as the implementation of a service.
///
/// ```c
/// REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
/// ```
///
/// The class is found by its name at first use and made with this initializer, on the thread that asks; it must
/// conform to the record's protocol as well. Modules named by C records conform to `Module` instead. Objective-C's own classes
/// need not conform: they are made with `init`.
///
/// No compiler reads the record, so whoever writes `scope(shared)` or `scope(weak)` promises that instances may go to
/// every thread.
// SendableMetatype (SE-0470): it may not be an isolated conformance, which nothing would check where the class is found
// by its name.
public protocol NamedExport: AnyObject, SendableMetatype {
  init() throws
}

/// A class of the main actor that a record written in C may name as the implementation of a service.
///
/// As ``NamedExport``, but made on the main actor only: elsewhere `createService` throws
/// ``ServiceError/wrongIsolation(service:implementation:image:actor:)``, and `service(for:)` goes there.
@MainActor public protocol MainActorNamedExport: AnyObject, SendableMetatype {
  init() throws
}
