#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

/// The type of a method whose arguments, including blocks, are objects.
struct MethodShape {
  enum Result {
    case none
    case bool
    case object
  }

  let result: Result
  let argumentCount: Int
}

extension OriginalMethod where Table == ObjectiveCMethodTable {
  /// Calls a method.
  ///
  /// - Returns: The result, which is a number for a Boolean value, or nil if there is none.
  @discardableResult func call(_ name: String, _ result: MethodShape.Result, _ arguments: [AnyObject?]) -> AnyObject? {
    typealias Argument = AnyObject?
    // Unsafe because only the selector determines the number of arguments and the result.
    let (method, name) = (implementation, NSSelectorFromString(name))
    switch (result, arguments.count) {
    case (.none, 1):
      unsafeBitCast(method, to: (@convention(c) (AnyObject, Selector, Argument) -> Void).self)(
        receiver, name, arguments[0])
    case (.none, 2):
      unsafeBitCast(method, to: (@convention(c) (AnyObject, Selector, Argument, Argument) -> Void).self)(
        receiver, name, arguments[0], arguments[1])
    case (.none, _):
      unsafeBitCast(method, to: (@convention(c) (AnyObject, Selector, Argument, Argument, Argument) -> Void).self)(
        receiver, name, arguments[0], arguments[1], arguments[2])
    case (.bool, 2):
      return unsafeBitCast(method, to: (@convention(c) (AnyObject, Selector, Argument, Argument) -> ObjCBool).self)(
        receiver, name, arguments[0], arguments[1]
      ).boolValue as NSNumber
    case (.bool, 3):
      typealias Function = @convention(c) (AnyObject, Selector, Argument, Argument, Argument) -> ObjCBool
      return unsafeBitCast(method, to: Function.self)(receiver, name, arguments[0], arguments[1], arguments[2])
        .boolValue as NSNumber
    case (.bool, _):
      typealias Function = @convention(c) (AnyObject, Selector, Argument, Argument, Argument, Argument) -> ObjCBool
      return unsafeBitCast(method, to: Function.self)(
        receiver, name, arguments[0], arguments[1], arguments[2], arguments[3]
      ).boolValue as NSNumber
    case (.object, _):
      typealias Function = @convention(c) (AnyObject, Selector, Argument) -> Unmanaged<AnyObject>?
      return unsafeBitCast(method, to: Function.self)(receiver, name, arguments[0])?.takeUnretainedValue()
    }
    return nil
  }
}

extension MethodHook where Table == ObjectiveCMethodTable {
  /// A closure that calls the delegate's own method, possibly with other arguments.
  typealias Own = ([AnyObject?]) -> AnyObject?

  /// Creates the replacement for a method.
  ///
  /// Systems call the methods on the main thread. A call on another thread runs only the original
  /// method, unless the method has a completion. Then, the call continues on the main thread.
  ///
  /// - Parameters:
  ///   - shape: The type of the method.
  ///   - otherwise: The result of a nested call if the object has no method of its own.
  ///   - unanswered: A closure that calls the completion, which is the last argument, if neither
  ///     modules nor the object do. It is nil for a method without a completion.
  ///   - later: A closure that runs on the main thread after a call on another thread.
  ///   - modules: A closure that triggers the event. Its argument `own` is nil if the delegate does
  ///     nothing.
  func replacement(
    _ shape: MethodShape, otherwise: AnyObject? = nil, unanswered: (@MainActor (AnyObject?) -> Void)? = nil,
    later: (@MainActor (_ object: AnyObject, _ arguments: [AnyObject?]) -> Void)? = nil,
    _ modules: @escaping @MainActor (_ arguments: [AnyObject?], _ own: Own?) -> AnyObject?
  ) -> IMP {
    implementation(shape) { object, arguments in
      var arguments = arguments
      // The caller's block can be on its stack, and it is called after that stack frame ends.
      if unanswered != nil { arguments.append(Block.copied(arguments.removeLast())) }
      let given = Transferred((object, arguments))
      // Unsafe because the main thread passes the objects from one of its closures to the other.
      nonisolated(unsafe) var result = otherwise
      let run = { @MainActor in
        let (object, arguments) = given.take()
        result = self.run(object, arguments, shape.result, otherwise, unanswered, modules)
      }
      if Thread.isMainThread {
        MainActor.assumeIsolated(run)
      } else if unanswered != nil {
        // The notification center does not document the thread of its calls.
        DispatchQueue.main.async(execute: run)
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

  /// Creates a function that passes the arguments of a method to a closure.
  private func implementation(
    _ shape: MethodShape, _ run: @escaping (_ object: AnyObject, _ arguments: [AnyObject?]) -> AnyObject?
  ) -> IMP {
    typealias Argument = AnyObject?
    switch (shape.result, shape.argumentCount) {
    case (.none, 1):
      let block: @convention(block) (AnyObject, Argument) -> Void = { _ = run($0, [$1]) }
      return imp_implementationWithBlock(block)
    case (.none, 2):
      let block: @convention(block) (AnyObject, Argument, Argument) -> Void = { _ = run($0, [$1, $2]) }
      return imp_implementationWithBlock(block)
    case (.none, _):
      let block: @convention(block) (AnyObject, Argument, Argument, Argument) -> Void = { _ = run($0, [$1, $2, $3]) }
      return imp_implementationWithBlock(block)
    case (.bool, 2):
      let block: @convention(block) (AnyObject, Argument, Argument) -> ObjCBool = {
        ObjCBool(run($0, [$1, $2]) as? Bool ?? false)
      }
      return imp_implementationWithBlock(block)
    case (.bool, _):
      let block: @convention(block) (AnyObject, Argument, Argument, Argument) -> ObjCBool = {
        ObjCBool(run($0, [$1, $2, $3]) as? Bool ?? false)
      }
      return imp_implementationWithBlock(block)
    case (.object, _):
      let block: @convention(block) (AnyObject, Argument) -> Argument = { run($0, [$1]) }
      return imp_implementationWithBlock(block)
    }
  }

  /// Returns a closure that calls the older method that the added one hides, or nil if there is
  /// none.
  private func hidden(_ object: AnyObject, _ arguments: [AnyObject?]) -> (() -> Bool)? {
    guard replaced == nil, let (name, method) = older(object) else { return nil }
    let (application, subject) = (arguments[0], arguments[1])
    func ask(_ arguments: AnyObject?...) -> Bool { method.call(name, .bool, arguments) as? Bool ?? false }
    // These methods receive only files.
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
      default: method.call(name, .none, [application, subject])
      }
      return true
    }
  }
}
#endif
