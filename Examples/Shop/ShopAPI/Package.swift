// swift-tools-version: 6.3

import PackageDescription

// What the app and its plug-ins share. A shared library of its own: its types must exist once in the process, or the
// app would ask for one CouponService and the plug-in export another.
let package = Package(
  name: "ShopAPI",
  platforms: [.macOS(.v13)],
  products: [.library(name: "ShopAPI", type: .dynamic, targets: ["ShopAPI"])],
  dependencies: [.package(path: "../../swift-section-registry")],
  targets: [
    .target(
      name: "ShopAPI", dependencies: [.product(name: "RegistryDynamic", package: "swift-section-registry")])
  ],
  swiftLanguageModes: [.v6]
)
