import BinaryInspection
import Foundation
import Registry
import RegistryAnalysis

extension Command {
  static let budget = Command(
    name: "budget", operands: "TRACE…", summary: "compares the times in traces with limits",
    about: "Compares the times in traces, which LifecycleTimeline.chromeTrace() writes, with limits. Each time is the"
      + " median of the traces, and in each trace, the longest call counts. The time of nested synchronous work counts"
      + " only there. A LIMIT is a time, such as 5ms, or a name and a time, such as Cart.CartModule=20ms, which precedes a limit"
      + " for all names. A name is that of a module, an implementation, a route, or an event, or 'MODULE: EVENT'. Units"
      + " are ns, us, ms, and s. Without limits, the command prints the times.",
    options: [
      Option(
        name: "--start", value: "LIMIT", help: "the start, until its last phase, such as 'becomeReady', has ended"),
      limit("--module", "the phases of a module on the main actor, up to 'didFinishStarting'"),
      limit("--handler", "a synchronous handler"),
      limit("--async", "an asynchronous handler or 'becomeReady', with its suspensions"),
      limit("--service", "the creation of a service or contribution"),
      limit("--route", "a request for a route, with its suspensions"),
      .format(
        ["text", "json", "github"], "text (the default), json, or github, for annotations of GitHub Actions"),
    ],
    examples: [
      "registry-tool budget --start 50ms --module 5ms --handler 2ms trace.json",
      "registry-tool budget --module 5ms --module Cart.CartModule=20ms trace-1.json trace-2.json trace-3.json",
    ],
    status: "; 1 if a limit is exceeded; 2 if a trace cannot be read."
  ) { arguments in
    var budget = Budget()
    for kind in Budget.Kind.allCases {
      for limit in arguments.all("--\(kind)") where !budget.add(kind, limit) {
        throw UsageError(
          message: "'--\(kind)' has the value '\(limit.escapedForDisplay())', which is no limit; write it like"
            + " '\(kind == .start ? "50ms" : "5ms' or 'NAME=5ms")' (ns, us, ms, s)")
      }
    }
    var traces: [LaunchTrace] = []
    var unreadable: [RegistrySnapshot.Problem] = []
    for path in arguments.files {
      do {
        traces.append(try LaunchTrace(json: Input.bytes(of: path), file: path))
      } catch let problem as RegistrySnapshot.Problem {
        unreadable.append(problem)
      } catch let problem as InspectionProblem {
        unreadable.append(problem.inSnapshot())
      }
    }
    var report = budget.report(on: traces)
    report.problems = unreadable + report.problems
    switch arguments["--format"] {
    case "json": Output.print(String(decoding: try report.json(), as: UTF8.self))
    case "github": for problem in report.problems { Output.print(problem.gitHubAnnotation) }
    default:
      for problem in report.problems { Output.error(problem.line) }
      if !report.measurements.isEmpty { Output.print(report.table) }
    }
    return !unreadable.isEmpty ? .unreadable : report.isOverBudget ? .problems : .fine
  }

  private static func limit(_ name: String, _ help: String) -> Option {
    Option(name: name, value: "LIMIT", isRepeatable: true, help: help)
  }
}
