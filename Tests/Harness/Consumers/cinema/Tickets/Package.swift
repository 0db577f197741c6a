// swift-tools-version: 6.3
import PackageDescription

let shared: [Target.Dependency] = [
  .product(name: "CinemaAPI", package: "CinemaAPI"),
  .product(name: "RegistryDynamic", package: "swift-section-registry"),
]

let package = Package(
  name: "Tickets",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Tickets", targets: ["Tickets"])],
  dependencies: [
    .package(url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main"),
    .package(path: "../CinemaAPI"),
  ],
  targets: [
    .target(name: "Tickets", dependencies: shared),
    .testTarget(
      name: "TicketsTests", dependencies: ["Tickets"] + shared,
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")],
      plugins: [.plugin(name: "RegistryDynamicTesting", package: "swift-section-registry")]),
  ]
)
