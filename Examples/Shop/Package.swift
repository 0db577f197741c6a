// swift-tools-version: 6.3

import PackageDescription

// Both are shared libraries, so that the app and the plug-in have one copy between them.
let registry: Target.Dependency = .product(name: "RegistryDynamic", package: "swift-section-registry")
let api: Target.Dependency = .product(name: "ShopAPI", package: "ShopAPI")

/// Features know the API and nothing of each other.
let features = ["Account", "Catalog", "Cart", "Checkout", "Loyalty", "Terminal", "Warehouse"]

/// Features that nothing links: libraries that the app opens while it runs.
let plugIns = ["Promotion"]

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "Shop", targets: ["Shop"])]
    + plugIns.map { .library(name: $0, type: .dynamic, targets: [$0]) },
  dependencies: [
    // A link to the root: packages on disk are told apart by the last name of their path, and a clone's folder may have
    // any, this package's as well.
    .package(path: "../swift-section-registry"),
    .package(path: "ShopAPI"),
  ],
  targets: [
    .target(name: "Legacy", dependencies: [api, registry]),
    // Records in C for the Swift classes of Legacy.
    .target(name: "LegacyRecords", dependencies: [registry]),
    .executableTarget(
      name: "Shop", dependencies: [api, registry, "Legacy", "LegacyRecords"] + features.map { .target(name: $0) }),
  ]
    + (features + plugIns).map { .target(name: $0, dependencies: [api, registry]) }
    // Each feature alone. The trait's own source, as the product that has it would bring a second copy of the library.
    + [.target(name: "ShopTesting", dependencies: [registry], path: "Tests/RegistryTesting")]
    + ["Account", "Cart", "Catalog", "Checkout", "Loyalty"].map {
      .testTarget(name: "\($0)Tests", dependencies: [.target(name: $0), "ShopTesting", api, registry])
    },
  swiftLanguageModes: [.v6]
)
