import Foundation
import Measuring

@main @MainActor struct Main {
  static let benchmarks =
    sharedServiceBenchmarks + contendedServiceBenchmarks + transientServiceBenchmarks + overrideBenchmarks
    + eventBenchmarks + notificationBenchmarks + startUpBenchmarks + LargeApp.benchmarks + loadBenchmarks
    + growthBenchmarks + moduleGrowthBenchmarks + routeBenchmarks + inspectionBenchmarks

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == "--child" {
        try Child.run(Array(arguments.dropFirst()))
      } else if try !run(Options(arguments)) {
        exit(1)
      }
    } catch {
      complain("\(error)")
      exit(2)
    }
  }

  /// Runs the benchmarks, and returns false if one of them failed.
  private static func run(_ options: Options) throws -> Bool {
    if options.wantsHelp {
      print(Options.usage)
      return true
    }
    let chosen = try options.choose(benchmarks)
    let (skipped, measured) = (
      chosen.filter { options.isQuick && $0.isSlow }, chosen.filter { !options.isQuick || !$0.isSlow }
    )
    if options.isList {
      for benchmark in measured { print(benchmark.name) }
      return true
    }
    let table = Table(options.format)
    var isRight = true
    for benchmark in measured {
      do {
        try table.add(benchmark.run(options.isQuick ? .quick : .full))
      } catch {
        complain("\(benchmark.name): \(error)")
        isRight = false
      }
    }
    for benchmark in skipped { complain("\(benchmark.name): left out of quick runs", as: "note") }
    return isRight
  }

  private static func complain(_ message: String, as severity: String = "error") {
    FileHandle.standardError.write(Data("\(severity): \(message)\n".utf8))
  }
}
