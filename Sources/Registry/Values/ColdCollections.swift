// Collection operations for code that doesn't run on each start, lookup, or event.
//
// The compiler specializes the standard library's operations for each type and closure, which adds
// about three kilobytes each time. The methods below share machine code between all types, but are
// several times slower.

extension Sequence {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] { sorted(by: isBefore) }
}

extension Array {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package mutating func discard(where isDiscarded: (Element) -> Bool) { removeAll(where: isDiscarded) }

  @inline(__always)
  static func += (array: inout [Element], others: [Element]) { if !others.isEmpty { array.add(others) } }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func add(_ others: [Element]) { append(contentsOf: others) }
}

extension Array where Element: AnyObject {
  /// Removes an object, and returns whether the array contained it.
  ///
  /// Objects usually leave in the order they were added, so the search usually ends soon.
  @discardableResult @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package mutating func remove(_ object: Element) -> Bool {
    guard let index = firstIndex(where: { $0 === object }) else { return false }
    remove(at: index)
    return true
  }
}

extension Array where Element: Equatable {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func isEqual(to other: Array) -> Bool { self == other }
}

extension Dictionary where Value: Equatable {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func isEqual(to other: Dictionary) -> Bool { self == other }
}

extension Set {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package init(of elements: some Sequence<Element>) { self.init(elements) }

  /// Inserts an element, and returns whether it was new.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never") @discardableResult
  package mutating func add(_ element: Element) -> Bool { insert(element).inserted }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package func without(_ others: Set) -> Set { subtracting(others) }
}

extension String {
  /// Returns the parts before, between, and after the occurrences of a separator.
  // Specializing `split` would add a kilobyte.
  @inline(never)
  package func parts(separatedBy separator: Unicode.Scalar) -> [String] {
    var (parts, part): ([String], String) = ([], "")
    for scalar in unicodeScalars {
      if scalar == separator {
        parts.append(part)
        part = ""
      } else {
        part.unicodeScalars.append(scalar)
      }
    }
    parts.append(part)
    return parts
  }
}

extension Collection<UInt8> {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func begins(with text: String) -> Bool { starts(with: text.utf8) }
}
