public import Foundation
internal import Registry

extension Router {
  /// Opens a URL without waiting, and returns an outcome of the given type.
  ///
  /// ```swift
  /// let badge = try router.synchronousObject(for: url, as: BadgeView.self, from: .local)
  /// ```
  ///
  /// The handler must be a closure of `#exportRoute` that does not contain `await`, or one that was
  /// registered with `registerSynchronous(_:handler:)`. All interceptors must be closures that do
  /// not wait. The router does not call the closures of ``onNotFound(_:)``, which can wait. Routes
  /// that belong to another actor match only after they have been read; see ``load()``.
  ///
  /// - Parameters:
  ///   - url: The URL to open.
  ///   - type: The type of the outcome.
  ///   - origin: The origin of the URL. A remote URL reaches only routes with
  ///     ``RouteAccess/remote``.
  ///   - values: Additional values that interceptors and the handler can read.
  /// - Returns: The outcome that the handler returns.
  /// - Throws: ``RouteError``, also if the handler or an interceptor can wait or the outcome has
  ///   another type, or the error that the handler or an interceptor throws.
  @MainActor public func synchronousObject<Object>(
    for url: URL, as type: Object.Type = Object.self, from origin: RouteOrigin, values: RouteValues = RouteValues()
  ) throws -> Object {
    let request = RouteRequest(.url(url), RouteRequest(origin: origin, values: values))
    let end = beginObserving(request)
    let result = Result { try followNow(RoutePursuit(.url(url), request)).outcome }
    end?(result)
    return try result.get().object(for: url, as: type, from: origin)
  }

  @MainActor private func followNow(_ pursuit: RoutePursuit) throws -> Opened {
    var pursuit = pursuit
    while true {
      scan()
      guard let found = try find(pursuit) else { throw failure(of: pursuit) }
      let route = found.entry.handler.id
      if let next = try decideNow(found.request, route, pursuit) {
        pursuit.redirect(to: next.target, from: next.origin)
      } else if isRegistered(found.entry) {
        do {
          guard let boxed = try found.entry.handler.openNow(found.request) else {
            throw pursuit.reported(.notSynchronous(route: route, reason: "its handler can wait"))
          }
          return Opened(boxed: boxed, route: route, request: found.request)
        } catch let declined as RouteDeclined {
          pursuit.skip(route, declined)
        }
      }
    }
  }

  /// Returns the redirection that an interceptor decides on, or nil if the request proceeds.
  @MainActor private func decideNow(
    _ request: RouteRequest, _ route: String, _ pursuit: RoutePursuit
  ) throws -> RouteDecision.Redirection? {
    for interceptor in state.withLock({ $0.interceptors.closures }) {
      guard let decide = interceptor.decideNow else {
        throw pursuit.reported(.notSynchronous(route: route, reason: "an interceptor can wait"))
      }
      switch try decide(request).kind {
      case .proceed: continue
      case .reject(let reason): throw pursuit.reported(.rejected(route: route, reason: reason))
      case .redirect(let other): return other
      }
    }
    return nil
  }
}
