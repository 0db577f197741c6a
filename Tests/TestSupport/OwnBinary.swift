public import Registry

extension RecordSource {
  /// The records of the tests' own binary.
  ///
  /// Suites run at the same time, and some of them open images. A test that compares everything
  /// that a manager finds must not find the records of those images.
  public static var ownBinary: RecordSource { .images { $0.isOwn } }
}

extension LoadedImage {
  /// A Boolean value that indicates whether the image existed before the tests.
  public var isOwn: Bool { !createdPaths.withLock { $0.contains(path) } }
}

/// The paths of the images that tests have created.
private let createdPaths = Locked<Set<String>>([])

/// Adds the path of an image that a test creates.
public func noteCreatedImage(_ path: String) { createdPaths.withLock { _ = $0.insert(path) } }
