import Registry
import RegistryC

// Inserting a module that no other module waits for doesn't change the order of the others; see
// ``ModuleOrder``. The module is inserted after those that it waits for, before the next one with a
// lower priority or a larger name.
@MainActor extension [ModuleEntry] {
  /// Sets the positions of the modules from an index on.
  func number(from start: Int = 0) {
    for index in start..<count { self[index].position = Int32(index) }
  }

  /// Inserts modules that no module in this ordered array waits for.
  ///
  /// - Parameter added: The new modules, each after those that it waits for.
  /// - Returns: `false` if ordering all modules is faster. Some new modules are then missing.
  /// - Complexity: O(*m* log *n*) comparisons for *m* modules among *n*, most of which have no
  ///   `after`, and moving the modules after the first new one.
  mutating func insert(_ added: [ModuleEntry], of registry: ModuleRegistry) -> Bool {
    var first = count
    // The search skips modules with `after` one by one, so limit its steps.
    var steps = 4 * count
    for entry in added {
      var start = 0
      for other in registry.awaited(by: entry) {
        // Earlier insertions in this loop may have moved the module toward the end.
        var index = Int(other.position)
        while self[index] !== other { index += 1 }
        start = Swift.max(start, index + 1)
      }
      let index = index(of: entry, from: start, &steps)
      if steps < 0 { return false }
      insert(entry, at: index)
      entry.position = Int32(index)
      first = Swift.min(first, index)
    }
    number(from: first)
    return true
  }

  private func index(of entry: ModuleEntry, from start: Int, _ steps: inout Int) -> Int {
    // A module without `after` never had to wait, so all modules before it have a higher priority
    // or a smaller name. If it precedes the new module, they do, too, so the binary search compares
    // only modules without `after`.
    var (low, high) = (start, count)
    let name = entry.sortName
    while low < high {
      let middle = (low + high) / 2
      var index = middle
      while index < high, !self[index].attributes.after.isEmpty { index += 1 }
      steps -= index - middle + 1
      if index < high, self[index].precedes(entry, name) { low = index + 1 } else { high = middle }
    }
    var end = low
    while end < count, self[end].precedes(entry, name) { end += 1 }
    steps -= end - low
    return end
  }
}

extension ModuleEntry {
  /// The text by which modules with the same level and priority are sorted.
  var sortName: String { isHandler ? name.naturalOrderKey : name }

  /// Returns whether the module precedes another one if neither has to wait for a module.
  fileprivate func precedes(_ other: ModuleEntry, _ otherName: String) -> Bool {
    ModuleRegistry.steps += 1
    if attributes.level != other.attributes.level { return attributes.level == .basic }
    if attributes.priority != other.attributes.priority { return attributes.priority > other.attributes.priority }
    let names = order(sortName, otherName)
    return names == 0 ? typeAddress < other.typeAddress : names < 0
  }
}

// This function isn't isolated to the main actor, because then its closures would check the
// executor.

/// Compares the bytes of two strings; see `registry_name_order`.
private func order(_ first: String, _ second: String) -> Int32 {
  var (first, second) = (first, second)
  return first.withUTF8 { first in
    second.withUTF8 { second in
      registry_name_order(first.baseAddress, first.count, second.baseAddress, second.count)
    }
  }
}
