import Foundation
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

@MainActor @Suite struct GraphTests {
  private let shop: [TestRecord] = [
    .module(#"{"module":"Cart.M","priority":5,"after":["Account.M","Nobody"]}"#),
    .module(#"{"module":"Account.M","level":"basic","activation":"onFirstEvent"}"#),
    .module(#"{"module":"Ring.M","after":["Ring.M"]}"#),
    .service(#"{"protocol":"P","class":"A.C","scope":"shared","priority":3}"#),
    .service(#"{"protocol":"P","class":"A.D","name":"d"}"#),
  ]

  @Test func `a graph contains the order, the dependencies, and the implementations`() {
    let inspection = SimulatedObject.inspection([.with(shop)])
    #expect(
      inspection.text(of: .dot) == #"""
        digraph registrations {
          rankdir=LR;
          node [fontname="sans-serif"];
          subgraph cluster_0 {
            label="Simulated (arm64)";
            n0_0 [label="1. Account.M\nbasic, priority 0, on first event", shape=box];
            n0_1 [label="2. Cart.M\nnormal, priority 5", shape=box];
            n0_2 [label="Ring.M\nnormal, priority 0\nin a cycle", shape=box];
            n0_3 [label="Nobody\nunknown", shape=box, style=dashed, color=red];
            n0_4 [label="P", shape=ellipse];
            n0_5 [label="A.C\nshared, priority 3", shape=box, style=rounded];
            n0_6 [label="A.D\ntransient, named \"d\"", shape=box, style=rounded];
            n0_1 -> n0_0 [label="after"];
            n0_1 -> n0_3 [label="after"];
            n0_2 -> n0_2 [label="after"];
            n0_5 -> n0_4 [label="implements", style=dashed, arrowhead=empty];
            n0_6 -> n0_4 [label="implements", style=dashed, arrowhead=empty];
          }
        }

        """#)
    let mermaid = inspection.text(of: .mermaid)
    #expect(
      mermaid.hasPrefix(
        "flowchart LR\n  subgraph g0[\"Simulated #40;arm64#41;\"]\n    n0_0[\"1#46; Account.M<br/>basic"))
    #expect(mermaid.contains("    n0_1 -->|after| n0_0\n") && mermaid.contains("    n0_6 -.->|implements| n0_4\n"))
    #expect(mermaid.contains(#"n0_6("A.D<br/>transient, named #34;d#34;")"#))
  }

  @Test func `a graph contains the events, routes, and actions with their handlers`() {
    let handlers: [TestRecord] = [
      .handler(#"{"event":".login","handler":"A/F.swift:1:1","priority":2,"once":true}"#),
      .handler(#"{"event":".login","handler":"A/F.swift:2:1"}"#),
      .route(#"{"route":".login","handler":"A/F.swift:3:1"}"#),
      .route(#"{"route":".detail","class":"A.Detail","at":"A/F.swift:4:1"}"#),
      .action(#"{"target":"cart","action":"add","handler":"A/F.swift:5:1"}"#),
    ]
    let inspection = SimulatedObject.inspection([.with(handlers)])
    #expect(
      inspection.text(of: .dot) == #"""
        digraph registrations {
          rankdir=LR;
          node [fontname="sans-serif"];
          subgraph cluster_0 {
            label="Simulated (arm64)";
            n0_0 [label=".login", shape=hexagon];
            n0_1 [label="A/F.swift:1:1\npriority 2", shape=box, style=rounded];
            n0_2 [label="A/F.swift:2:1", shape=box, style=rounded];
            n0_3 [label=".detail", shape=cds];
            n0_4 [label="A.Detail", shape=box, style=rounded];
            n0_5 [label=".login", shape=cds];
            n0_6 [label="A/F.swift:3:1", shape=box, style=rounded];
            n0_7 [label="cart.add", shape=parallelogram];
            n0_8 [label="A/F.swift:5:1", shape=box, style=rounded];
            n0_1 -> n0_0 [label="handles"];
            n0_2 -> n0_0 [label="handles"];
            n0_4 -> n0_3 [label="opens"];
            n0_6 -> n0_5 [label="opens"];
            n0_8 -> n0_7 [label="performs"];
          }
        }

        """#)
    #expect(
      inspection.text(of: .mermaid) == #"""
        flowchart LR
          subgraph g0["Simulated #40;arm64#41;"]
            n0_0[[".login"]]
            n0_1("A#47;F.swift#58;1#58;1<br/>priority 2")
            n0_2("A#47;F.swift#58;2#58;1")
            n0_3[/".detail"/]
            n0_4("A.Detail")
            n0_5[/".login"/]
            n0_6("A#47;F.swift#58;3#58;1")
            n0_7[/"cart.add"\]
            n0_8("A#47;F.swift#58;5#58;1")
            n0_1 -->|handles| n0_0
            n0_2 -->|handles| n0_0
            n0_4 -->|opens| n0_3
            n0_6 -->|opens| n0_5
            n0_8 -->|performs| n0_7
          end

        """#)
    // An object and the image that it is linked into contain the same records.
    let twice = SimulatedObject.inspection([.with(handlers), .with(handlers, path: "F.o", type: .object)])
    #expect(twice.text(of: .dot) == inspection.text(of: .dot))
  }

  private let hostile: [TestRecord] = [
    .module(#"{"module":"a\"] ; end\nb \\N \\\" <b>&lt; {x} (y) | `z` # % --> é"}"#),
    .service(#"{"protocol":"\"];\n}","class":"\\","name":"\u202e\u0000"}"#),
  ]

  @Test func `hostile names stay inside their texts`() {
    let inspection = SimulatedObject.inspection([.with(hostile, path: "x\"\n", type: .executable)])
    let mermaid = inspection.text(of: .mermaid)
    var texts = 0
    for line in mermaid.split(separator: "\n") {
      // The line of a node contains one text, whose quotes are the only ones in the line.
      let quotes = line.filter { $0 == "\"" }.count
      #expect(quotes == 0 || quotes == 2, "\(line)")
      guard quotes == 2 else { continue }
      texts += 1
      let text = line.split(separator: "\"")[1]
      #expect(!text.replacing("<br/>", with: "").contains { "[](){}<>|`\\;".contains($0) && $0 != ";" }, "\(line)")
    }
    #expect(mermaid.split(separator: "\n").count == 7 && texts == 4)
    let dot = inspection.text(of: .dot)
    #expect(dot.contains(#"a\"] ; end\\u{a}b \\N \\\" <b>&amp;lt; {x}"#) && !dot.contains("\u{202e}"))
  }

  @Test func `a text in a Mermaid graph contains no Markdown`() {
    let names = ["1. Cart", "- Cart", "__Cart__", "https://cart", "    Cart", "1.", "A.B", "+ C", "Ä._D"]
    let records = names.map { TestRecord.service("{\"protocol\":\"\($0)\",\"class\":\"A.C\"}") }
    let text = SimulatedObject.inspection([.with(records)]).text(of: .mermaid)
    let labels = text.split(separator: "\n").filter { $0.contains("([") }.map { String($0.split(separator: "\"")[1]) }
    #expect(
      labels == [
        "#32;   Cart", "#43; C", "#45; Cart", "1#46;", "1#46; Cart", "A.B", "#95;#95;Cart#95;#95;",
        "https#58;#47;#47;cart", "Ä#46;#95;D",
      ])
  }

  nonisolated static let hasDot = (try? Command.run("dot", ["-V"]))?.succeeded == true

  @Test(.enabled(if: hasDot, "Graphviz is not there: install graphviz"))
  func `Graphviz parses the graph`() throws {
    let inspection = SimulatedObject.inspection([
      .with(shop + hostile), .with(shop, path: "Other", architecture: "x86_64"),
    ])
    let drawn = try Command.run("dot", ["-Tplain"], input: inspection.text(of: .dot))
    #expect(drawn.succeeded, "\(drawn.output)")
    #expect(!drawn.output.contains("Warning") && !drawn.output.contains("Error"), "\(drawn.output)")
    #expect(drawn.output.split(separator: "\n").count { $0.hasPrefix("node ") } == 17)
  }
}
