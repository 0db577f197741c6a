import Foundation
import Registry
import RegistryC

/// A reaper of adopted processes, for a subreaper or the first process of a container.
///
/// The reaper can't distinguish adopted processes from processes that the program started and may
/// wait for, so it first gives Foundation and other libraries time to reap their own processes.
final class OrphanReaper: Sendable {
  /// The zombies that scans found and that will be reaped; nil after `stop()`.
  private let seen = Locked<Set<pid_t>?>([])
  private let queue = DispatchQueue(label: "orphans")
  private let isScanDue = Locked(false)
  private let delay: Double

  /// Creates a reaper, or returns nil if this process doesn't adopt orphans.
  init?(delay: Double) {
    guard registry_process_adopts_orphans() else { return nil }
    self.delay = delay
  }

  /// Scans for zombies in the background, and reaps each zombie after the delay. A scan that hasn't
  /// begun finds the zombies of all earlier calls.
  func scan() {
    let wasDue = isScanDue.withLock { isDue in
      defer { isDue = true }
      return isDue
    }
    if wasDue { return }
    queue.async { [self] in
      isScanDue.withLock { $0 = false }
      let zombies = Self.zombies()
      let new = seen.withLock { seen in zombies.filter { seen?.insert($0).inserted == true } }
      if new.isEmpty { return }
      queue.asyncAfter(deadline: .now() + delay) { [self] in
        for zombie in new where seen.withLock({ $0?.remove(zombie) }) != nil { waitpid(zombie, nil, WNOHANG) }
      }
    }
  }

  func stop() { seen.withLock { $0 = nil } }

  /// Returns the children of this process that have ended but haven't been reaped.
  private static func zombies() -> [pid_t] {
    let own = getpid()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(pid_t.init).filter { process in
      guard let data = FileManager.default.contents(atPath: "/proc/\(process)/status") else { return false }
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
      return lines.contains { $0.hasPrefix("State:\tZ") } && lines.contains("PPid:\t\(own)")
    }
  }
}
