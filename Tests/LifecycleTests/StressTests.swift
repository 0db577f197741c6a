import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

/// A box that a test can empty while threads still have it.
private final class StressBox: Sendable {
  let stress: Locked<Stress?>

  init(_ stress: Stress) {
    self.stress = Locked(stress)
  }
}

/// The service manager under stress, its lasting registrations, and the problems that were found.
private final class Stress: Sendable {
  let services: ServiceManager
  let clock = StressClock()
  let objects: [String]
  let shared, shortLived, words, fresh, named, changing: Registration
  private let deadline: Double
  private let registrations = Locked<[Registration]>([])
  private let problems = Locked<[String]>([])
  private let operations = Locked<[String: Int]>([:])

  var wrong: [String] { problems.withLock { $0 } }
  var done: [String: Int] { operations.withLock { $0 } }
  var isOver: Bool { ProcessInfo.processInfo.systemUptime >= deadline }
  var everyRegistration: [Registration] {
    registrations.withLock { $0 } + [shared, shortLived, named, changing]
  }

  init(seconds: Double, objects: [String]) {
    self.objects = objects
    deadline = ProcessInfo.processInfo.systemUptime + seconds
    services = ServiceManager(
      records: .records { objects.contains($0.image.path) || $0.typeName == "LifecycleTests.ExportedWords" },
      onDiagnostic: { _ in })
    shared = Registration(1, clock, isOnce: true)
    shortLived = Registration(2, clock)
    words = Registration(3, clock, isOnce: true)
    fresh = Registration(4, clock)
    named = Registration(5, clock, isOnce: true)
    changing = Registration(6, clock, isOnce: true)
    services.register(StressShared.self, scope: .shared) { [shared] in Made(shared) }
    services.register(StressWeak.self, scope: .weak) { [shortLived] in Made(shortLived) }
    services.register(Words.self, scope: .shared) { [words] in Words(words) }
    services.register(FreshWords.self) { [fresh] in FreshWords(words: Words(fresh)) }
    services.register(StressShared.self, scope: .shared, named: "named") { [named] in Made(named) }
    services.register(StressChanging.self, scope: .shared) { [changing] in Made(changing) }
  }

  /// Creates a registration.
  ///
  /// - Parameter isOnce: A Boolean value that indicates whether the registration creates at most
  ///   one instance.
  func newRegistration(_ number: Int, isOnce: Bool = false) -> Registration {
    let registration = Registration(number, clock, isOnce: isOnce)
    registrations.withLock { $0.append(registration) }
    return registration
  }

  /// Records a condition that is not met, up to a limit of one hundred.
  func check(_ isRight: Bool, _ words: @autoclosure () -> String) {
    guard !isRight else { return }
    let words = words()
    problems.withLock { if $0.count < 100 { $0.append(words) } }
  }

  /// Looks up a service that must exist.
  func get<Service>(_ type: Service.Type, named name: String? = nil, from manager: ServiceManager? = nil) -> Service? {
    do throws(ServiceError) {
      return try (manager ?? services).createService(for: type, named: name)
    } catch {
      check(false, "a look-up of \(type) failed: \(error)")
      return nil
    }
  }

  /// Repeats an operation until the time is over, and counts the repetitions.
  func `repeat`(_ name: String, _ body: (Int) -> Void) {
    var round = 0
    // On a busy machine, a thread can begin after the time is over. The operation must still run
    // once.
    repeat {
      body(round)
      round += 1
    } while !isOver
    operations.withLock { $0[name, default: 0] += round }
  }
}

// These are the operations of the threads.
extension Stress {
  /// Looks up all services that are always registered.
  func lookUp(_ round: Int) {
    check(get(Words.self)?.isWhole != false, "a torn shared value")
    check(get(FreshWords.self)?.words.isWhole != false, "a torn transient value")
    check(get(StressShared.self)?.made.registration === shared, "another's shared service")
    check(get(StressShared.self, named: "named")?.made.registration === named, "another's named service")
    if let words = get(StressExported.self)?.words { check(words.0 == ~words.1, "a torn exported value") }
    let first = get(StressWeak.self)
    check(first === get(StressWeak.self), "two weak instances at once")
    check(first?.made.registration === shortLived, "another's weak service")
    // A service that was removed before the lookup must not be returned. In every other round the
    // clock is not used, so that the threads are less synchronized.
    let moment = round % 2 == 0 ? clock.tick() : 0
    if let changing = get(StressChanging.self)?.made.registration {
      check(!changing.wasRemoved(before: moment), "an instance of registration \(changing.number), which is removed")
    }
    if round % 8 == 0 {
      let all = (try? services.createServices(for: StressShared.self))?.map(\.made.registration.number)
      check(all == [1, 5], "all shared services: \(all as Any)")
    }
  }

  /// Registers, replaces, and removes services that all threads look up, and one that only this
  /// thread looks up.
  func change(_ worker: Int, _ round: Int) {
    let scope = [ServiceScope.transient, .shared, .weak][round % 3]
    let registration = newRegistration(1_000 * (round + 1) + worker, isOnce: scope == .shared)
    let made = services.register(StressChanging.self, scope: scope, replacing: true) { Made(registration) }
    _ = get(StressChanging.self)
    check(made.cancel() && !made.cancel(), "a registration was not there")
    registration.isRemovedNow()
    for _ in 0..<2 {
      let found = get(StressChanging.self)?.made.registration
      check(found !== registration, "an instance of a registration that this thread removed")
    }

    let name = "worker \(worker)"
    let own = newRegistration(1_000 * (round + 1) + worker, isOnce: scope == .shared)
    services.register(StressNamed.self, scope: scope, named: name) { Made(own) }
    check(services.contains(StressNamed.self, named: name), "what this thread registered is not there")
    check(get(StressNamed.self, named: name)?.made.registration === own, "another's named service")
    check(services.unregister(StressNamed.self, named: name), "there was nothing to remove")
    check((try? services.createService(for: StressNamed.self, named: name)) == nil, "it is there after it was removed")
  }

  /// Opens scopes with overrides or isolation, and looks services up inside and afterwards.
  func scope(_ worker: Int, _ round: Int) {
    let registration = newRegistration(worker)
    switch round % 3 {
    case 0:
      services.withOverrides {
        $0.override(StressShared.self) { Made(registration) }
      } operation: {
        check(get(StressShared.self)?.made.registration === registration, "an override does not hold")
        check(get(Words.self)?.isWhole == true, "a torn value beside an override")
      }
    case 1:
      services.withTestScope(.lenient) {
        $0.override(StressShared.self, scope: .shared) { Made(registration) }
      } operation: {
        let one = get(StressShared.self)?.made
        check(
          one?.registration === registration && one === get(StressShared.self)?.made, "not the scope's own instance")
        check(services.contains(StressChanging.self), "nothing in a scope")
        services.unregister(StressChanging.self)
        check(!services.contains(StressChanging.self), "it is there after it was removed in a scope")
      }
    default:
      services.withTestScope(.strict) {
        check((try? services.createService(for: Words.self)) == nil, "a strict scope gave a live service")
        services.register(StressShared.self) { Made(registration) }
        check(get(StressShared.self)?.made.registration === registration, "not what the scope registered")
      }
    }
    check(get(StressShared.self)?.made.registration === shared, "a scope reaches beyond its end")
  }

  /// Creates a child of the manager with a service of its own.
  func child(_ worker: Int, _ round: Int) {
    let child = ServiceManager(parent: services)
    let registration = newRegistration(worker)
    child.register(StressNamed.self, scope: .shared) { Made(registration) }
    check(get(StressNamed.self, from: child)?.made.registration === registration, "not the child's own")
    check(get(StressShared.self, from: child)?.made.registration === shared, "not the parent's")
  }

  /// Opens and closes an image with the library.
  func open(_ index: Int) {
    do {
      let opened = try services.openImage(at: objects[index])
      check(get(StressLate.self)?.answer == 42, "an opened image's service gives something else")
      opened.close()
    } catch {
      check(false, "\(error)")
    }
  }

  /// Opens and closes an image without the library.
  func openByHand(_ index: Int) {
    guard let handle = dlopen(objects[index], RTLD_NOW | RTLD_LOCAL) else { return check(false, "it does not open") }
    check(services.contains(StressLate.self), "an image's service is not there")
    dlclose(handle)
  }
}

extension ExportedModuleTests {
  /// The stress test, which belongs to the suite that opens images.
  @Suite struct StressTests {
    private static let seconds = Effort.seconds("STRESS_SECONDS", default: 0.25)
    private static let image = """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(LifecycleTests.StressLate, LifecycleTests.LateAnswer)
      """

    /// Triggers events and registers and unregisters modules while the threads run.
    @MainActor private static func stressModules(_ stress: Stress, _ stressed: Stressed) async throws -> Int {
      let paths = stress.objects
      let modules = ModuleManager(
        services: stress.services, records: .images { paths.contains($0.path) },
        configuration: ContextValues { $0[.stressed] = stressed }, onDiagnostic: { _ in })
      modules.register(StressModuleB.self)
      try modules.start()
      var round = 0
      repeat {
        round += 1
        stress.check(modules.adds { $0.register(StressModuleA.self, priority: 1) }, "a module was not registered")
        let answers = modules.trigger(.stress, 10 * round)
        stress.check(
          answers.contains(10 * round + 1) && answers.contains(10 * round + 3), "modules did not answer: \(answers)")
        stress.check(modules.unregister(StressModuleA.self), "a module was not there")
        let fewer = modules.trigger(.stress, 10 * round)
        stress.check(!fewer.contains(10 * round + 1), "a module that is removed answers: \(fewer)")
        if round % 16 == 0 {
          modules.stop()
          try modules.start()
        }
        await Task.yield()
      } while !stress.isOver
      modules.stop()
      await modules.waitUntilIdle()
      return round
    }

    /// Checks the conditions that hold at the end.
    ///
    /// - Returns: All registrations.
    private static func judge(_ stress: Stress, _ stressed: Stressed, _ rounds: Int) -> [Registration] {
      let done = stress.done
      let list = done.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      print("stress: \(list.joined(separator: ", ")), \(rounds) rounds of events")
      #expect(stress.wrong == [])
      #expect(done.count == 6 && done.values.allSatisfy { $0 > 0 } && rounds > 0)
      #expect(stress.shared.made == 1 && stress.words.made == 1 && stress.named.made == 1)
      #expect(stressed.begun.value == stressed.ended.value && stressed.begun.value >= rounds)
      return stress.everyRegistration
    }

    @Test(.timeLimit(.minutes(20 + Int(Self.seconds) / 60)))
    func `nothing is lost, torn, created twice, or retained while everything changes at once`() async throws {
      let objects = [
        try SharedObject(Self.image, name: "stress_a"), try SharedObject(Self.image, name: "stress_b"),
        try SharedObject(
          Self.image + "\nREGISTRY_EXPORT_MODULE(LifecycleTests.StressLateModule)", name: "stress_c"),
      ]
      let seconds = Self.seconds
      // A thread releases its closure some time after its end, so the test empties a box instead.
      let box = StressBox(Stress(seconds: seconds, objects: objects.map(\.path)))
      let stressed = Stressed()
      async let events = Self.stressModules(box.stress.withLock { $0! }, stressed)
      await withCheckedContinuation { continuation in
        // The threads must not block the main actor or the thread pool of the tests.
        Thread.detachNewThread {
          onThreads(10, limit: seconds + 600) { worker in
            let stress = box.stress.withLock { $0! }
            switch worker {
            case 0, 1, 2: stress.repeat("rounds of look-ups") { stress.lookUp($0) }
            case 3, 4: stress.repeat("registrations and removals") { stress.change(worker, $0) }
            case 5, 6: stress.repeat("scopes") { stress.scope(worker, $0) }
            case 7: stress.repeat("children") { stress.child(worker, $0) }
            case 8: stress.repeat("images opened") { stress.open(2 * ($0 % 2)) }
            default: stress.repeat("images opened by hand") { _ in stress.openByHand(1) }
            }
          }
          continuation.resume()
        }
      }
      let rounds = try await events
      let registrations = Self.judge(box.stress.withLock { $0! }, stressed, rounds)

      // Releasing the manager releases all its instances.
      _ = box.stress.withLock { $0.take() }
      #expect(registrations.allSatisfy { $0.made == $0.freed })
      #expect(!registrations.contains { $0.isOnce && $0.made > 1 })
      #expect(objects.allSatisfy { !$0.isMapped })
    }
  }
}
