import Registry

extension Inspection {
  /// Finds what is wrong with what the images register, as the run time would say it, and what the run time cannot know.
  ///
  /// Malformed records; what is exported twice; names in `after` that nobody has, and circles of them; classes that none of the images
  /// has, if classes were read; slices of one file that differ; and records that were there once.
  ///
  /// - Parameter expected: What must be there.
  public func check(expecting expected: ExpectedRecords? = nil) -> [InspectionProblem] {
    var problems = images.flatMap(\.problems)
    for family in families {
      for linked in [false, true] {
        problems += DuplicateCheck.problems(in: family.filter { $0.isObject != linked })
      }
      problems += OrderCheck(family).problems
      if let classes { problems += ClassCheck.problems(in: family, classes[family[0].family]) }
    }
    problems += SliceCheck.problems(in: images)
    if let expected { problems += expected.missing(in: images) }
    return problems
  }
}

/// A record with its image, and what it says.
struct PlacedRecord {
  let image: InspectedImage
  let record: InspectedRecord
  let contents: RecordContents

  /// Those that can be read, in order.
  static func all(in images: [InspectedImage]) -> [PlacedRecord] {
    images.flatMap { image in
      image.records.lazy.filter { !$0.isMalformed }.map {
        PlacedRecord(image: image, record: $0, contents: $0.contents)
      }
    }
  }

  /// How messages call it: the class or the handler, with the image.
  var label: String { (contents.subject ?? "").escapedForDisplay() + " (\(image.name.escapedForDisplay(limit: 1_000)))" }

  func problem(_ code: Diagnostic.Code, subject: String? = nil, _ message: String) -> InspectionProblem {
    InspectionProblem(
      file: image.name, code: code, subject: subject ?? contents.subject ?? "\(record.kind)", message: message)
  }
}
