package import Registry

/// The limits on the durations of work in traces.
package struct Budget: Sendable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// The time between the beginning of a start's first phase and the end of its last phase.
    case start
    /// The synchronous phases of a module, up to and including `didFinishStarting`.
    case module
    /// A call to a synchronous handler.
    case handler
    /// A call to an asynchronous handler or to a module's `becomeReady`, including suspensions.
    case async
    /// The creation of a service or a contribution.
    case service
    /// A request for a route.
    case route
  }

  private struct Limit {
    let kind: Kind
    /// The selected name; nil for a limit that applies to all names.
    let name: String?
    let text: String
    let nanoseconds: Int
  }

  private var limits: [Limit] = []

  package init() {}

  /// Adds a limit for all names, such as `5ms`, or for one name, such as `Cart.CartModule=20ms`.
  ///
  /// - Returns: False if the text isn't a limit of this kind.
  package mutating func add(_ kind: Kind, _ text: String) -> Bool {
    let parts = text.lastIndex(of: "=").map { (text[..<$0], text[text.index(after: $0)...]) }
    let (name, time) = parts ?? ("", text[...])
    guard parts == nil || !name.isEmpty && kind != .start, let nanoseconds = Self.nanoseconds(time) else {
      return false
    }
    limits.append(Limit(kind: kind, name: parts.map { String($0.0) }, text: String(time), nanoseconds: nanoseconds))
    return true
  }

  /// Returns a time such as `2.5ms` in nanoseconds, or nil for other text.
  package static func nanoseconds(_ text: some StringProtocol) -> Int? {
    for (unit, factor) in [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)] where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count)
      // Without this check, `Double` would accept `nan`, `0x5`, and `1e9`.
      guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }),
        let value = Double(number), value * factor < 4e18
      else { return nil }
      return Int((value * factor).rounded())
    }
    return nil
  }

  /// The measured time for a name, with any limit that applies.
  package struct Measurement: Sendable, Hashable, Codable {
    package var kind: Kind
    /// The module, implementation, or route; empty for the start.
    package var name: String
    /// The event of a handler, or `becomeReady`.
    package var activity: String?
    /// The median of the traces that contain the name. Each trace contributes its longest call, the
    /// sum of a module's phases, or the time of the start.
    package var nanoseconds = 0
    /// The number of traces that contain the name.
    package var traces = 0
    /// The limit in nanoseconds; nil if no limit applies.
    package var limit: Int?

    package var isOverBudget: Bool { limit.map { nanoseconds > $0 } ?? false }

    fileprivate var names: [String] { [name, activity.map { "\(name): \($0)" } ?? name, activity ?? name] }

    fileprivate var order: (Int, String, String) { (Kind.allCases.firstIndex(of: kind) ?? 0, name, activity ?? "") }
  }

  /// The measurements and problems of traces.
  package struct Report: Sendable, Codable {
    package var version = 1
    package var traces: [String]
    package var measurements: [Measurement]
    package var problems: [RegistrySnapshot.Problem]

    package var isOverBudget: Bool { measurements.contains(where: \.isOverBudget) }
  }

  /// Compares the traces with the limits. A limit for one name takes precedence over a limit for
  /// all names. Otherwise, later limits take precedence over earlier limits.
  package func report(on traces: [LaunchTrace]) -> Report {
    var samples: [Measurement: [Int]] = [:]
    for trace in traces { for (key, time) in Self.times(in: trace) { samples[key, default: []].append(time) } }
    var used: Set<Int> = []
    var problems: [RegistrySnapshot.Problem] = []
    var measurements: [Measurement] = []
    for (key, times) in samples.sorted(by: { $0.key.order < $1.key.order }) {
      var measurement = key
      (measurement.nanoseconds, measurement.traces) = (Self.median(times), times.count)
      let candidates = limits.indices.reversed().filter { index in
        limits[index].kind == key.kind && (limits[index].name.map(measurement.names.contains) ?? true)
      }
      used.formUnion(candidates)
      let index = candidates.first { limits[$0].name != nil } ?? candidates.first
      if let index {
        measurement.limit = limits[index].nanoseconds
        if measurement.isOverBudget { problems.append(Self.problem(measurement, limits[index].text, traces)) }
      }
      measurements.append(measurement)
    }
    for (index, limit) in limits.enumerated() where !used.contains(index) {
      let names = measurements.filter { $0.kind == limit.kind }.flatMap(\.names)
      problems.append(
        RegistrySnapshot.Problem(
          severity: "note", code: "nothing-selected",
          subject: "--\(limit.kind) \(limit.name.map { "\($0)=" } ?? "")\(limit.text)",
          message: "no trace has \(Self.words[limit.kind]!.noun)"
            + "\(limit.name.map { " with the name '\($0.escapedForDisplay())'" } ?? ""), so the option has no effect; remove it, or record"
            + " that work\(limit.name?.suggestion(in: names) ?? "")"))
    }
    for trace in traces {
      let phases = Set(trace.entries.filter { $0.kind == "phase" }.map(\.activity))
      let isOver = phases.contains("didFinishStarting") || !phases.contains("setUp")
      let problem: String? =
        if trace.dropped > 0 {
          "the timeline did not record \(trace.dropped) \(trace.dropped == 1 ? "entry" : "entries"), which can exceed"
            + " limits; pass it a larger 'limit:'"
        } else if !isOver, limits.contains(where: { $0.kind == .start }) {
          "it ends before the first 'didFinishStarting', so the start failed or took longer; write the trace after the start"
        } else {
          nil
        }
      guard let problem else { continue }
      problems.append(
        RegistrySnapshot.Problem(
          severity: "warning", code: "\(Diagnostic.Code.incompleteTrace)", image: trace.file, message: problem))
    }
    return Report(traces: traces.map(\.file), measurements: measurements, problems: problems)
  }

  /// The words for work that is over its limit, and for work that no trace has.
  private static let words: [Kind: (work: String, noun: String)] = [
    .start: ("the start", "a phase of a start"), .module: ("its phases", "a module"),
    .handler: ("its handler", "a synchronous handler"), .async: ("its handler", "an asynchronous handler or phase"),
    .service: ("its creation", "a created service"), .route: ("the request", "an opened route"),
  ]

  private static let startPhases = ["init", "setUp", "initialize", "didFinishStarting", "becomeReady"]

  /// Returns the time of each measurement in a trace.
  private static func times(in trace: LaunchTrace) -> [Measurement: Int] {
    var times: [Measurement: Int] = [:]
    // Modules that are created after the first 'didFinishStarting' aren't part of the start.
    let finish = trace.entries.first { $0.activity == "didFinishStarting" && $0.kind == "phase" }?.begin ?? .max
    var (begin, end): (Int?, Int) = (nil, 0)
    // A module can be stopped and started again, so use only the first run of each phase.
    var seen: Set<[String]> = []
    var started: Set<String> = []
    for entry in trace.entries {
      if entry.kind == "phase" {
        guard startPhases.contains(entry.activity), seen.insert([entry.name, entry.activity]).inserted else { continue }
        if entry.activity == "init", entry.begin <= finish { started.insert(entry.name) }
        if started.contains(entry.name) {
          begin = begin ?? entry.begin
          end = max(end, entry.end)
        }
        if entry.isConcurrent {
          times[Measurement(kind: .async, name: entry.name, activity: entry.activity)] = entry.duration
        } else {
          times[Measurement(kind: .module, name: entry.name), default: 0] += entry.own
        }
      } else {
        let kind: Kind =
          entry.kind == "event" ? entry.isConcurrent ? .async : .handler : entry.kind == "route" ? .route : .service
        let key = Measurement(kind: kind, name: entry.name, activity: entry.kind == "event" ? entry.activity : nil)
        times[key] = max(times[key] ?? 0, entry.own)
      }
    }
    if let begin { times[Measurement(kind: .start, name: "")] = end - begin }
    return times
  }

  /// Returns the middle value, or the mean of the two middle values.
  private static func median(_ values: [Int]) -> Int {
    let sorted = values.sorted()
    let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    return low + (high - low) / 2
  }

  private static func problem(_ measurement: Measurement, _ limit: String, _ traces: [LaunchTrace])
    -> RegistrySnapshot.Problem
  {
    let handler = measurement.activity.map {
      $0 == "becomeReady" ? "'becomeReady'" : "its handler of \($0.quotedForDisplay())"
    }
    let work = handler ?? words[measurement.kind]!.work
    let median = traces.count > 1 ? " in the median of \(measurement.traces) of \(traces.count) traces" : ""
    return RegistrySnapshot.Problem(
      severity: "error", code: "\(Diagnostic.Code.overBudget)",
      subject: measurement.name.isEmpty ? nil : measurement.name, image: traces.count == 1 ? traces[0].file : nil,
      message: "\(work) took \(text(measurement.nanoseconds))\(median), and the limit is \(limit); make it faster,"
        + " or raise the limit")
  }

  /// Returns a time with at most three decimals, in the largest unit that doesn't exceed the time.
  package static func text(_ nanoseconds: Int) -> String {
    let (unit, size) =
      [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000)].first { nanoseconds >= $0.1 } ?? ("ns", 1)
    let thousandths = size == 1 ? nanoseconds * 1000 : (nanoseconds + size / 2000) / (size / 1000)
    let decimals = "\(thousandths % 1000 + 1000)".dropFirst()
    let significant = decimals.reversed().drop { $0 == "0" }.reversed()
    return "\(thousandths / 1000)" + (significant.isEmpty ? "" : "." + String(significant)) + unit
  }
}

extension Diagnostic.Code {
  package static var overBudget: Self { "over-budget" }
  package static var incompleteTrace: Self { "incomplete-trace" }
  package static var malformedTrace: Self { "malformed-trace" }
}
