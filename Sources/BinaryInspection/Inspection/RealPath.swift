import Foundation

/// Returns a path without symbolic links and dots, or the path itself if there is no such file.
func realPath(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}
