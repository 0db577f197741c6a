import Lifecycle
import TestSupport

// The names of some of these modules differ from those of their types. The private types share
// their names with types in ModuleIdentityTests.swift.

@ExportModule private final class SharedLoader: Traced {
  static func subscribe(_ events: Subscriptions<SharedLoader>) { events.on(.list) { _, _ in ["other file"] } }
}

enum OtherFile {
  @MainActor static var loader: any Module.Type { SharedLoader.self }
  @MainActor static var worker: any Module.Type { SharedWorker.self }
  @MainActor static var nameless: any Module.Type { SharedModule.self }
}

private final class SharedModule: Traced {}

private final class SharedWorker: AsyncModule {
  func becomeReady(_ context: Context) async throws { context.configuration[.trace].add("other becomeReady") }
}

extension String {
  @ExportModule final class IdentityInner: Traced {}
}

// The name of this type is equal to the name of its module.
enum LifecycleTests {
  enum Inner {}
}

extension LifecycleTests.Inner {
  @ExportModule final class IdentityQualified: Traced {}
}
