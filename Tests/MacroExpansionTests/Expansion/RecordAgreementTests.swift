import Lifecycle
import Routing
import Testing

@testable import MacroExpansion
@testable import Registry

/// The records that the macros write, as the libraries read them.
///
/// The compiler plugin does not contain the libraries' readers, so these tests state every member
/// in both directions.
@Suite struct RecordAgreementTests {
  /// Reads the record in an expansion, and checks its contents.
  private func check<Attributes>(
    _ source: String?, is kind: RecordKind,
    _ read: (UnsafeRawBufferPointer) throws(JSONError) -> Attributes, _ holds: (Attributes) -> Bool
  ) throws {
    #expect(source?.contains("0x\(String(kind.rawValue, radix: 16)), ") == true)
    let text = try #require(json(source))
    try Array(text.utf8).withUnsafeBytes { bytes in
      let attributes = try read(bytes)
      #expect(holds(attributes), "\(text)")
    }
  }

  private func checkService(_ arguments: String, _ holds: (ServiceAttributes) -> Bool) throws {
    let declaration = "final class DefaultCart: CartService {}"
    let request = request("ExportService", "@ExportService(CartService.self\(arguments))", on: declaration, line: 1)
    try check(expansion(request).source, is: .service, ServiceAttributes.init) { attributes in
      attributes.service.string == "CartService" && attributes.implementation.string == "Cart.DefaultCart"
        && holds(attributes)
    }
  }

  @Test func `Services`() throws {
    try checkService("") { service in
      service.scope == .transient && service.name == nil && service.priority == 0 && !service.separateInstance
        && service.replaces == nil && service.replacesType == nil && service.condition == nil && service.build == nil
    }
    try checkService(
      #", scope: .shared, named: "a\"é", priority: -7, separateInstance: true, replaces: "b", when: .test"#
    ) { service in
      service.scope == .shared && service.name == "a\"é" && service.priority == -7 && service.separateInstance
        && service.replaces == "b" && service.condition == .test && service.build == nil
    }
    try checkService(", replaces: Old.self") { $0.replacesType == "Old" }
    for scope in [ServiceScope.weak, .cached("a session")] {
      let spelling = if case .cached(let name) = scope { ".cached(\"\(name)\")" } else { ".\(scope)" }
      try checkService(", scope: \(spelling)") { $0.scope == scope }
    }
    for condition in [ServiceCondition.debug, .release, .preview, .flag("a b")] {
      let isBuild = [.debug, .release].contains(condition)
      let spelling = if case .flag(let name) = condition { ".flag(\"\(name)\")" } else { ".\(condition)" }
      try checkService(", when: \(spelling)") { $0.condition == condition && ($0.build != nil) == isBuild }
    }
  }

  private func checkModule(_ arguments: String, _ holds: (ModuleAttributes) -> Bool) throws {
    let request = request("ExportModule", "@ExportModule(\(arguments))", on: "final class Cart: Module {}", line: 1)
    try check(expansion(request).source, is: .module, ModuleAttributes.init) { attributes in
      attributes.module == "Cart.Cart" && holds(attributes)
    }
  }

  @Test func `Modules`() throws {
    try checkModule("") { module in
      module.level == .normal && module.priority == 0 && module.after.isEmpty && module.afterTypes.isEmpty
        && !module.afterNeeds && module.activation == .atLaunch && module.initialization == .inStart
        && !module.replaysMissedPhases
    }
    try checkModule(
      #"level: .basic, priority: 3, after: ["A.B"], afterNeeds: true, initialization: .inNextTurn, replaysMissedPhases: true"#
    ) { module in
      module.level == .basic && module.priority == 3 && module.after == ["A.B"] && module.afterNeeds
        && module.initialization == .inNextTurn && module.replaysMissedPhases
    }
    try checkModule("after: [Account.self], activation: .onFirstEvent") { module in
      module.afterTypes == ["Account"] && module.activation == .onFirstEvent
    }
  }

  @Test func `Handlers, routes, actions, and contributions`() throws {
    let place = "Cart/Cart.swift:12:1"
    try check(
      expansion(request("OnEvent", "#onEvent(.opened, priority: 5, once: true) { }")).source, is: .handler,
      HandlerAttributes.init
    ) { $0.event == ".opened" && $0.handler == place && $0.priority == 5 && $0.once }
    try check(
      expansion(request("ExportRoute", "#exportRoute(.cart) { }")).source, is: .route,
      { bytes throws(JSONError) in try RouteAttributes(bytes, .route) }
    ) { $0.route == ".cart" && $0.location == place }
    try check(
      expansion(request("ExportAction", #"#exportAction("cart", "open") { }"#)).source, is: .action,
      { bytes throws(JSONError) in try RouteAttributes(bytes, .action) }
    ) { $0.target == "cart" && $0.action == "open" && $0.location == place }
    try check(
      expansion(request("Contribute", #"#contribute(.menu, key: "a", priority: 2, when: .flag("x")) { }"#)).source,
      is: .contribution, ContributionAttributes.init
    ) { (contribution: ContributionAttributes) in
      let isInMenu = contribution.point == ".menu" && contribution.key == "a" && contribution.location == place
      return isInMenu && contribution.priority == 2 && contribution.condition == .flag("x")
    }
  }

  private func checkNeed(_ arguments: String, _ holds: (NeedAttributes) -> Bool) throws {
    try check(
      expansion(request("Needs", "#needs(\(arguments))", in: ["struct Screen"])).source, is: .need, NeedAttributes.init
    ) { need in
      need.dependent == "Cart.Screen" && need.location == "Cart/Cart.swift:12:1" && !need.isProperty && holds(need)
    }
  }

  @Test func `Needs`() throws {
    try checkNeed(#"Clock.self, named: "fast", optional: true"#) { need in
      need.subject == .service && need.target == "Clock" && need.name == "fast" && need.isOptional
    }
    try checkNeed("route: .cart") { $0.subject == .route && $0.target == ".cart" && !$0.isOptional }
    try checkNeed("module: Account.self") { $0.subject == .module && $0.target == "Account" && $0.isType }
    try checkNeed(#"module: "A.B""#) { $0.subject == .module && $0.target == "A.B" && !$0.isType }
    try checkNeed("contributions: .menu") { $0.subject == .point && $0.target == ".menu" }
    var property = request("Service", "@Service", on: "@Service var clock: any Clock", in: ["struct Screen"], line: 7)
    property.role = "peer"
    try check(expansion(property).source, is: .need, NeedAttributes.init) { need in
      need.subject == .service && need.target == "Clock" && need.isProperty && need.dependent == "Cart.Screen"
    }
  }
}
