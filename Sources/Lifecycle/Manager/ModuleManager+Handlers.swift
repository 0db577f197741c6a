import Registry

extension ModuleManager {
  // MARK: - Exported handlers

  /// What a handler's record makes; nil, and reported, if it cannot be used.
  func handlerEntry(_ record: ExportedRecord) -> ModuleEntry? {
    do throws(JSONError) {
      let attributes = try HandlerAttributes(of: record)
      guard let accessor = record.accessor else {
        reportMalformed(record, "it has no accessor, and no handler can be found by its name: export it with #onEvent")
        return nil
      }
      return handlerEntry(
        named: attributes.handler, priority: attributes.priority, image: record.image,
        FreeHandler(origin: .exported(accessor), once: attributes.once, manager: self))
    } catch {
      reportMalformed(record, "\(error)")
      return nil
    }
  }

  /// Makes an entry of a name that no other has: one place in the source can subscribe many times, and two images may have
  /// been made from one source.
  private func handlerEntry(named name: String, priority: Int, image: LoadedImage?, _ handler: FreeHandler)
    -> ModuleEntry
  {
    var unique = name
    while entries.any(named: unique) != nil {
      handlerNames[name, default: 1] += 1
      unique = "\(name)#\(handlerNames[name, default: 1])"
    }
    return ModuleEntry(
      attributes: ModuleAttributes(module: unique, level: .normal, priority: priority, after: []), image: image,
      source: .handler(handler))
  }

  // MARK: - Subscribing at run time

  /// Calls a closure for an event from now on, without a module.
  ///
  /// ```swift
  /// let subscription = modules.on(.userDidLogIn) { user, context in … }
  /// subscription.cancel()
  /// ```
  ///
  /// It has its place among the modules and the handlers of ``onEvent(_:priority:once:handler:)``, by its priority and by
  /// where it was written; several of one place are called in the order in which they were subscribed. An event under way
  /// does not reach it. Before the start and after the stop it waits.
  ///
  /// - Parameters:
  ///   - priority: Among what could come next, what has the highest priority does.
  ///   - once: Whether it is cancelled when the first event reaches it.
  ///   - handler: What is called. What it throws is reported, and the others are called.
  /// - Returns: What ends it; it goes on if that is let go of.
  @preconcurrency @discardableResult @inlinable
  public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, priority: Int = 0, once: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Payload, Context) throws -> Outcome
  ) -> EventSubscription {
    add(EventHandler(of: event, handler), priority, once, "\(fileID):\(line):\(column)")
  }

  /// Calls a closure for an event without a payload from now on.
  @preconcurrency @discardableResult @inlinable
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, priority: Int = 0, once: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Context) throws -> Outcome
  ) -> EventSubscription {
    add(EventHandler(of: event) { _, context in try handler(context) }, priority, once, "\(fileID):\(line):\(column)")
  }

  /// Runs a closure off the main actor from now on, in a task of its own for each event.
  ///
  /// - Parameter taskPriority: The priority of its tasks, for whose end ``waitUntilIdle()`` waits.
  @preconcurrency @discardableResult @inlinable
  public func on<Payload: Sendable>(
    _ event: Event<Payload, Void>, priority: Int = 0, once: Bool = false, taskPriority: TaskPriority,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @Sendable (Payload) async throws -> Void
  ) -> EventSubscription {
    add(EventHandler(of: event, taskPriority: taskPriority, handler), priority, once, "\(fileID):\(line):\(column)")
  }

  /// Runs a closure off the main actor from now on, for an event without a payload.
  @preconcurrency @discardableResult @inlinable
  public func on(
    _ event: Event<Void, Void>, priority: Int = 0, once: Bool = false, taskPriority: TaskPriority,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @Sendable () async throws -> Void
  ) -> EventSubscription {
    add(
      EventHandler(of: event, taskPriority: taskPriority) { _ in try await handler() }, priority, once,
      "\(fileID):\(line):\(column)")
  }

  @usableFromInline func add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ place: String
  ) -> EventSubscription {
    let entry = handlerEntry(
      named: place, priority: priority, image: nil,
      FreeHandler(origin: .given(handler), once: once, manager: self))
    // Of a name of its own and with its handler at hand, there is nothing that could keep it out.
    if insert(entry), state == .running { bringUpNewcomers() }
    return EventSubscription(entry: entry, manager: self)
  }

  // MARK: - What handlers do

  /// Starts a handler's task for one event.
  func start(
    _ entry: ModuleEntry, _ event: StaticString, _ priority: TaskPriority,
    _ work: @escaping @Sendable () async throws -> Void
  ) {
    taskCount += 1
    let number = taskCount
    tasks[number] = Task.detached(priority: priority) {
      var problem: (any Error)?
      do { try await work() } catch { problem = error }
      await self.end(number, entry, event, problem)
    }
  }

  private func end(_ number: Int, _ entry: ModuleEntry, _ event: StaticString, _ problem: (any Error)?) {
    tasks[number] = nil
    guard let problem else { return }
    log.report(
      entry.diagnostic(.error, .handlerFailed, "its handler of \(event) threw: \(problem)"), always: true)
  }
}

/// A handler that was subscribed at run time: ``ModuleManager/on(_:priority:once:fileID:line:column:handler:)``.
@MainActor public struct EventSubscription {
  private weak var entry: ModuleEntry?
  private weak var manager: ModuleManager?

  init(entry: ModuleEntry, manager: ModuleManager) {
    self.entry = entry
    self.manager = manager
  }

  /// Whether events can reach it still, once the manager is started.
  public var isActive: Bool {
    guard let entry, let manager else { return false }
    return manager.entries.contains(entry)
  }

  /// Ends it. Events under way do not reach it any more.
  ///
  /// - Returns: Whether it was still there.
  @discardableResult
  public func cancel() -> Bool {
    guard isActive, let entry, let manager else { return false }
    manager.remove(entry)
    return true
  }
}
