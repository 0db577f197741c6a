extension Array {
  /// Returns the index of the first element that meets a condition, or the count if none does. All
  /// elements after the first match must meet the condition, too.
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
