// swift-tools-version: 6.3

import PackageDescription

// The declarations that the app and its plug-ins share. The product is a shared library, because
// its types must exist once in the process. Otherwise, the app would look up one CouponService and
// the plug-in would export another.
let package = Package(
  name: "ShopAPI",
  platforms: [.macOS(.v13), .iOS(.v15)],
  products: [.library(name: "ShopAPI", type: .dynamic, targets: ["ShopAPI"])],
  dependencies: [.package(path: "../../swift-section-registry")],
  targets: [
    .target(
      name: "ShopAPI", dependencies: [.product(name: "RegistryDynamic", package: "swift-section-registry")])
  ],
  swiftLanguageModes: [.v6]
)
