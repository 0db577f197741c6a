import Foundation
import RegistryAnalysis

// Prints the page of a snapshot. Standard input has the snapshot, and optionally a trace and
// changes, each as JSON on a line of its own. The argument is the title.
struct Change: Codable {
  var change, kind, subject, details: String
  var breaking: Bool
}

var lines: [Data] = []
while let line = readLine() { lines.append(Data(line.utf8)) }
let changes = try lines.count > 2 ? JSONDecoder().decode([Change].self, from: lines[2]) : nil
let page = try RegistrySnapshot(json: lines[0]).html(
  title: CommandLine.arguments.dropFirst().first, trace: lines.count > 1 ? lines[1] : nil, changes: changes)
FileHandle.standardOutput.write(Data(page.utf8))
