import BinaryInspection
import Foundation

// Prints what the reader of binaries sees, one JSON object a line, to be compared with what other programs say of the same files.
//
//   InspectionProbe < LIST OF FILES, A LINE EACH

@main struct Main {
  static func main() {
    while let path = readLine() {
      BinaryFinder().find(
        path,
        found: { found in
          do { print(try Seen(found)) } catch { print(Failure(file: path, error: "\(error)")) }
        },
        failed: { error in print(Failure(file: path, error: "\(error)")) },
        remark: { _ in })
    }
  }

  private struct Failure: Encodable {
    let file: String
    let error: String
  }

  private static func print(_ line: some Encodable) {
    let encoder = JSONEncoder()
    // What is made of strings and numbers can be written.
    guard let line = try? encoder.encode(line) else { return }
    FileHandle.standardOutput.write(line + [UInt8(ascii: "\n")])
  }
}
