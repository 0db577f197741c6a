import Foundation
import Registry
import RegistryC

/// A reaper of adopted processes, for the first process of a container.
///
/// The reaper can't distinguish adopted processes from those that the program started and may wait
/// for, so it waits longer than Foundation and other libraries need to reap their processes.
final class OrphanReaper: Sendable {
  private struct State {
    /// The zombies, with the time at which each was first seen.
    var zombies: [pid_t: UInt64] = [:]
    var isScheduled = false
    var isStopped = false
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "orphans")
  private let delay: Double

  /// Creates a reaper, or returns nil if this process doesn't adopt others.
  init?(delay: Double) {
    guard registry_process_adopts_orphans() else { return nil }
    self.delay = delay
  }

  /// Scans for zombies in the background, and reaps each after the delay.
  func scan() {
    queue.async { self.reap() }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  private func reap() {
    let now = registry_now()
    let zombies = Self.zombies()
    let (due, schedules) = state.withLock { state -> ([pid_t], Bool) in
      guard !state.isStopped else { return ([], false) }
      var seen: [pid_t: UInt64] = [:]
      var due: [pid_t] = []
      for zombie in zombies {
        let first = state.zombies[zombie] ?? now
        if Double(now - first) / 1e9 >= delay { due.append(zombie) } else { seen[zombie] = first }
      }
      state.zombies = seen
      let schedules = !seen.isEmpty && !state.isScheduled
      if schedules { state.isScheduled = true }
      return (due, schedules)
    }
    for zombie in due { waitpid(zombie, nil, WNOHANG) }
    guard schedules else { return }
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self else { return }
      self.state.withLock { $0.isScheduled = false }
      self.reap()
    }
  }

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
