// Operations of collections for code that does not run at each start, lookup, or event.
//
// The compiler specializes the operations of the standard library for each type and closure, which
// adds about three kilobytes to an app each time. All types share the machine code of the methods
// below, which makes them several times slower.

extension Sequence {
  /// Returns the elements in order.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] { sorted(by: isBefore) }
}

extension Set {
  /// Creates a set with the elements of a sequence.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package init(of elements: some Sequence<Element>) { self.init(elements) }

  /// Inserts an element, and returns whether the set did not contain it.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never") @discardableResult
  package mutating func add(_ element: Element) -> Bool { insert(element).inserted }

  /// Returns the elements that another set does not contain.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func without(_ others: Set) -> Set { subtracting(others) }
}

extension Collection<UInt8> {
  /// Returns whether the bytes begin with a text.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func begins(with text: String) -> Bool { starts(with: text.utf8) }
}
