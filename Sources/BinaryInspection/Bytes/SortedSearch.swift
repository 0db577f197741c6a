extension Array {
  /// The index of the first element that a condition holds for, where it holds for all behind it; the count if it holds for none.
  func firstSortedIndex(where isFound: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isFound(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
