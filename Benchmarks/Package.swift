// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "Benchmarks", targets: ["Benchmarks"])],
  dependencies: [
    // The path is a link to the root. SwiftPM identifies packages on disk by the last component of
    // their path, and the folder of a clone can have any name, even that of this package.
    .package(path: "../Examples/swift-section-registry")
  ],
  targets: [
    // Clocks, rounds, medians, and tables, which are independent of what is measured.
    .target(name: "Measuring"),
    // The services, in a separate module, as users of the library see them.
    .target(name: "Elsewhere", dependencies: [.product(name: "Registry", package: "swift-section-registry")]),
    // The library's own sources, through a link, because the measured declarations are not public.
    .target(name: "RoutesInside", path: "Sources/RoutePatterns"),
    // The library's JSON reader, through links, for a program that only reads records.
    .target(
      name: "RecordsInside", dependencies: [.product(name: "Registry", package: "swift-section-registry")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Measuring", "Elsewhere", "RecordsInside", "RoutesInside",
        .product(name: "Registry", package: "swift-section-registry"),
        .product(name: "Lifecycle", package: "swift-section-registry"),
        .product(name: "LifecycleTracing", package: "swift-section-registry"),
        .product(name: "RegistryReports", package: "swift-section-registry"),
      ],
      // Images of Swift code, which are created for `startup.N.swift`, find the library in the
      // program.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"], .when(platforms: [.linux]))]),
  ],
  swiftLanguageModes: [.v6]
)
