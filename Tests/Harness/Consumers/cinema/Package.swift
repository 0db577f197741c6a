// swift-tools-version: 6.3
import PackageDescription

let shared: [Target.Dependency] = [
  .product(name: "CinemaAPI", package: "CinemaAPI"),
  .product(name: "RegistryDynamic", package: "swift-section-registry"),
]
let features = ["Films", "Seats", "Snacks", "Tickets"]

let package = Package(
  name: "Cinema",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "Cinema", targets: ["Cinema"]),
    .library(name: "Gala", type: .dynamic, targets: ["Gala"]),
  ],
  dependencies: [
    .package(
      url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main", traits: ["Analysis"]),
    .package(path: "CinemaAPI"),
  ] + features.map { .package(path: $0) },
  targets: [
    .executableTarget(name: "Cinema", dependencies: shared + features.map { .product(name: $0, package: $0) }),
    .target(name: "Gala", dependencies: shared),
  ]
)
