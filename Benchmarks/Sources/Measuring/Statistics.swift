/// Returns the middle value, or the mean of the two middle values.
public func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// Returns the distance between the quartiles, relative to the median.
///
/// The result is zero for fewer than four values.
public func spread(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard sorted.count > 3, median(sorted) > 0 else { return 0 }
  return (sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / median(sorted)
}
