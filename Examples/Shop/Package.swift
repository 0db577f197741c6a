// swift-tools-version: 6.3

import PackageDescription

// Both products are shared libraries, so that the app and the plug-in share one copy.
let registry: Target.Dependency = .product(name: "RegistryDynamic", package: "swift-section-registry")
let api: Target.Dependency = .product(name: "ShopAPI", package: "ShopAPI")

/// The features, which depend on the API and not on each other.
let features = ["Account", "Catalog", "Cart", "Checkout", "Loyalty", "Terminal", "Warehouse"]

/// The plug-ins: libraries that no target links and that the app opens while it runs.
let plugIns = ["Promotion"]

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .executable(name: "Shop", targets: ["Shop"]),
    // For the app in ../ShopApp, which has its own display and needs no warehouse.
    .library(name: "ShopFeatures", targets: ["Account", "Catalog", "Cart", "Checkout", "Loyalty"]),
    .library(name: "ShopNavigation", targets: ["Navigation"]),
  ]
    + plugIns.map { .library(name: $0, type: .dynamic, targets: [$0]) },
  dependencies: [
    // The path is a symbolic link to the root. SwiftPM identifies packages on disk by the last
    // component of their path, and the folder of a clone can have any name, even that of this
    // package.
    .package(path: "../swift-section-registry"),
    .package(path: "ShopAPI"),
  ],
  targets: [
    .target(name: "Legacy", dependencies: [api, registry]),
    // The navigation model of a graphical app, without the interface.
    .target(name: "Navigation", dependencies: [api, registry]),
    // C records for the Swift classes of Legacy.
    .target(name: "LegacyRecords", dependencies: [registry]),
    .executableTarget(
      name: "Shop", dependencies: [api, registry, "Legacy", "LegacyRecords"] + features.map { .target(name: $0) }),
  ]
    + (features + plugIns).map { .target(name: $0, dependencies: [api, registry]) }
    // A test target for each feature. The plugin adds the test trait, because the product
    // RegistryTesting would contain a second copy of the library.
    + ["Account", "Cart", "Catalog", "Checkout", "Loyalty"].map {
      .testTarget(
        name: "\($0)Tests", dependencies: [.target(name: $0), api, registry],
        plugins: [.plugin(name: "RegistryDynamicTesting", package: "swift-section-registry")])
    }
    + [
      .testTarget(name: "NavigationTests", dependencies: ["Navigation", api, registry]),
      // Runs two shops in one process.
      .testTarget(
        name: "TwoShopsTests",
        dependencies: ["Account", "Cart", "Catalog", "Checkout", "Loyalty", api, registry]),
    ],
  swiftLanguageModes: [.v6]
)
