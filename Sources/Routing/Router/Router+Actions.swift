public import Registry

extension Router {
  /// Performs an action by its names.
  ///
  /// ```swift
  /// let receipt = try await router.perform("orders", "show", ["id": 7])
  /// ```
  ///
  /// This method is for callers that cannot name types, such as scripts and remote configuration.
  /// It performs only actions that are exported with ``exportAction(_:_:access:handler:)-3ugcd`` or
  /// registered. Interceptors and observers do not apply to actions.
  ///
  /// - Parameters:
  ///   - target: The name of the target to which the action belongs.
  ///   - action: The name of the action.
  ///   - parameters: The values from which the parameters of the action are decoded. Strings can
  ///     represent numbers and Boolean values.
  ///   - module: The module that contains the action, or nil if only one module has an action with
  ///     these names.
  ///   - origin: The origin of the request. A remote request reaches only actions with
  ///     ``RouteAccess/remote``.
  /// - Returns: The result of the action, or `()` if it has none.
  /// - Throws: ``RouteError``, or the error that the action throws.
  @discardableResult
  public nonisolated(nonsending) func perform(
    _ target: String, _ action: String, _ parameters: [String: PropertyValue] = [:], module: String? = nil,
    from origin: RouteOrigin = .local
  ) async throws -> any Sendable {
    await load()
    let handler = try find(HandlerName(id: target, action: action), module, origin)
    var request = RouteRequest(origin: origin)
    do {
      request.parameters = try handler.decode?(RouteDecoder(.dictionary(parameters)))
    } catch {
      throw RouteError.badParameters(route: handler.name.text, pattern: nil, reason: error.decodingReason)
    }
    return try await handler.open(request).erased
  }

  /// Performs an action by its names and returns a result of the given type.
  ///
  /// - Parameters:
  ///   - target: The name of the target to which the action belongs.
  ///   - action: The name of the action.
  ///   - parameters: The values from which the parameters of the action are decoded.
  ///   - type: The type of the result.
  ///   - module: The module that contains the action, or nil if only one module has an action with
  ///     these names.
  ///   - origin: The origin of the request. A remote request reaches only actions with
  ///     ``RouteAccess/remote``.
  /// - Returns: The result of the action.
  /// - Throws: ``RouteError``, also if the result has another type, or the error that the action
  ///   throws.
  public nonisolated(nonsending) func perform<Outcome>(
    _ target: String, _ action: String, _ parameters: [String: PropertyValue] = [:], as type: Outcome.Type,
    module: String? = nil, from origin: RouteOrigin = .local
  ) async throws -> Outcome {
    let value = try await perform(target, action, parameters, module: module, from: origin)
    return try RouteError.cast(value, of: "\(target).\(action)")
  }

  private func find(_ name: HandlerName, _ module: String?, _ origin: RouteOrigin) throws(RouteError) -> RouteHandler {
    let handlers = state.withLock { $0.used(name) }.ordered { $0.provenance.module < $1.provenance.module }
    let usable = handlers.filter { [nil, $0.provenance.module].contains(module) && origin.reaches($0.access) }
    let (target, action) = (name.id, name.action ?? "")
    if usable.count > 1 {
      throw .ambiguousAction(target: target, action: action, modules: usable.map(\.provenance.module))
    }
    if let handler = usable.first { return handler }
    // A remote caller must not learn which actions it cannot perform. Others learn the modules that
    // contain the action, or a similar name.
    let nearest: String? =
      if origin == .remote {
        nil
      } else if handlers.isEmpty {
        name.text.nearest(in: state.withLock { $0.names(ofActions: true) })
      } else {
        "\(name.text) in \(handlers.map(\.provenance.module).joined(separator: ", "))"
      }
    throw .actionNotFound(target: target, action: action, module: module, nearest: nearest)
  }
}
