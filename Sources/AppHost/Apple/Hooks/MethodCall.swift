#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

/// A call of a delegate's method. Its arguments, including blocks, are objects.
struct MethodCall {
  let object: AnyObject
  var arguments: [AnyObject?]

  init(_ object: AnyObject, _ arguments: AnyObject?...) {
    self.object = object
    self.arguments = arguments
  }
}

extension OriginalMethod where Table == ObjectiveCMethodTable {
  /// Calls a method without a result.
  func send(_ name: String, _ arguments: [AnyObject?]) {
    // Unsafe, here and below, because only the selector determines the number of arguments. All
    // arguments are objects.
    let (method, name) = (implementation, NSSelectorFromString(name))
    switch arguments.count {
    case 1:
      unsafeBitCast(method, to: (@convention(c) (AnyObject, Selector, AnyObject?) -> Void).self)(
        receiver, name, arguments[0])
    case 2:
      unsafeBitCast(method, to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?) -> Void).self)(
        receiver, name, arguments[0], arguments[1])
    default:
      unsafeBitCast(
        method, to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?, AnyObject?) -> Void).self)(
          receiver, name, arguments[0], arguments[1], arguments[2])
    }
  }

  /// Calls a method with one argument that returns an object.
  func object(_ name: String, _ argument: AnyObject?) -> AnyObject? {
    typealias Function = @convention(c) (AnyObject, Selector, AnyObject?) -> Unmanaged<AnyObject>?
    return unsafeBitCast(implementation, to: Function.self)(receiver, NSSelectorFromString(name), argument)?
      .takeUnretainedValue()
  }

  /// Calls a method that returns a Boolean value.
  func ask(_ name: String, _ arguments: [AnyObject?]) -> Bool {
    let (method, name) = (implementation, NSSelectorFromString(name))
    return switch arguments.count {
    case 2:
      unsafeBitCast(method, to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?) -> ObjCBool).self)(
        receiver, name, arguments[0], arguments[1]
      ).boolValue
    case 3:
      unsafeBitCast(
        method, to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?, AnyObject?) -> ObjCBool).self)(
          receiver, name, arguments[0], arguments[1], arguments[2]
        ).boolValue
    default:
      unsafeBitCast(
        method,
        to: (@convention(c) (AnyObject, Selector, AnyObject?, AnyObject?, AnyObject?, AnyObject?) -> ObjCBool).self)(
          receiver, name, arguments[0], arguments[1], arguments[2], arguments[3]
        ).boolValue
    }
  }
}

/// Replacements for methods of delegates, which return nothing or a Boolean value.
///
/// Systems call the methods on the main thread. A call on another thread runs only the original
/// method.
extension MethodHook where Table == ObjectiveCMethodTable {
  /// Creates the replacement for a method with one argument and no result.
  ///
  /// - Parameter later: A closure that runs on the main thread after a call on another thread.
  func void1(
    later: (@MainActor @Sendable (_ object: AnyObject, _ a: AnyObject?) -> Void)? = nil,
    _ modules: @escaping @MainActor (_ a: AnyObject?, _ original: @escaping () -> Void) -> Void
  ) -> IMP {
    let block: @convention(block) (AnyObject, AnyObject?) -> Void = { object, a in
      let call = MethodCall(object, a)
      self.void(call, about: 0) { modules($0[0], $1) }
      guard let later, !Thread.isMainThread else { return }
      let given = Transferred(call)
      DispatchQueue.main.async {
        let call = given.take()
        later(call.object, call.arguments[0])
      }
    }
    return imp_implementationWithBlock(block)
  }

  /// Creates the replacement for a method with two arguments and no result.
  func void2(
    _ modules: @escaping @MainActor (_ a: AnyObject?, _ b: AnyObject?, _ original: @escaping () -> Void) -> Void
  ) -> IMP {
    let block: @convention(block) (AnyObject, AnyObject?, AnyObject?) -> Void = { object, a, b in
      self.void(MethodCall(object, a, b), about: 1) { modules($0[0], $0[1], $1) }
    }
    return imp_implementationWithBlock(block)
  }

  /// Creates the replacement for a method with three arguments and no result.
  func void3(
    _ modules:
      @escaping @MainActor (_ a: AnyObject?, _ b: AnyObject?, _ c: AnyObject?, _ original: @escaping () -> Void) -> Void
  ) -> IMP {
    let block: @convention(block) (AnyObject, AnyObject?, AnyObject?, AnyObject?) -> Void = { object, a, b, c in
      self.void(MethodCall(object, a, b, c), about: 1) { modules($0[0], $0[1], $0[2], $1) }
    }
    return imp_implementationWithBlock(block)
  }

  /// Creates the replacement for a method with two arguments and a Boolean result.
  ///
  /// - Parameter otherwise: The result of a nested call if the object has no method of its own.
  func bool2(
    otherwise: Bool = false, _ modules: @escaping @MainActor (_ b: AnyObject?, _ original: (() -> Bool)?) -> Bool
  ) -> IMP {
    let block: @convention(block) (AnyObject, AnyObject?, AnyObject?) -> ObjCBool = { object, a, b in
      ObjCBool(
        self.bool(MethodCall(object, a, b), otherwise) { arguments, original in
          modules(arguments[1], original.map { original in { original(arguments) } })
        })
    }
    return imp_implementationWithBlock(block)
  }

  /// Creates the replacement for a method with three arguments and a Boolean result.
  ///
  /// - Parameter modules: A closure that triggers the event. Its argument `original` calls the
  ///   delegate's method with another third argument; it is nil if the delegate does nothing.
  func bool3(
    _ modules: @escaping @MainActor (_ b: AnyObject?, _ c: AnyObject?, _ original: ((AnyObject?) -> Bool)?) -> Bool
  ) -> IMP {
    let block: @convention(block) (AnyObject, AnyObject?, AnyObject?, AnyObject?) -> ObjCBool = { object, a, b, c in
      ObjCBool(
        self.bool(MethodCall(object, a, b, c), false) { arguments, original in
          modules(arguments[1], arguments[2], original.map { original in { original([a, b, $0]) } })
        })
    }
    return imp_implementationWithBlock(block)
  }

  /// Creates the replacement for a method with one argument that returns an object or nil.
  func object1(
    _ modules: @escaping @MainActor (_ a: AnyObject?, _ original: (() -> AnyObject?)?) -> AnyObject?
  ) -> IMP {
    let block: @convention(block) (AnyObject, AnyObject?) -> AnyObject? = { object, a in
      guard Thread.isMainThread else { return self.elsewhere(object)?.object(self.selector, a) }
      let given = Transferred(MethodCall(object, a))
      // Unsafe because the main thread passes the object from one of its closures to the other.
      nonisolated(unsafe) var result: AnyObject?
      MainActor.assumeIsolated {
        let call = given.take()
        let a = call.arguments[0]
        result = self.call(call.object, about: a as? NSObject, otherwise: nil) {
          $0.object(self.selector, a)
        } modules: { own in
          modules(a, own.map { own in { own.object(self.selector, a) } })
        }
      }
      return result
    }
    return imp_implementationWithBlock(block)
  }

  /// Creates the replacement for a method with two arguments and a completion block.
  ///
  /// - Parameters:
  ///   - unanswered: A closure that calls the completion if neither modules nor the object do.
  ///   - modules: A closure that triggers the event. Its argument `a` is the app, the scene, or the
  ///     notification center. Its argument `original` calls the delegate's method with another
  ///     block; it is nil if the delegate does nothing.
  func awaited(
    unanswered: @escaping @MainActor (_ completion: AnyObject?) -> Void,
    _ modules:
      @escaping @MainActor (
        _ a: AnyObject?, _ b: AnyObject?, _ completion: AnyObject?, _ original: ((AnyObject?) -> Void)?
      ) -> Void
  ) -> IMP {
    let block: @convention(block) (AnyObject, AnyObject?, AnyObject?, AnyObject?) -> Void = {
      object, a, b, completion in
      // The caller's block can be on its stack, and it is called after that stack frame ends.
      let given = Transferred(MethodCall(object, a, b, Block.copied(completion)))
      let answer = { @MainActor in
        let call = given.take()
        let hidden = self.hidden(call)
        self.call(call.object, about: call.arguments[1] as? NSObject, otherwise: completeUnanswered(call, hidden)) {
          own in
          own.send(self.selector, call.arguments)
        } modules: { own in
          let original: ((AnyObject?) -> Void)? = own.map { own in
            { own.send(self.selector, [call.arguments[0], call.arguments[1], $0]) }
          }
          modules(
            call.arguments[0], call.arguments[1], call.arguments[2],
            original
              ?? hidden.map { hidden in
                { completion in
                  _ = hidden()
                  unanswered(completion)
                }
              })
        }
      }
      // The notification center does not document the thread of its calls.
      if Thread.isMainThread { MainActor.assumeIsolated(answer) } else { DispatchQueue.main.async(execute: answer) }
    }
    /// Calls the completion of a nested call, because its caller waits for it.
    @MainActor func completeUnanswered(_ call: MethodCall, _ hidden: (() -> Bool)?) {
      _ = hidden?()
      unanswered(call.arguments[2])
    }
    return imp_implementationWithBlock(block)
  }

  // MARK: - Shared implementation

  private nonisolated func void(
    _ call: MethodCall, about index: Int, _ modules: @MainActor ([AnyObject?], @escaping () -> Void) -> Void
  ) {
    guard Thread.isMainThread else {
      elsewhere(call.object)?.send(selector, call.arguments)
      return
    }
    let given = Transferred(call)
    MainActor.assumeIsolated {
      let call = given.take()
      let hidden = self.hidden(call)
      self.call(call.object, about: call.arguments[index] as? NSObject, otherwise: _ = hidden?()) {
        $0.send(selector, call.arguments)
      } modules: { own in
        modules(call.arguments) {
          if let own { own.send(self.selector, call.arguments) } else { _ = hidden?() }
        }
      }
    }
  }

  private nonisolated func bool(
    _ call: MethodCall, _ otherwise: Bool,
    _ modules: @MainActor ([AnyObject?], (([AnyObject?]) -> Bool)?) -> Bool
  ) -> Bool {
    guard Thread.isMainThread else { return elsewhere(call.object)?.ask(selector, call.arguments) ?? otherwise }
    let given = Transferred(call)
    return MainActor.assumeIsolated {
      let call = given.take()
      let hidden = self.hidden(call)
      return self.call(
        call.object, about: call.arguments[1] as? NSObject, otherwise: hidden?() ?? otherwise
      ) {
        $0.ask(selector, call.arguments)
      } modules: { own in
        modules(
          call.arguments,
          own.map { own in { own.ask(self.selector, $0) } } ?? hidden.map { hidden in { _ in hidden() } })
      }
    }
  }

  /// Returns the original method of an object, on any thread.
  private nonisolated func elsewhere(_ object: AnyObject) -> OriginalMethod<ObjectiveCMethodTable>? {
    if let replaced { return OriginalMethod(implementation: replaced, receiver: object) }
    let name = NSSelectorFromString(selector)
    if let inherited = class_getInstanceMethod(class_getSuperclass(type.type), name) {
      return OriginalMethod(implementation: method_getImplementation(inherited), receiver: object)
    }
    let target = (object as? NSObject)?.forwardingTarget(for: name) as AnyObject?
    guard let target, target !== object, (target as? any NSObjectProtocol)?.responds(to: name) == true,
      let theirs = class_getMethodImplementation(object_getClass(target), name)
    else { return nil }
    return OriginalMethod(implementation: theirs, receiver: target)
  }

  /// Returns a closure that calls the older method that the added one hides, or nil if there is
  /// none.
  private func hidden(_ call: MethodCall) -> (() -> Bool)? {
    guard DelegateMethod.older[selector] != nil, replaced == nil, let (name, method) = older(call.object) else {
      return nil
    }
    let (application, subject) = (call.arguments[0], call.arguments[1])
    return {
      switch name {
      case "applicationDidFinishLaunching:":
        method.send(name, [application])
        return true
      case "application:openURL:sourceApplication:annotation:":
        let options = call.arguments[2] as? [String: Any]
        return method.ask(
          name,
          [
            application, subject, options?["UIApplicationOpenURLOptionsSourceApplicationKey"] as AnyObject?,
            options?["UIApplicationOpenURLOptionsAnnotationKey"] as AnyObject?,
          ])
      case "application:handleOpenURL:": return method.ask(name, [application, subject])
      case "application:openFiles:", "application:openFile:":
        // These methods receive only files.
        let files = (subject as? [URL] ?? []).filter(\.isFileURL).map { $0.path as NSString }
        if name == "application:openFile:" { return files.map { method.ask(name, [application, $0]) }.contains(true) }
        if !files.isEmpty { method.send(name, [application, files as NSArray]) }
        return !files.isEmpty
      default:
        method.send(name, [application, subject])
        return true
      }
    }
  }
}
#endif
