// Declarations for the expansions of `@Service`, `@Contributions`, and `#needs`. They are public
// because an expansion is part of the user's module; the underscores show that they aren't API.

/// Returns the service of a property. The inlined code is a lookup and a branch for the error.
///
/// - Parameters:
///   - manager: The manager that looks up the service.
///   - name: The name of the implementation.
///   - dependent: The type that contains the property.
///   - location: The source location of the property's attribute.
@inlinable @inline(__always)
public func __injected<Service>(
  in manager: ServiceManager = .shared, named name: String? = nil, _ dependent: StaticString, _ location: StaticString
) -> Service { inject(manager, name, dependent, location, false) }

/// Selected for a property whose type is `Sendable`.
@inlinable @inline(__always)
public func __injected<Service: Sendable>(
  in manager: ServiceManager = .shared, named name: String? = nil, _ dependent: StaticString, _ location: StaticString
) -> Service { inject(manager, name, dependent, location, true) }

@inlinable @inline(__always)
func inject<Service>(
  _ manager: ServiceManager, _ name: String?, _ dependent: StaticString, _ location: StaticString,
  _ mustBeSendable: Bool
) -> Service {
  do throws(ServiceError) {
    return try manager.lookUp(Service.self, name, mustBeSendable)
  } catch {
    return __recover(manager, error, name, dependent, location, mustBeSendable)
  }
}

/// Returns the service of an optional property, or nil if the lookup fails. The error is reported,
/// unless it's `no-service` and the manager hasn't been released.
@inlinable @inline(__always)
public func __injectedIfPresent<Service>(
  in manager: ServiceManager = .shared, named name: String? = nil, _ dependent: StaticString, _ location: StaticString
) -> Service? { injectIfPresent(manager, name, dependent, location, false) }

/// Selected for an optional property whose type is `Sendable`.
@inlinable @inline(__always)
public func __injectedIfPresent<Service: Sendable>(
  in manager: ServiceManager = .shared, named name: String? = nil, _ dependent: StaticString, _ location: StaticString
) -> Service? { injectIfPresent(manager, name, dependent, location, true) }

@inlinable @inline(__always)
func injectIfPresent<Service>(
  _ manager: ServiceManager, _ name: String?, _ dependent: StaticString, _ location: StaticString,
  _ mustBeSendable: Bool
) -> Service? {
  do throws(ServiceError) {
    return try manager.lookUp(Service.self, name, mustBeSendable, isOptional: true)
  } catch {
    __report(manager, error, dependent, location)
    return nil
  }
}

/// Returns all implementations of a service. An error stops the program; in a strict test scope,
/// which can withhold a service, it's reported and the result is empty.
public func __injectedAll<Service>(
  in manager: ServiceManager = .shared, _ dependent: StaticString, _ location: StaticString
) -> [Service] { injectAll(manager, dependent, location, false) }

/// Selected for a property whose elements are `Sendable`.
public func __injectedAll<Service: Sendable>(
  in manager: ServiceManager = .shared, _ dependent: StaticString, _ location: StaticString
) -> [Service] { injectAll(manager, dependent, location, true) }

private func injectAll<Service>(
  _ manager: ServiceManager, _ dependent: StaticString, _ location: StaticString, _ mustBeSendable: Bool
) -> [Service] {
  do throws(ServiceError) {
    return try manager.core.attemptAll(Service.self, mustBeSendable: mustBeSendable).map(\.service)
  } catch {
    guard TaskScope.isStrict else { stop(error, dependent, location) }
    report(manager, "test scope's service", error, dependent, location)
    return []
  }
}

/// Returns the contributions to a point, for a property. Contributions that can't be created are
/// reported and left out.
public func __contributions<Values>(
  _ point: ContributionPoint<Values>, in manager: ServiceManager = .shared, _ dependent: StaticString,
  _ location: StaticString
) -> Values {
  func failed(_ error: ServiceError) { report(manager, "contribution for the property", error, dependent, location) }
  do throws(ServiceError) {
    return point.values(try manager.core.contributed(point.key).values(failed))
  } catch {
    failed(error)
    return point.values([])
  }
}

/// Returns a live service that a strict test scope withholds, or stops the program.
///
/// The live service lets the test finish, and the test scope's handler can fail the test.
@usableFromInline @inline(never)
func __recover<Service>(
  _ manager: ServiceManager, _ error: ServiceError, _ name: String?, _ dependent: StaticString,
  _ location: StaticString, _ mustBeSendable: Bool
) -> Service {
  if TaskScope.isStrict {
    // The service's initializer can look up other services that the scope withholds. Allow them
    // only if that fails, so that the service gets those that the test provides.
    for allowed in [Set(of: CollectionOfOne(GroupKey(Service.self))), nil] {
      let live = TaskScope.$current.withValue(TaskScope(in: manager.core, [], allowing: allowed)) {
        try? manager.create(Service.self, name, mustBeSendable)
      }
      guard let live else { continue }
      report(manager, "test scope's service", error, dependent, location)
      return live
    }
  }
  #if DEBUG
  if manager.isUnset {
    fatalError(
      "swift-section-registry: \(location): '\(dependent)' needs a service, but its manager has none; if the type is a"
        + " module, set the manager to 'context.services' in 'setUp': \(error) [unmet-need]")
  }
  #endif
  stop(error, dependent, location)
}

private func stop(_ error: ServiceError, _ dependent: StaticString, _ location: StaticString) -> Never {
  let hint =
    switch error.code {
    case .noService, .unusableService:
      "; call 'modules.requireAllNeeds()' before 'start()' to find this when the app starts"
    case .wrongIsolation: "; isolate the property to that actor to use the service without waiting"
    default: ""
    }
  fatalError(
    "swift-section-registry: \(location): '\(dependent)' needs a service that cannot be created: \(error)\(hint) [unmet-need]"
  )
}

@usableFromInline @inline(never)
func __report(
  _ manager: ServiceManager, _ error: ServiceError, _ dependent: StaticString, _ location: StaticString
) {
  if error.code == .noService, !manager.core.source.isReleased { return }
  report(manager, "optional service", error, dependent, location)
}

@inline(never)
private func report(
  _ manager: ServiceManager, _ what: String, _ error: ServiceError, _ dependent: StaticString, _ location: StaticString
) {
  // The test scope's handler, or that of a parent manager, has already received the error.
  let hasHandler = manager.core.lineage.contains { $0.current.rules?.onLiveService != nil }
  if error.code == .liveService, hasHandler { return }
  manager.current.log.report(
    Diagnostic(
      severity: .error, code: .unmetNeed, subject: "\(dependent)", image: nil,
      message: "the \(what) at \(location) cannot be created: \(error)"))
}

/// The cache of a property with `cached: true`.
///
/// Any two caches are equal, so that a cache doesn't affect the synthesized `Equatable` and
/// `Hashable` conformances of the type that contains it.
public final class __ServiceCache<Service>: Hashable {
  private let instance = Locked<Service?>(nil)

  public init() {}

  /// Returns the instance, creating it if needed. Concurrent calls can create several; one stays.
  public func value(_ create: () -> Service) -> Service { valueIfPresent(create)! }

  /// Returns the instance, or nil until the closure returns one.
  public func valueIfPresent(_ create: () -> Service?) -> Service? {
    #if DEBUG
    TaskScope.recordCache(of: GroupKey(Service.self), isNew: instance.withLock { $0 == nil })
    #endif
    return instance.value(create)
  }

  public static func == (_: __ServiceCache, _: __ServiceCache) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

// Unchecked: a lock guards the only stored property, and the service can be used on any thread.
extension __ServiceCache: @unchecked Sendable where Service: Sendable {}

/// Returns the service type for a record that states a need.
@inlinable public func __needed<Service>(_ service: Service.Type) -> __ServiceType<Service> {
  __ServiceType(type: service)
}

/// A placeholder for an optional type, which is not a service.
@frozen public struct __OptionalType {}

/// Selected for an optional type, which the macro cannot see in a type alias.
public func __needed<Service>(_ service: Service?.Type) -> __OptionalType { __OptionalType() }

/// A placeholder for an array, or a dictionary with string keys, which is not a service.
@frozen public struct __CollectionType {}

/// Selected for an array or such a dictionary, which the macro cannot see in a type alias.
public func __needed<Values: __ArrayOrDictionaryByString>(_ service: Values.Type) -> __CollectionType {
  __CollectionType()
}

/// Implements the accessor of a record that states a need for a service.
///
/// - Returns: True if `type` is null. Otherwise, the function doesn't write to `out`.
public func __provideNeed<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { answer(nil, with: service.type, out, type) }

/// Selected for an optional type.
@available(
  *, unavailable,
  message: """
    the macro cannot see that the type is optional; write it with a question mark, as in '(any CartService)?' \
    [optional-alias]
    """
)
public func __provideNeed(
  _ service: __OptionalType, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  false
}

/// Selected for an array or a dictionary with string keys.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the macro cannot see that the type is a collection, which is not a service; '@Service' needs brackets, as in \
    '[any CartService]' for all implementations, and '#needs' the type of the elements [invalid-property]
    """
)
public func __provideNeed(
  _ service: __CollectionType, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  false
}

/// A check for a need that Registry can't check itself, such as a need for a route.
///
/// It has one stored function, so its layout is the two words that `RecordFormat.md` specifies.
@frozen public struct __NeedCheck {
  /// A closure that returns the reason why a manager doesn't meet the need, with the fix, or nil.
  package let problem: @MainActor (ServiceManager) -> String?

  package init(problem: @escaping @MainActor (ServiceManager) -> String?) { self.problem = problem }
}

#if DEBUG
extension ServiceManager {
  /// A Boolean value that indicates whether the manager has no parent, records, or services.
  ///
  /// If so, it's a placeholder that `setUp` replaces. The value is false for a released manager.
  var isUnset: Bool {
    core.parent == nil && core.source.isEmpty && !core.source.isReleased
      && core.current.state.withLock { state in state.groups.all.allSatisfy { $0.entries.isEmpty } }
  }
}
#endif
