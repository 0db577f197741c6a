/// A RELR table: which words of an image get its own address added, in one bit each.
///
/// An even word is an address, an odd one says of the 63 (or 31) words behind what came before which of them are meant. It is not unpacked,
/// as one byte of the file can stand for eight words of it.
struct ELFRelativeTable {
  private struct Run {
    /// The word that it begins with, which is meant itself.
    var address: UInt64
    /// Where its bits begin in `words`.
    var first: Int
    var count: Int
  }

  private let words: [UInt64]
  private var runs: [Run] = []
  private let wordSize: UInt64

  init(_ cursor: consuming ByteCursor, is64Bit: Bool, of view: BinaryView) throws(InspectionError) {
    wordSize = is64Bit ? 8 : 4
    var cursor = cursor
    var words: [UInt64] = []
    words.reserveCapacity(Int(cursor.left / wordSize))
    while !cursor.isAtEnd {
      let offset = cursor.offset
      let word = try cursor.word(is64Bit: is64Bit)
      if word & 1 == 0 {
        runs.append(Run(address: word, first: words.count, count: 0))
      } else if runs.isEmpty {
        throw cursor.error(
          "the table of RELR begins with bits at 0x\(String(offset, radix: 16)) and not with an address")
      } else {
        words.append(word)
        runs[runs.count - 1].count += 1
      }
    }
    self.words = words
    // Linkers write them so; loaders do not ask for it.
    runs.sort { $0.address < $1.address }
  }

  func contains(_ address: UInt64) -> Bool {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return false }
    let run = runs[low - 1]
    let distance = address - run.address
    if distance == 0 { return true }
    guard distance % wordSize == 0 else { return false }
    let bitsPerWord = wordSize * 8 - 1
    let index = distance / wordSize - 1
    guard index / bitsPerWord < UInt64(run.count) else { return false }
    return words[run.first + Int(index / bitsPerWord)] >> (1 + index % bitsPerWord) & 1 == 1
  }
}
