import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

@testable import AppHost

/// A module that receives links before and after the delegate.
private final class Listener: Module {
  static func subscribe(_ events: Subscriptions<Listener>) {
    events.on(.openURL) { _, url, context in
      context.configuration[.trace].add("before \(url.url.path)")
      return url.url.path == "/module"
    }
    events.on(.openURL, .afterApp) { _, url, context in
      context.configuration[.trace].add("after \(url.url.path)")
      return false
    }
    events.on(.openLink) { _, _, context in context.configuration[.trace].add("link") }
  }
}

@MainActor struct MethodHookTests {
  private typealias Class = SimulatedMethods.Class

  private let selector = "application:openURL:options:"
  private let trace = Trace()
  private let table = SimulatedMethods()
  private let hooks: MethodHooks<SimulatedMethods>
  private let modules: ModuleManager

  init() throws {
    let trace = trace
    modules = ModuleManager(modules: [Listener.self], configuration: ContextValues { $0[.trace] = trace })
    hooks = MethodHooks(table, modules.sharedHostState.links)
    try modules.start()
  }

  /// Creates a class whose method writes a line and returns whether it opened the link.
  private func delegateClass(_ name: String = "Delegate", _ parent: Class? = nil, opens: Bool = false) -> Class {
    let type = Class(name, parent)
    type.methods[selector] = { [trace] _, path in
      trace.add("\(name) \(path ?? "")")
      return opens
    }
    return type
  }

  /// Wraps the method like the hooks of a system do.
  private func wrap(_ object: SimulatedObject, isWanted: Bool = true) {
    hooks.wrap(selector, of: object, isWanted: isWanted) { [modules] hook in
      { object, path in
        let path = path as? String ?? ""
        return hook.call(object, about: path, otherwise: false) { own in
          own.implementation(own.receiver as! SimulatedObject, path) as? Bool ?? false
        } modules: { own in
          modules.trigger(.openURL, OpenedURL(.init(string: "shop:\(path)")!)) { _ in
            own.flatMap { $0.implementation($0.receiver as! SimulatedObject, path) as? Bool } ?? false
          }
        }
      }
    }
  }

  private func open(_ object: SimulatedObject, _ path: String = "/a") -> Bool? {
    table.call(object, selector, path) as? Bool
  }

  @Test func `modules run before and after the delegate's own method, and the answers are combined`() {
    let object = SimulatedObject(delegateClass())
    wrap(object)
    #expect(open(object) == false)
    #expect(trace.lines == ["before /a", "Delegate /a", "after /a"])
    #expect(open(object, "/module") == true)
    let opening = SimulatedObject(delegateClass(opens: true))
    wrap(opening)
    #expect(open(opening) == true)
  }

  @Test(.timeLimit(.minutes(20)))
  func `a link that a wrapped method passes on to another wrapped method is one link`() async {
    let (type, connect) = (Class("Delegate"), "scene:willConnectToSession:options:")
    type.methods[connect] = { [table, selector] object, path in table.call(object, selector, path) }
    type.methods[selector] = { _, _ in nil }
    let object = SimulatedObject(type)
    for name in [connect, selector] {
      hooks.wrap(name, of: object, isWanted: true) { hook in
        { object, path in
          hook.call(object, otherwise: nil) { own in
            own.implementation(own.receiver as! SimulatedObject, path)
          } modules: { own in
            defer { modules.report(.url(OpenedURL(.init(string: "shop:/a")!)), by: .hooks) }
            return own.flatMap { $0.implementation($0.receiver as! SimulatedObject, path) }
          }
        }
      }
    }
    for count in 1...2 {
      table.call(object, connect, "/a")
      for _ in 0..<100 { await Task.yield() }
      #expect(trace.lines == Array(repeating: "link", count: count))
    }
  }

  @Test func `setting a delegate twice, or another object of its class, wraps the method once`() {
    let type = delegateClass()
    let (first, second) = (SimulatedObject(type), SimulatedObject(type))
    for object in [first, first, second] { wrap(object) }
    #expect(table.replaced == ["Delegate \(selector)"])
    _ = open(second)
    #expect(trace.lines == ["before /a", "Delegate /a", "after /a"])
  }

  @Test func `a missing method is added only if a module needs it`() {
    let type = Class("Bare")
    let object = SimulatedObject(type)
    wrap(object, isWanted: false)
    #expect(!table.responds(object, to: selector))
    wrap(object)
    #expect(table.responds(object, to: selector))
    #expect(open(object, "/module") == true)
    #expect(trace.lines == ["before /module", "after /module"])
  }

  @Test func `an inherited method is added to the class itself, and the superclass does not change`() {
    let base = delegateClass("Base", opens: true)
    let derived = SimulatedObject(Class("Derived", base))
    wrap(derived)
    #expect(table.replaced == ["Derived \(selector)"])
    #expect(open(derived) == true)
    #expect(trace.lines == ["before /a", "Base /a", "after /a"])
    _ = open(SimulatedObject(base))
    #expect(trace.lines.suffix(1) == ["Base /a"] && trace.lines.count == 4)
    // A later replacement of the inherited method is called.
    let old = base.methods[selector]!
    base.methods[selector] = { [trace] object, path in
      trace.add("later hook")
      return old(object, path)
    }
    _ = open(derived)
    #expect(trace.lines.suffix(4) == ["before /a", "later hook", "Base /a", "after /a"])
  }

  @Test func `modules receive an event once if a wrapped method calls its wrapped superclass method`() {
    let base = delegateClass("Base")
    wrap(SimulatedObject(base))
    let type = Class("Derived", base)
    type.methods[selector] = { [table, trace, selector] object, path in
      trace.add("Derived")
      return table.implementation(of: selector, in: base)!(object, path)
    }
    let object = SimulatedObject(type)
    wrap(object)
    _ = open(object)
    #expect(trace.lines == ["before /a", "Derived", "Base /a", "after /a"])
    _ = open(object)
    #expect(trace.lines.count == 8)
  }

  @Test func `a nested call with another argument is another event`() {
    let type = Class("Rewriting")
    type.methods[selector] = { [table, trace, selector] object, path in
      trace.add("opens \(path ?? "")")
      return path as? String == "/a" ? table.call(object, selector, "/b") : false
    }
    let object = SimulatedObject(type)
    wrap(object)
    _ = open(object)
    #expect(
      trace.lines == ["before /a", "opens /a", "before /b", "opens /b", "after /b", "after /a"])
  }

  @Test(arguments: [true, false]) func `another library's hook stays in effect, before or after ours`(isFirst: Bool) {
    let type = delegateClass(opens: true)
    let object = SimulatedObject(type)
    let theirs = { [trace, selector] in
      let old = type.methods[selector]!
      type.methods[selector] = { object, path in
        trace.add("theirs")
        return old(object, path)
      }
    }
    if isFirst { theirs() }
    wrap(object)
    if !isFirst { theirs() }
    // Wrapping the object a second time wraps neither method again.
    wrap(object)
    #expect(open(object) == true)
    let own = ["before /a"] + (isFirst ? ["theirs"] : []) + ["Delegate /a", "after /a"]
    #expect(trace.lines == (isFirst ? [] : ["theirs"]) + own)
  }

  @Test func `a subclass that another library inserts is wrapped, and one of an observer is not`() {
    let type = delegateClass()
    let object = SimulatedObject(Class("Observing", type, isObservers: true))
    wrap(object)
    #expect(table.replaced == ["Delegate \(selector)"])
    // The observer is removed.
    object.type = type
    _ = open(object)
    #expect(trace.lines == ["before /a", "Delegate /a", "after /a"])

    // Analytics libraries create a subclass whose methods call the implementations that the class
    // had at that time.
    let had = type.methods[selector]!
    let front = Class("Front", type)
    front.methods[selector] = { [trace] object, path in
      trace.add("front")
      return had(object, path)
    }
    object.type = front
    wrap(object)
    _ = open(object)
    #expect(trace.lines.dropFirst(3) == ["before /a", "front", "Delegate /a", "after /a"])
  }

  @Test func `an object that forwards to another one still forwards`() {
    let object = SimulatedObject(Class("Forwarding"))
    object.forwardingTarget = SimulatedObject(delegateClass("Target", opens: true))
    wrap(object, isWanted: false)
    #expect(table.replaced == ["Forwarding \(selector)"], "it says that it has the method")
    #expect(open(object) == true)
    #expect(trace.lines == ["before /a", "Target /a", "after /a"])
    // The hook looks the target up at each call, because the target can be set later.
    object.forwardingTarget = nil
    #expect(open(object) == false)
    #expect(trace.lines.suffix(2) == ["before /a", "after /a"])
  }

  @Test func `an object that forwards invocations, or forwards to one that does, still forwards`() {
    let proxy = SimulatedObject(Class("Proxy"))
    proxy.passesOnTo = SimulatedObject(delegateClass("Target", opens: true))
    wrap(proxy)
    #expect(open(proxy) == true && trace.lines == ["before /a", "Target /a", "after /a"])
    let unwrapped = SimulatedObject(Class("Unwrapped"))
    unwrapped.passesOnTo = proxy.passesOnTo
    let object = SimulatedObject(Class("Forwarding"))
    object.forwardingTarget = unwrapped
    wrap(object)
    #expect(open(object) == true && trace.lines.count == 6)
    // A call is not forwarded to an object that reports that it lacks the method.
    let bare = SimulatedObject(Class("Bare"))
    wrap(bare)
    #expect(open(bare) == false)
  }

  @Test func `an object that is its own forwarding target lacks the method`() {
    let object = SimulatedObject(Class("Bare"))
    wrap(object)
    object.forwardingTarget = object
    #expect(open(object) == false)
    #expect(trace.lines == ["before /a", "after /a"])
    object.forwardingTarget = nil
  }

  @Test func `a hook that another hook calls for an object without a method still answers`() {
    // Some libraries put a class in front of the object's class and call its implementation, which
    // here is an added method.
    let type = Class("Bare")
    let object = SimulatedObject(type)
    var answers: [String] = []
    let wrap = { [self] in
      hooks.wrap(selector, of: object, isWanted: true) { hook in
        { object, path in
          hook.call(object, about: path as? String, otherwise: answers.append("nobody")) { own in
            _ = own.implementation(object, path)
          } modules: { own in
            if let own { _ = own.implementation(object, path) }
            answers.append("modules")
          }
          return nil
        }
      }
    }
    _ = wrap()
    let added = type.methods[selector]!
    let front = Class("Front", type)
    front.methods[selector] = { object, path in added(object, path) }
    object.type = front
    _ = wrap()
    _ = table.call(object, selector, "/a")
    #expect(answers == ["nobody", "modules"], "the caller of the first one receives a result")
  }

  @Test func `an older method that an added one hides is called, and not one beside an existing method`() throws {
    let older = "application:openURL:sourceApplication:annotation:"
    let type = Class("Old")
    type.methods[older] = { [trace] _, path in
      trace.add("old \(path ?? "")")
      return true
    }
    let oldest = "application:handleOpenURL:"
    type.methods[oldest] = { [trace] _, path in
      trace.add("oldest \(path ?? "")")
      return true
    }
    let object = SimulatedObject(type)
    var found: [String?] = []
    hooks.wrap(selector, of: object, isWanted: true) { hook in
      { object, path in
        let hidden = hook.older(object)
        found.append(hidden?.selector)
        return hidden?.method.implementation(object, path)
      }
    }
    #expect(open(object) == true && trace.lines == ["old /a"])
    type.methods[older] = nil
    #expect(open(object) == true && trace.lines == ["old /a", "oldest /a"])
    type.methods[oldest] = nil
    #expect(open(object) == nil && found == [older, oldest, nil])
  }

  @Test func `a delegate or its forwarding target can notify the modules itself`() {
    #expect(!hooks.modulesAreNotified(by: nil, selector))
    #expect(!hooks.modulesAreNotified(by: SimulatedObject(delegateClass()), selector))
    let telling = NotifyingObject(delegateClass("Telling"))
    #expect(hooks.modulesAreNotified(by: telling, selector))
    let object = SimulatedObject(Class("Forwarding"))
    object.forwardingTarget = telling
    #expect(hooks.modulesAreNotified(by: object, selector))
    object.type.methods[selector] = { _, _ in nil }
    #expect(!hooks.modulesAreNotified(by: object, selector), "it does this itself")
  }

  @Test func `a delegate that forwards to one that notifies the modules does not notify them`() {
    let object = SimulatedObject(Class("Forwarding"))
    object.forwardingTarget = NotifyingObject(delegateClass("Telling", opens: true))
    wrap(object)
    #expect(open(object) == true && trace.lines == ["Telling /a"])
  }
}
