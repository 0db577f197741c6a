extension Sequence {
  /// Returns the elements in order, with machine code that all types share.
  ///
  /// The compiler specializes `sorted(by:)` for each type and closure, which adds about three
  /// kilobytes to an app each time. This method is several times slower, so it is for code that
  /// does not run at each start or lookup.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] { sorted(by: isBefore) }
}
