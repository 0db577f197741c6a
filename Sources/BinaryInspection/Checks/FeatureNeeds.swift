import Registry

/// The modules that provide what the Swift modules in the images of one process need.
struct FeatureNeeds {
  /// For each Swift module, the Swift modules that implement the services that it needs.
  private var serviceProviders: [String: Set<String>] = [:]
  private var neededModules: [String: Set<String>] = [:]

  init(_ images: [InspectedImage], _ names: ServiceNames) {
    let index = NeedIndex(images, names)
    for placed in ImageRecord.all(in: images) {
      guard let need = placed.contents.need, let feature = need.location.map({ String($0.prefix { $0 != "/" }) }),
        let wanted = index.export(satisfying: need, of: placed)
      else { continue }
      // Like the runtime, derive the start order only from services and modules. Code uses routes
      // and contribution points only after the start.
      let exports = index.matches(wanted, of: need)
      if need.subject == .service {
        serviceProviders[feature, default: []].formUnion(exports.flatMap { index.providers[$0] ?? [] }.map(\.feature))
      }
      if need.subject == .module { neededModules[feature, default: []].formUnion(exports.map(\.target)) }
    }
  }

  /// Returns the modules that provide what a module's Swift module needs. `names` has all modules.
  func providers(ofNeedsOf module: String, among names: [String]) -> [String] {
    func feature(_ name: String) -> String { String(name.prefix { $0 != "." }) }
    let own = feature(module)
    let features = serviceProviders[own, default: []].subtracting([own])
    let providers = names.filter { features.contains(feature($0)) }
    return neededModules[own, default: []].union(providers).filter { $0 != module }.sorted()
  }
}
