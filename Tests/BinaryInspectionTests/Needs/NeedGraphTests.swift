import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

@MainActor @Suite struct NeedGraphTests {
  private static let shop: [TestRecord] = [
    .need(#"{"protocol":"CartService","dependent":"Shop.CartScreen","at":"Shop/S.swift:1:1"}"#),
    .need(#"{"protocol":"CartService","dependent":"Shop.Badge","at":"Shop/S.swift:2:1"}"#),
    .need(#"{"protocol":"CartService","name":"gift","optional":true,"at":"Shop/S.swift:3:1"}"#),
    .need(#"{"route":".order","dependent":"Shop.CartScreen","at":"Shop/S.swift:4:1"}"#),
    .need(#"{"module":"OrderModule","type":true,"at":"Cart/C.swift:1:1","optional":true}"#),
    .need(#"{"protocol":"No\"thing","at":"Cart/C.swift:2:1"}"#),
    .service(#"{"protocol":"CartService","class":"Cart.C"}"#, accessor: true),
    .service(#"{"protocol":"CartService","class":"Cart.G","name":"gift"}"#, accessor: true),
    .route(#"{"route":".order","handler":"Orders/F.swift:1:1"}"#),
    .module(#"{"module":"Orders.OrderModule"}"#),
    .handler(#"{"event":".paid","handler":"Orders/F.swift:2:1"}"#),
  ]

  /// Returns the lines of the part with the needs.
  private func part(_ format: GraphFormat, _ objects: SimulatedObject...) -> [Substring] {
    let lines = SimulatedObject.inspection(objects).text(of: format).split(separator: "\n")
    return Array(lines.drop { !$0.contains("needs\"") }.dropLast())
  }

  @Test func `a graph contains the services, routes, and modules that Swift modules need, and their events`() {
    #expect(
      part(.dot, .with(Self.shop)).joined(separator: "\n") == #"""
            label="Simulated (arm64): needs";
            n1_0 [label="Cart", shape=component];
            n1_1 [label="Orders", shape=component];
            n1_2 [label="No\"thing\nnot exported", shape=box, style=dashed, color=red];
            n1_3 [label="Shop", shape=component];
            n1_4 [label=".paid", shape=hexagon];
            n1_0 -> n1_1 [label="Orders.OrderModule", style=dashed];
            n1_0 -> n1_2 [label="No\"thing"];
            n1_3 -> n1_0 [label="CartService\nCartService named \"gift\""];
            n1_3 -> n1_1 [label=".order"];
            n1_1 -> n1_4 [label="handles"];
          }
        """#)
    let mermaid = part(.mermaid, .with(Self.shop)).joined(separator: "\n")
    #expect(mermaid.hasPrefix("  subgraph g1[\"Simulated #40;arm64#41;#58; needs\"]\n    n1_0[\"Cart\"]\n"))
    #expect(mermaid.contains("    n1_3 -->|\"CartService<br/>CartService named #34;gift#34;\"| n1_0\n"))
    #expect(mermaid.contains("    n1_0 -.->|\"Orders.OrderModule\"| n1_1\n    n1_0 -->|\"No#34;thing\"| n1_2\n"))
    #expect(mermaid.contains("    n1_1 -->|handles| n1_4"))
  }

  @Test func `a module with afterNeeds follows the providers of what its Swift module needs, as at run time`() {
    let modules: [TestRecord] = [
      .module(#"{"module":"Shop.First","priority":9,"after":["Orders.OrderModule"],"afterNeeds":true}"#),
      .module(#"{"module":"Shop.Second","priority":8}"#), .module(#"{"module":"Cart.CartModule"}"#),
      .module(#"{"module":"Orders.Other","priority":1}"#),
    ]
    func text(_ needs: [TestRecord]) -> String {
      SimulatedObject.inspection([.with(modules + needs)]).text(of: .dot)
    }
    let all = text(Self.shop)
    for line in [
      #"n0_0 [label="1. Shop.Second\n"#, #"n0_1 [label="2. Orders.Other\n"#, #"n0_2 [label="3. Cart.CartModule\n"#,
      #"n0_3 [label="4. Orders.OrderModule\n"#, #"n0_4 [label="5. Shop.First\n"#,
    ] {
      #expect(all.contains(line), "\(line)")
    }
    // A route is opened after the start, so its provider does not precede the module.
    #expect(all.contains("n0_4 -> n0_2 [label=\"after\"]") && all.contains("n0_4 -> n0_3 [label=\"after\"]"))
    #expect(!all.contains("n0_4 -> n0_1 [label=\"after\"]"))
    // A need for a module names that module only.
    let order = TestRecord.need(#"{"module":"Other","type":true,"at":"Shop/S.swift:1:1"}"#)
    #expect(text([order] + Self.shop).contains("n0_4 -> n0_1 [label=\"after\"]"))
    let missing = SimulatedObject.inspection([
      .with(modules + [.need(#"{"module":"Missing","at":"Shop/S.swift:1:1"}"#)] + Self.shop)
    ])
    // A module that is missing is an unmet need, and determines no order.
    #expect(!missing.check().contains { $0.code == .unknownAfter })
    // Two Swift modules that need each other can have a cycle of modules.
    let back = TestRecord.need(#"{"protocol":"P","at":"Cart/C.swift:1:1"}"#)
    let cart = TestRecord.module(#"{"module":"Cart.More","afterNeeds":true}"#)
    let service = TestRecord.service(#"{"protocol":"P","class":"Shop.C"}"#, accessor: true)
    let cycle = SimulatedObject.inspection([.with(modules + [back, cart, service] + Self.shop)]).check()
    #expect(cycle.filter { $0.code == .cycle }.map(\.subject) == ["Cart.More"])
  }

  @Test func `a graph without needs has no part for them, and each process has its own`() {
    #expect(part(.dot, .with(Self.shop.filter { $0.kind != 0x6e65_6564 })) == [])
    let tool = SimulatedObject.with(Array(Self.shop.prefix(1)), path: "Tool", type: .executable)
    let text = SimulatedObject.inspection([.with(Self.shop, path: "App", type: .executable), tool]).text(of: .dot)
    #expect(
      text.contains("label=\"App (arm64): needs\"") && text.contains("label=\"Tool (arm64): needs\""))
    #expect(text.contains("n3_1 [label=\"CartService\\nnot exported\""))
  }

  @Test func `C code without a location is named by its file`() {
    let c = TestRecord.need(#"{"protocol":"A.P"}"#, accessor: false)
    let lines = part(.dot, .with([c], path: "lib/libLegacy.so"))
    #expect(lines.contains("    n1_0 [label=\"libLegacy.so\", shape=component];"))
  }

  @Test(.enabled(if: GraphTests.hasDot, "Graphviz is not there: install graphviz"))
  func `Graphviz parses the graph of needs`() throws {
    let drawn = try Command.run(
      "dot", ["-Tplain"], input: SimulatedObject.inspection([.with(Self.shop)]).text(of: .dot))
    #expect(drawn.succeeded, "\(drawn.output)")
    #expect(!drawn.output.contains("Warning") && !drawn.output.contains("Error"), "\(drawn.output)")
    #expect(drawn.output.split(separator: "\n").count { $0.hasPrefix("node n1_") } == 5)
  }
}
