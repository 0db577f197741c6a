// swift-tools-version: 6.3

import PackageDescription

// Both products are shared libraries, so that the app and the plug-in share one copy.
let registry: Target.Dependency = .product(name: "RegistryDynamic", package: "swift-section-registry")
let api: Target.Dependency = .product(name: "ShopAPI", package: "ShopAPI")

/// The features, which depend on the API and not on each other.
let features = ["Account", "Catalog", "Cart", "Checkout", "Loyalty", "Terminal", "Warehouse"]

/// The features that nothing links, which are libraries that the app opens while it runs.
let plugIns = ["Promotion"]

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "Shop", targets: ["Shop"])]
    + plugIns.map { .library(name: $0, type: .dynamic, targets: [$0]) },
  dependencies: [
    // The path is a link to the root. SwiftPM identifies packages on disk by the last component of
    // their path, and the folder of a clone can have any name, even that of this package.
    .package(path: "../swift-section-registry"),
    .package(path: "ShopAPI"),
  ],
  targets: [
    .target(name: "Legacy", dependencies: [api, registry]),
    // C records for the Swift classes of Legacy.
    .target(name: "LegacyRecords", dependencies: [registry]),
    .executableTarget(
      name: "Shop", dependencies: [api, registry, "Legacy", "LegacyRecords"] + features.map { .target(name: $0) }),
  ]
    + (features + plugIns).map { .target(name: $0, dependencies: [api, registry]) }
    // A test target for each feature. ShopTesting has the sources of the library's test trait,
    // because the product with the trait would contain a second copy of the library.
    + [.target(name: "ShopTesting", dependencies: [registry], path: "Tests/RegistryTesting")]
    + ["Account", "Cart", "Catalog", "Checkout", "Loyalty"].map {
      .testTarget(name: "\($0)Tests", dependencies: [.target(name: $0), "ShopTesting", api, registry])
    },
  swiftLanguageModes: [.v6]
)
