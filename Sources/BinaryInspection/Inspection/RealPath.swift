import Foundation

/// A path without links and dots, as two names of one file have it; as it is if there is no such file.
func realPath(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}
