import Foundation
import RegistryAnalysis
import Testing

@Suite struct PageTests {
  typealias Edge = GraphLayout.Edge

  // MARK: The layout

  @Test(arguments: [
    ("a path", 3, [Edge(0, 1), Edge(1, 2)], [0, 1, 2]),
    ("a diamond", 4, [Edge(0, 1), Edge(0, 2), Edge(1, 3), Edge(2, 3), Edge(0, 3)], [0, 1, 1, 2]),
    ("an order against the numbers", 3, [Edge(2, 1), Edge(1, 0)], [2, 1, 0]),
    ("a cycle", 3, [Edge(0, 1), Edge(1, 2), Edge(2, 0)], [0, 1, 2]),
    ("a cycle that waits", 4, [Edge(3, 0), Edge(0, 1), Edge(1, 0), Edge(1, 2)], [1, 2, 3, 0]),
    ("a node after a cycle", 3, [Edge(1, 2), Edge(2, 1), Edge(2, 0)], [2, 0, 1]),
    ("a cycle after a cycle", 4, [Edge(2, 3), Edge(3, 2), Edge(3, 0), Edge(0, 1), Edge(1, 0)], [2, 3, 0, 1]),
    ("an edge to itself", 2, [Edge(0, 0), Edge(0, 1)], [0, 1]),
    ("two equal edges", 2, [Edge(0, 1), Edge(0, 1)], [0, 1]),
    ("no edges", 2, [], [0, 0]),
    ("nothing", 0, [], []),
  ])
  func `Each edge goes to a later layer`(_: String, count: Int, edges: [Edge], expected: [Int]) {
    #expect(GraphLayout.ranks(count, edges) == expected)
    #expect(GraphLayout(count: count, edges: edges).positions.map(\.layer) == expected)
  }

  @Test(arguments: [(40, 80, 1), (400, 2_000, 2), (2_000, 10_000, 3)])
  func `Nodes do not overlap, and edges avoid them`(count: Int, edgeCount: Int, seed: Int) {
    var state = UInt64(seed)
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let edges = (0..<edgeCount).map { _ in
      let to = 1 + random(count - 1)
      return Edge(max(0, to - 1 - random(30)), to)
    }
    let layout = GraphLayout(count: count, edges: edges)
    #expect(layout == GraphLayout(count: count, edges: edges))
    var columns: [[Int]: [Int]] = [:]
    for position in layout.positions {
      columns[[position.layer, position.x], default: []].append(position.y)
      #expect(position.y >= GraphLayout.nodeHeight / 2 && position.y <= layout.height - GraphLayout.nodeHeight / 2)
      let layer = layout.layers[position.layer]
      #expect(position.x >= layer.x && position.x + GraphLayout.nodeWidth <= layer.x + layer.width)
    }
    for heights in columns.values.map({ $0.sorted() }) {
      #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= GraphLayout.nodeHeight })
    }
    let byLayer = Dictionary(grouping: layout.positions, by: \.layer)
    for position in layout.positions {
      for (index, height) in position.crossings.enumerated() {
        let others = byLayer[position.layer + 1 + index] ?? []
        #expect(others.allSatisfy { abs($0.y - height) > GraphLayout.nodeHeight / 2 })
      }
    }
    for edge in edges where !layout.positions[edge.from].crossings.isEmpty {
      let length = layout.positions[edge.to].layer - layout.positions[edge.from].layer
      #expect(layout.positions[edge.from].crossings.count >= length - 1)
    }
  }

  @Test func `A layer of many nodes has several columns`() {
    let layout = GraphLayout(count: 1_000, edges: [])
    #expect(layout.layers.count == 1)
    #expect((2...30).contains(Set(layout.positions.map(\.x)).count))
    #expect(layout.height < layout.layers[0].width * 2)
  }

  // MARK: The text

  @Test(arguments: [
    ("</script><!--<script>", #"\u003C/script>\u003C!--\u003Cscript>"#), ("a&lt;b>\u{2028}", "a&lt;b>\u{2028}"),
    ("<<", #"\u003C\u003C"#), ("", ""),
  ])
  func `Data cannot end its element`(text: String, escaped: String) {
    #expect(RegistrySnapshot.escaped(Data(text.utf8)) == escaped)
  }

  @Test func `The page contains the snapshot, and nothing to load`() throws {
    let hostile = "</script><script src=//example.com>{}</script>"
    var process = RegistrySnapshot.Process(name: hostile)
    process.modules = [
      .init(name: hostile, feature: hostile, level: "normal", priority: 0, activation: "atLaunch")
    ]
    let snapshot = RegistrySnapshot(origin: .process, processes: [process])
    let page = try snapshot.html()
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.contains("<script src"))
    #expect(!page.contains("page.css") && !page.contains("page.js"))
    let data = try #require(page.components(separatedBy: #"type="application/json">"#).last)
    let json = try #require(data.components(separatedBy: "</script>").first)
    let contents = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(contents["title"] as? String == hostile)
    #expect(contents["launch"] == nil && contents["changes"] == nil)
    let copy = try JSONSerialization.data(withJSONObject: #require(contents["snapshot"]))
    #expect(try RegistrySnapshot(json: copy) == snapshot)
  }

  @Test func `The graph has edges for orders and needs`() throws {
    func module(_ name: String, image: String) -> RegistrySnapshot.Module {
      var module = RegistrySnapshot.Module(
        name: "\(name).M", feature: name, level: "normal", priority: 0, activation: "atLaunch")
      module.image = image
      return module
    }
    var process = RegistrySnapshot.Process(name: "Shop")
    process.modules = [module("A", image: "Shop"), module("B", image: "Shop"), module("C", image: "libC.so")]
    process.modules[1].after = ["A.M", "Unknown.M"]
    process.modules[2].afterNeeds = ["B.M"]
    var need = RegistrySnapshot.Need(kind: .service, key: "P", isOptional: false, dependent: "C.X", feature: "C")
    need.providers = ["A", "OnlyServices"]
    process.needs = [need]
    process.entries = [
      .init(kind: .service, key: "P", provider: "OnlyServices.S", feature: "OnlyServices", priority: 0, rank: 1)
    ]
    struct Contents: Decodable {
      struct Graph: Decodable {
        struct Node: Decodable { var name: String }
        var nodes: [Node]
        var images: [String]
        var edges: [Int]
        var imageEdges: [Int]
      }
      var graphs: [Graph]
    }
    let page = try RegistrySnapshot(origin: .files, processes: [process]).html()
    let data = try #require(page.components(separatedBy: #"type="application/json">"#).last)
    let json = try #require(data.components(separatedBy: "</script>").first)
    let graph = try #require(try JSONDecoder().decode(Contents.self, from: Data(json.utf8)).graphs.first)
    #expect(graph.nodes.map(\.name) == ["A.M", "B.M", "C.M", "OnlyServices"])
    #expect(graph.edges == [0, 1, 0, 0, 2, 1, 1, 2, 1, 3, 2, 1])
    #expect(graph.images == ["Shop", "libC.so", ""])
    #expect(graph.imageEdges == [0, 1, 2, 2, 1, 1])
  }

  // MARK: The trace

  @Test func `Intervals are in rows`() throws {
    func event(_ name: String, _ phase: String, _ start: Double, _ rest: String) -> String {
      #"{"name":"\#(name)","ph":"\#(phase)","pid":1,"cat":"phase","args":{"phase":"setUp","image":null},"ts":\#(start)\#(rest)}"#
    }
    let events = [
      #"{"name":"thread_name","ph":"M","pid":1,"args":{"name":"main actor"}}"#,
      event("outer", "X", 0, #","dur":10"#), event("inner", "X", 2, #","dur":3"#), event("next", "X", 10, #","dur":1"#),
      event("a", "b", 1, #","id":1"#), event("b", "b", 2, #","id":2"#), event("a", "e", 4, #","id":1"#),
      event("b", "e", 9, #","id":2"#), event("c", "b", 5, #","id":3"#), event("c", "e", 6, #","id":3"#),
    ]
    let json = #"{"traceEvents":[\#(events.joined(separator: ","))],"dropped":2}"#
    let chart = LaunchChart(try LaunchTrace(json: Data(json.utf8), file: "t.json"))
    #expect(chart.bars.map(\.name) == ["outer", "inner", "next", "a", "b", "c"])
    #expect(chart.bars.map(\.row) == [0, 1, 0, 2, 3, 2])
    #expect(chart.bars.map(\.duration) == [10, 3, 1, 3, 7, 1])
    #expect(chart.bars.map(\.own) == [7, 3, 1, 3, 7, 1])
    #expect(chart.bars.allSatisfy { $0.activity == "setUp" })
    #expect((chart.mainRows, chart.rows, chart.dropped) == (2, 4, 2))
  }

  @Test func `A chart begins with the first interval, has rows for each thread, and ignores other programs`() throws {
    func event(_ thread: Int, _ start: Double, _ duration: Double) -> String {
      #"{"name":"A","ph":"X","pid":1,"tid":\#(thread),"cat":"phase","ts":\#(start),"dur":\#(duration)}"#
    }
    let events = [
      #"{"name":"B","ph":"b","cat":"gpu","id":"0x1","ts":0,"args":{"n":1}}"#, event(1, 1.7e12, 10),
      #"{"name":"A","ph":"be","pid":1,"cat":"phase","ts":0}"#,
      event(2, 1.7e12 + 2, 20), event(1, 1.7e12 + 4, 1),
    ]
    let json = #"{"traceEvents":[\#(events.joined(separator: ","))]}"#
    let chart = LaunchChart(try LaunchTrace(json: Data(json.utf8), file: "t.json"))
    #expect(chart.bars.map(\.start) == [0, 2, 4])
    #expect(chart.bars.map(\.row) == [0, 2, 1])
    #expect(chart.bars.map(\.own) == [9, 20, 1])
    #expect((chart.mainRows, chart.rows) == (3, 3))
  }

  @Test(arguments: ["", "{", "[]", #"{"traceEvents":[{"ph":1}]}"#])
  func `A damaged trace is an error`(json: String) {
    #expect(throws: LaunchTrace.Damage.self) {
      try RegistrySnapshot(origin: .files, processes: []).html(trace: Data(json.utf8))
    }
  }
}
