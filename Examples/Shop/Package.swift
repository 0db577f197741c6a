// swift-tools-version: 6.3

import PackageDescription

let registry: Target.Dependency = .product(name: "Registry", package: "swift-section-registry")
let lifecycle: Target.Dependency = .product(name: "Lifecycle", package: "swift-section-registry")

/// Features know the API and nothing of each other.
let features = ["Account", "Catalog", "Cart", "Checkout", "Loyalty", "Terminal"]

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "Shop", targets: ["Shop"])],
  dependencies: [.package(name: "swift-section-registry", path: "../..")],
  targets: [
    .target(name: "ShopAPI", dependencies: [lifecycle]),
    .target(name: "Legacy", dependencies: ["ShopAPI", registry, lifecycle]),
    // Records in C for the Swift classes of Legacy.
    .target(name: "LegacyRecords", dependencies: [registry]),
    .executableTarget(
      name: "Shop",
      dependencies: ["ShopAPI", registry, lifecycle, "Legacy", "LegacyRecords"]
        + features.map { .target(name: $0) }),
  ]
    + features.map { .target(name: $0, dependencies: ["ShopAPI", registry, lifecycle]) },
  swiftLanguageModes: [.v6]
)
