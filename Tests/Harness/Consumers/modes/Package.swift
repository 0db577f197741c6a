// swift-tools-version: 6.3
import PackageDescription

// A feature for each language mode and feature of the language. `run` copies the files in `template`
// for each of them. Warnings are errors in every target that contains an expansion, except with
// library evolution, because the compiler then warns about each import of a module without it.
let modes: [(name: String, settings: [SwiftSetting])] = [
  ("Swift6", [.swiftLanguageMode(.v6)]),
  ("Swift5", [.swiftLanguageMode(.v5)]),
  ("Main6", [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
  ("Main5", [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
  ("ExistentialAny", [.enableUpcomingFeature("ExistentialAny")]),
  ("InternalImports", [.enableUpcomingFeature("InternalImportsByDefault")]),
  ("MemberImport", [.enableUpcomingFeature("MemberImportVisibility")]),
  ("IsolatedConformances", [.enableUpcomingFeature("InferIsolatedConformances")]),
  ("NonisolatedNonsending", [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ("StrictMemory", [.strictMemorySafety()]),
  (
    "Evolution",
    [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface", "-no-warnings-as-errors"])]
  ),
]
let products: [Target.Dependency] = ["Registry", "Lifecycle", "RegistryReports", "Routing"].map {
  .product(name: $0, package: "swift-section-registry")
}
let strict: [SwiftSetting] = [.unsafeFlags(["-warnings-as-errors"])]
// Only the linked target names the linker, because a flag for all targets would recompile them.
let linker = Context.environment["CONSUMER_LINKER"].map { [LinkerSetting.unsafeFlags(["-use-ld=\($0)"])] }

let package = Package(
  name: "Modes",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main")
  ],
  targets: [
    .target(
      name: "ModesAPI", dependencies: products,
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "App", dependencies: ["ModesAPI"] + products + modes.map { .init(stringLiteral: $0.name) },
      linkerSettings: linker ?? []),
  ]
    + modes.map {
      .target(name: $0.name, dependencies: ["ModesAPI"] + products, swiftSettings: strict + $0.settings)
    }
)
