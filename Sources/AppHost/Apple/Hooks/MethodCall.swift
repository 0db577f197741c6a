#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

/// The type of a method whose arguments are all objects, including blocks.
struct MethodShape {
  enum Result {
    case none
    case bool
    case object
  }

  let result: Result
  let argumentCount: Int
}

private typealias Argument = AnyObject?

private enum Function {
  typealias None1 = @convention(c) (AnyObject, Selector, Argument) -> Void
  typealias None2 = @convention(c) (AnyObject, Selector, Argument, Argument) -> Void
  typealias None3 = @convention(c) (AnyObject, Selector, Argument, Argument, Argument) -> Void
  typealias Bool2 = @convention(c) (AnyObject, Selector, Argument, Argument) -> ObjCBool
  typealias Bool3 = @convention(c) (AnyObject, Selector, Argument, Argument, Argument) -> ObjCBool
  typealias Bool4 = @convention(c) (AnyObject, Selector, Argument, Argument, Argument, Argument) -> ObjCBool
  typealias Object1 = @convention(c) (AnyObject, Selector, Argument) -> Unmanaged<AnyObject>?
}

private enum Replacement {
  typealias None1 = @convention(block) (AnyObject, Argument) -> Void
  typealias None2 = @convention(block) (AnyObject, Argument, Argument) -> Void
  typealias None3 = @convention(block) (AnyObject, Argument, Argument, Argument) -> Void
  typealias Bool2 = @convention(block) (AnyObject, Argument, Argument) -> ObjCBool
  typealias Bool3 = @convention(block) (AnyObject, Argument, Argument, Argument) -> ObjCBool
  typealias Object1 = @convention(block) (AnyObject, Argument) -> Argument
}

extension OriginalMethod where Table == ObjectiveCMethodTable {
  /// Calls a method and returns its result. A Boolean result becomes an `NSNumber`.
  @discardableResult func call(_ name: String, _ result: MethodShape.Result, _ arguments: [AnyObject?]) -> AnyObject? {
    // Unsafe because only the selector determines the number of arguments and the result.
    func method<Type>(_ type: Type.Type) -> Type { unsafeBitCast(implementation, to: type) }
    let (name, own) = (NSSelectorFromString(name), arguments)
    switch (result, own.count) {
    case (.none, 1): method(Function.None1.self)(receiver, name, own[0])
    case (.none, 2): method(Function.None2.self)(receiver, name, own[0], own[1])
    case (.none, _): method(Function.None3.self)(receiver, name, own[0], own[1], own[2])
    case (.bool, 2): return method(Function.Bool2.self)(receiver, name, own[0], own[1]).boolValue as NSNumber
    case (.bool, 3): return method(Function.Bool3.self)(receiver, name, own[0], own[1], own[2]).boolValue as NSNumber
    case (.bool, _):
      return method(Function.Bool4.self)(receiver, name, own[0], own[1], own[2], own[3]).boolValue as NSNumber
    case (.object, _): return method(Function.Object1.self)(receiver, name, own[0])?.takeUnretainedValue()
    }
    return nil
  }
}

extension MethodHook where Table == ObjectiveCMethodTable {
  typealias Own = ([AnyObject?]) -> AnyObject?

  /// Creates the replacement for a method.
  ///
  /// Systems call most methods on the main thread. On another thread, a method without a completion
  /// runs only the original, and a method with a completion continues on the main thread.
  ///
  /// - Parameters:
  ///   - otherwise: The result if only the original method should run, but the object lacks it.
  ///   - unanswered: A closure that calls the completion, the last argument, if neither the modules
  ///     nor the object calls it. It's nil for a method without a completion.
  ///   - later: A closure that runs on the main thread after a call on another thread.
  ///   - modules: A closure that triggers the event. Its argument `own` is nil if the delegate
  ///     doesn't handle the call.
  func replacement(
    _ shape: MethodShape, otherwise: AnyObject? = nil, unanswered: (@MainActor (AnyObject?) -> Void)? = nil,
    later: (@MainActor (_ object: AnyObject, _ arguments: [AnyObject?]) -> Void)? = nil,
    _ modules: @escaping @MainActor (_ arguments: [AnyObject?], _ own: Own?) -> AnyObject?
  ) -> IMP {
    implementation(shape) { object, arguments in
      var arguments = arguments
      // The completion block can be on the caller's stack, but is called after the frame ends.
      if unanswered != nil { arguments.append(Block.copied(arguments.removeLast())) }
      let given = Transferred((object, arguments))
      let run = { @MainActor in
        let (object, arguments) = given.take()
        return self.run(object, arguments, shape.result, otherwise, unanswered, modules)
      }
      var result = otherwise
      if Thread.isMainThread {
        // Unsafe because the result isn't Sendable. Only this thread uses it.
        nonisolated(unsafe) var returned: AnyObject?
        MainActor.assumeIsolated { returned = run() }
        result = returned
      } else if unanswered != nil {
        // Apple doesn't document which thread the notification center calls these methods on. They
        // return nothing.
        DispatchQueue.main.async { _ = run() }
      } else {
        if let original = self.original(object) { result = original.call(self.selector, shape.result, arguments) }
        if let later { DispatchQueue.main.async { later(given.take().0, given.take().1) } }
      }
      return result
    }
  }

  private func run(
    _ object: AnyObject, _ arguments: [AnyObject?], _ result: MethodShape.Result, _ otherwise: AnyObject?,
    _ unanswered: (@MainActor (AnyObject?) -> Void)?, _ modules: @MainActor ([AnyObject?], Own?) -> AnyObject?
  ) -> AnyObject? {
    let hidden: Own? = hidden(object, arguments).map { hidden in
      { arguments in
        let answer = hidden()
        unanswered?(arguments[arguments.count - 1])
        return answer as NSNumber
      }
    }
    func alone() -> AnyObject? {
      if let hidden { return hidden(arguments) }
      unanswered?(arguments[arguments.count - 1])
      return otherwise
    }
    let subject = arguments[min(1, arguments.count - 1)] as? NSObject
    return call(object, about: subject, otherwise: alone()) {
      $0.call(selector, result, arguments)
    } modules: { original in
      modules(arguments, original.map { original in { original.call(self.selector, result, $0) } } ?? hidden)
    }
  }

  private func implementation(
    _ shape: MethodShape, _ run: @escaping (_ object: AnyObject, _ arguments: [AnyObject?]) -> AnyObject?
  ) -> IMP {
    func answer(_ object: AnyObject, _ arguments: [AnyObject?]) -> ObjCBool {
      ObjCBool(run(object, arguments) as? Bool ?? false)
    }
    return switch (shape.result, shape.argumentCount) {
    case (.none, 1): imp_implementationWithBlock({ _ = run($0, [$1]) } as Replacement.None1)
    case (.none, 2): imp_implementationWithBlock({ _ = run($0, [$1, $2]) } as Replacement.None2)
    case (.none, _): imp_implementationWithBlock({ _ = run($0, [$1, $2, $3]) } as Replacement.None3)
    case (.bool, 2): imp_implementationWithBlock({ answer($0, [$1, $2]) } as Replacement.Bool2)
    case (.bool, _): imp_implementationWithBlock({ answer($0, [$1, $2, $3]) } as Replacement.Bool3)
    case (.object, _): imp_implementationWithBlock({ run($0, [$1]) } as Replacement.Object1)
    }
  }

  /// Returns a closure that calls the older method hidden by the added method, or nil.
  private func hidden(_ object: AnyObject, _ arguments: [AnyObject?]) -> (() -> Bool)? {
    guard replaced == nil, let (name, method) = older(object) else { return nil }
    let (application, subject) = (arguments[0], arguments[1])
    func ask(_ arguments: AnyObject?...) -> Bool { method.call(name, .bool, arguments) as? Bool ?? false }
    // `application:openFile:` and `application:openFiles:` accept only files.
    let files = (subject as? [URL] ?? []).filter(\.isFileURL).map { $0.path as NSString }
    return {
      switch name {
      case "application:openURL:sourceApplication:annotation:":
        let options = arguments[2] as? [String: Any]
        return ask(
          application, subject, options?["UIApplicationOpenURLOptionsSourceApplicationKey"] as AnyObject?,
          options?["UIApplicationOpenURLOptionsAnnotationKey"] as AnyObject?)
      case "application:handleOpenURL:": return ask(application, subject)
      case "application:openFile:": return files.map { ask(application, $0) }.contains(true)
      case "application:openFiles:": if !files.isEmpty { method.call(name, .none, [application, files as NSArray]) }
      case "applicationDidFinishLaunching:": method.call(name, .none, [application])
      default:
        // UIKit calls `application:didReceiveRemoteNotification:` only in the foreground.
        let isInBackground = (application as? NSObject)?.value(forKey: "applicationState") as? Int == 2
        if !isInBackground { method.call(name, .none, [application, subject]) }
      }
      return true
    }
  }
}
#endif
