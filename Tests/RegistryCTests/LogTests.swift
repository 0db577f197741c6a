import Foundation
import RegistryC
import Testing

/// The log, tested in processes whose standard error belongs to the test.
@Suite(.timeLimit(.minutes(20))) struct `The log` {
  @Test func `Without a standard error, nothing is written and no call blocks`() async {
    await #expect(processExitsWith: .success) {
      close(STDERR_FILENO)
      registry_log("lost", 4)
      exit(EXIT_SUCCESS)
    }
  }

  @Test func `A signal during the output of a line loses none of it`() async {
    await #expect(processExitsWith: .success) {
      var (line, handled, started): ([Int32], [Int32], [Int32]) = ([0, 0], [0, 0], [0, 0])
      guard pipe(&line) == 0, pipe(&handled) == 0, pipe(&started) == 0 else { exit(2) }
      guard dup2(line[1], STDERR_FILENO) >= 0 else { exit(3) }
      close(line[1])
      toldOfSignals = handled[1]
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in _ = write(toldOfSignals, "x", 1) }
      sigaction(SIGUSR1, &action, nil)

      // The text is longer than the buffer of the pipe, so the writer blocks.
      let length = 300_000
      let end = started[1]
      Thread.detachNewThread {
        // The threads of a queue block all signals, and the new thread inherits this.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_UNBLOCK, &all, nil)
        var own = (pthread_self(), open("/proc/thread-self/stat", O_RDONLY))
        write(end, &own, MemoryLayout.size(ofValue: own))
        registry_log([CChar](repeating: 65, count: length), length)
        close(STDERR_FILENO)
      }
      var writer = (pthread_self(), Int32(-1))
      guard read(started[0], &writer, MemoryLayout.size(ofValue: writer)) > 0 else { exit(4) }
      var byte: UInt8 = 0
      // After the first signal, the writer continues with the text that the pipe did not accept.
      // The other signals interrupt it before it has written anything.
      for _ in 0..<4 {
        while !isAsleep(writer.1) { sched_yield() }
        pthread_kill(writer.0, SIGUSR1)
        guard read(handled[0], &byte, 1) == 1 else { exit(5) }
      }
      var (room, received) = ([UInt8](repeating: 0, count: 65_536), 0)
      while true {
        let count = read(line[0], &room, room.count)
        guard count > 0 else { break }
        received += count
      }
      exit(received == length ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}

/// The file descriptor that the signal handler writes to.
///
/// It is set before the handler is installed.
private nonisolated(unsafe) var toldOfSignals: Int32 = -1

/// Returns whether a thread is sleeping in the kernel.
///
/// - Parameter stat: A descriptor of the thread's `stat` file in `/proc`, which contains `123
///   (name) S …`.
private func isAsleep(_ stat: Int32) -> Bool {
  var text = [UInt8](repeating: 0, count: 256)
  guard pread(stat, &text, text.count, 0) > 0, let name = text.lastIndex(of: UInt8(ascii: ")")) else { exit(6) }
  return text[name + 2] == UInt8(ascii: "S")
}
