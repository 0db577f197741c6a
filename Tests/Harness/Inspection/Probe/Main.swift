import BinaryInspection
import Foundation

// Prints the results of the reader of binaries, one JSON object on each line, to be compared with
// the output of other programs for the same files.
//
//   InspectionProbe < LIST OF FILES, ONE ON EACH LINE

@main struct Main {
  static func main() {
    while let path = readLine() {
      BinaryFinder().find(path) { finding in
        switch finding {
        case .found(let object, let path, _):
          do { print(try Seen(object, path)) } catch { print(Failure(file: path, error: "\(error)")) }
        case .problem(let problem, _):
          if problem.severity == .unreadable { print(Failure(file: path, error: "\(problem)")) }
        }
      }
    }
  }

  private struct Failure: Encodable {
    let file: String
    let error: String
  }

  private static func print(_ line: some Encodable) {
    let encoder = JSONEncoder()
    // Encoding succeeds for a value that consists only of strings and numbers.
    guard let line = try? encoder.encode(line) else { return }
    FileHandle.standardOutput.write(line + [UInt8(ascii: "\n")])
  }
}
