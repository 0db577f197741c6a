import Lifecycle
import TestSupport

// Modules whose names are not those of their types, and private types that share their names with
// those of ModuleIdentityTests.swift.

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

// A type that has its module's name.
enum LifecycleTests {
  enum Inner {}
}

extension LifecycleTests.Inner {
  @ExportModule final class IdentityQualified: Traced {}
}
