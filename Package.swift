// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "swift-section-registry",
  platforms: [
    .macOS(.v13), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1), .macCatalyst(.v15),
  ],
  products: [
    .library(name: "Registry", targets: ["Registry"]),
    .library(name: "Lifecycle", targets: ["Lifecycle"]),
  ],
  targets: [
    // The only code that knows object file formats at run time; atomics and locks.
    .target(name: "RegistryC"),
    // The compiler plugin behind the export macros.
    .macro(name: "RegistryMacros"),
    // Records, diagnostics, services.
    .target(name: "Registry", dependencies: ["RegistryC", "RegistryMacros"]),
    // Modules, events, context.
    .target(name: "Lifecycle", dependencies: ["Registry", "RegistryMacros"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)

// Upcoming language features, each with its proposal, so that what users switch on is on here too.
for target in package.targets where target.type != .system {
  var settings = target.swiftSettings ?? []
  settings += [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  ]
  target.swiftSettings = settings
}
