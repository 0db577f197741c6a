import Measuring
let effort: Effort = CommandLine.arguments.contains("--quick") ? .quick : .full
var results: [Comparison] = []
results += try services(effort)
results += try events(effort)
for r in results {
  print(r.name, r.ours, r.baseline ?? .nan, r.ratio ?? .nan, r.goal ?? .nan, r.met as Any, r.spread)
}
