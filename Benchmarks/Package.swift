// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "Benchmarks", targets: ["Benchmarks"])],
  dependencies: [
    // A link to the root: packages on disk are told apart by the last name of their path, and a clone's folder may have
    // any, this package's as well.
    .package(path: "../Examples/swift-section-registry")
  ],
  targets: [
    // Clocks, rounds, medians, tables: knows nothing of what is measured.
    .target(name: "Measuring"),
    // What services look like to whoever uses them: in a module of its own.
    .target(name: "Elsewhere", dependencies: [.product(name: "Registry", package: "swift-section-registry")]),
    // The library's own sources, by a link: what is measured is for the package alone.
    .target(name: "RoutesInside", path: "Sources/RoutePatterns"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Measuring", "Elsewhere", "RoutesInside", .product(name: "Registry", package: "swift-section-registry"),
        .product(name: "Lifecycle", package: "swift-section-registry"),
        .product(name: "LifecycleTracing", package: "swift-section-registry"),
      ],
      // Images of Swift code that are made for `startup.N.swift` find the library in the program.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"], .when(platforms: [.linux]))]),
  ],
  swiftLanguageModes: [.v6]
)
