import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

/// An object of the app that shows an activity.
private final class Screen {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

/// A system that passes activities with a restoration handler.
@MainActor private final class SimulatedSystem {
  /// The calls of the handler, with the names of the objects.
  private(set) var calls: [[String]] = []
  /// The names of the objects that were restored without the handler.
  private(set) var restored: [String] = []
  let activity = UserActivity(type: "order", userInfo: ["url": "shop://order/7"])

  func restoration() -> ActivityRestoration {
    ActivityRestoration { self.calls.append(Self.names($0)) }
  }

  /// The activity with a handler.
  func activity(_ restoration: ActivityRestoration) -> UserActivity {
    var activity = activity
    activity.restoration = SystemObject(restoration)
    return activity
  }

  /// Supplies objects as a module does.
  func supply(_ names: [String], to activity: UserActivity) {
    activity.restore(names.map { Screen($0) }) { self.restored += Self.names([$0]) }
  }

  private static func names(_ objects: [AnyObject]) -> [String] { objects.compactMap { ($0 as? Screen)?.name } }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct ActivityRestorationTests {
  private let system = SimulatedSystem()
  private let modules = ModuleManager()

  init() throws {
    try modules.start()
  }

  private func supplier(_ names: [String]) {
    modules.on(.continueUserActivity) { [system] activity, _ in
      system.supply(names, to: activity)
      #expect(system.calls.isEmpty, "the handler is called after all modules")
      return true
    }
  }

  @Test func `the handler receives the objects of all modules in one call`() {
    supplier(["cart"])
    supplier(["order", "badge"])
    #expect(modules.deliver(.continueUserActivity, system.activity(system.restoration()), by: .appDelegate))
    #expect(system.calls == [["cart", "order", "badge"]] && system.restored.isEmpty)
  }

  @Test func `the handler is not called if no module supplies an object`() {
    modules.on(.continueUserActivity) { _, _ in true }
    #expect(modules.deliver(.continueUserActivity, system.activity(system.restoration()), by: .appDelegate))
    #expect(system.calls.isEmpty)
  }

  @Test func `objects that are supplied later are passed to the handler, which is called once`() {
    var continued: UserActivity?
    modules.on(.continueUserActivity) { activity, _ in
      continued = activity
      return true
    }
    #expect(modules.deliver(.continueUserActivity, system.activity(system.restoration()), by: .appDelegate))
    for name in ["first", "second"] { if let continued { system.supply([name], to: continued) } }
    #expect(system.calls == [["first"]] && system.restored == ["second"])
  }

  @Test func `an empty list of a module does not count as its objects`() {
    supplier([])
    let activity = system.activity(system.restoration())
    #expect(modules.deliver(.continueUserActivity, activity, by: .appDelegate))
    for names in [[], ["late"]] { system.supply(names, to: activity) }
    #expect(system.calls == [["late"]] && system.restored.isEmpty)
  }

  @Test func `a link that opens later restores objects directly, because the handler was called`() async throws {
    supplier(["cart"])
    modules.on(.openLink) { [system] link, _ in
      if let activity = link.userActivity { system.supply(["order"], to: activity) }
    }
    modules.deliver(.continueUserActivity, system.activity(system.restoration()), by: .appDelegate)
    try await until("the link is opened") { system.restored == ["order"] }
    #expect(system.calls == [["cart"]])
  }

  @Test func `the objects of the app's own delegate are in the same call`() {
    supplier(["cart"])
    let restoration = system.restoration()
    let isContinued = modules.deliver(.continueUserActivity, system.activity(restoration), by: .hooks) {
      // As in the handler that the delegate receives from the hooks.
      restoration.add([Screen("own")])
    }
    #expect(isContinued && system.calls == [["cart", "own"]])
    #expect(!restoration.add([Screen("late")]), "the caller restores it itself")
    #expect(system.calls.count == 1)
  }

  @Test func `the handler of a repeated report receives the objects of the app's own delegate`() {
    modules.deliver(.continueUserActivity, system.activity, by: .userActivity)
    let restoration = system.restoration()
    modules.deliver(.continueUserActivity, system.activity(restoration), by: .hooks) {
      restoration.add([Screen("own")])
    }
    #expect(system.calls == [["own"]])
  }

  @Test func `a delegate that calls the handler without objects still reaches the system`() {
    let restoration = system.restoration()
    modules.deliver(.continueUserActivity, system.activity(restoration), by: .hooks) { restoration.add([]) }
    #expect(system.calls == [[]])
  }

  @Test(arguments: [true, false])
  func `objects that are supplied during the handler's call are not passed to it`(isLate: Bool) {
    var (calls, isTaken) = (0, true)
    weak var own: ActivityRestoration?
    let restoration = ActivityRestoration { _ in
      calls += 1
      if calls == 1 { isTaken = own?.add([Screen("again")]) ?? true }
    }
    own = restoration
    if isLate { restoration.finish() }
    #expect(restoration.add([Screen("first")]))
    restoration.finish()
    #expect(calls == 1 && !isTaken)
  }

  @Test func `an activity without a handler, such as that of a scene, restores objects directly`() {
    modules.on(.continueUserActivity) { [system] continued, _ in
      system.supply(["cart"], to: continued)
      return true
    }
    modules.deliver(.continueUserActivity, system.activity, by: .sceneDelegate)
    #expect(system.restored == ["cart"])
  }

  @Test func `the handler does not affect the equality of activities`() {
    var activity = system.activity
    activity.restoration = SystemObject(system.restoration())
    #expect(activity == system.activity && activity.hashValue == system.activity.hashValue)
  }
}
