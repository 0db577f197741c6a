import Registry

/// The texts that the pointers of an image refer to.
///
/// Any number of pointers can refer to one text or into the same text. The size of the file
/// therefore limits all texts together. Each text counts as at least ``smallestSize`` bytes,
/// because a record takes far more memory than a pointer takes in the file.
struct PointerTexts {
  struct Problem: Error {
    let message: String

    init(_ message: String) {
      self.message = message
    }
  }

  /// The smallest number of bytes that the text of one pointer counts as.
  ///
  /// In files that a linker writes, a record always takes more bytes: its symbol, its relocation,
  /// and the code of its class.
  private static let smallestSize: UInt64 = 32
  /// The smallest limit for all texts together.
  ///
  /// It applies to small files. Headers alone have as many bytes.
  private static let smallestLimit: UInt64 = 4_096

  private let object: any ObjectFile
  /// The encrypted sections by address. They do not overlap.
  private let encrypted: [Section]
  /// The texts that were read, by address.
  private var known: [UInt64: String] = [:]
  /// The number of bytes that remain for the texts of further pointers.
  private var remaining: UInt64

  init(_ object: any ObjectFile) {
    self.object = object
    encrypted = object.sections.filter { $0.isEncrypted && $0.size > 0 }.sorted { $0.address < $1.address }
    remaining = max(object.view.size, Self.smallestLimit)
  }

  /// Returns the text that the pointer at an address refers to.
  ///
  /// - Parameter what: The subject of a problem: `"the module's name"`.
  mutating func text(at address: UInt64, _ what: String) throws(Problem) -> String {
    let pointer: Pointer
    do {
      pointer = try object.pointer(at: address)
    } catch {
      throw Problem("the pointer to \(what) cannot be resolved: \(error.withOffset)")
    }
    let target: UInt64
    switch pointer {
    case .null: throw Problem("the pointer to \(what) is null")
    case .symbol(let name, _):
      throw Problem(
        "the pointer to \(what) is bound to the symbol '\(name.escapedForDisplay())', which is in another image")
    case .address(let address): target = address
    }
    guard remaining > 0 else {
      throw Problem(
        "\(what) is ignored, because the preceding texts, counted as at least \(Self.smallestSize) bytes each, are together"
          + " longer than the file")
    }
    let text: String
    if let read = known[target] { text = read } else { text = try read(target, what) }
    // A known text counts again, because each record gets its own copy.
    remaining -= min(remaining, max(UInt64(text.utf8.count) + 1, Self.smallestSize))
    return text
  }

  private mutating func read(_ target: UInt64, _ what: String) throws(Problem) -> String {
    let next = encrypted.firstSortedIndex { $0.address > target }
    if next > 0, target - encrypted[next - 1].address < encrypted[next - 1].size {
      let section = encrypted[next - 1]
      throw Problem("\(what) is in '\(section.name)', which is encrypted; check the binary before it is encrypted")
    }
    do {
      let text = try object.cString(at: target, what)
      known[target] = text
      return text
    } catch {
      throw Problem("\(what) cannot be read: \(error.withOffset)")
    }
  }
}
