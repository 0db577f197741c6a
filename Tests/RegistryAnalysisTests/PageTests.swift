import Foundation
import RegistryAnalysis
import Testing

@Suite struct PageTests {
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
    var chart = try LaunchTrace(json: Data(json.utf8), file: "t.json")
    chart.arrange()
    #expect(chart.entries.map(\.name) == ["outer", "a", "b", "inner", "c", "next"])
    #expect(chart.entries.map(\.row) == [0, 2, 3, 1, 2, 0])
    #expect(chart.entries.map(\.duration) == [10_000, 3_000, 7_000, 3_000, 1_000, 1_000])
    #expect(chart.entries.map(\.own) == [7_000, 3_000, 7_000, 3_000, 1_000, 1_000])
    #expect(chart.entries.allSatisfy { $0.activity == "setUp" })
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
    var chart = try LaunchTrace(json: Data(json.utf8), file: "t.json")
    chart.arrange()
    #expect(chart.entries.map(\.begin) == [0, 2_000, 4_000])
    #expect(chart.entries.map(\.row) == [0, 2, 1])
    #expect(chart.entries.map(\.own) == [9_000, 20_000, 1_000])
    #expect((chart.mainRows, chart.rows) == (3, 3))
  }

  @Test(arguments: ["", "{", "[]", #"{"traceEvents":[{"ph":1}]}"#])
  func `A damaged trace is an error`(json: String) {
    #expect(throws: RegistrySnapshot.Problem.self) {
      try RegistrySnapshot(origin: .files, processes: []).html(trace: Data(json.utf8))
    }
  }
}
