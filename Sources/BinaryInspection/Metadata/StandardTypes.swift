extension MangledTypeName {
  /// The standard library types that are mangled as the letter S and another letter, from
  /// `swift/Demangling/StandardTypesMangling.def`.
  static let standard: [UInt8: String] = table(
    """
    A AutoreleasingUnsafeMutablePointer,a Array,b Bool,D Dictionary,d Double,f Float,h Set,I DefaultIndices,i Int,\
    J Character,N ClosedRange,n Range,O ObjectIdentifier,P UnsafePointer,p UnsafeMutablePointer,R UnsafeBufferPointer,\
    r UnsafeMutableBufferPointer,S String,s Substring,u UInt,V UnsafeRawPointer,v UnsafeMutableRawPointer,\
    W UnsafeRawBufferPointer,w UnsafeMutableRawBufferPointer,q Optional,B BinaryFloatingPoint,E Encodable,e Decodable,\
    F FloatingPoint,G RandomNumberGenerator,H Hashable,j Numeric,K BidirectionalCollection,k RandomAccessCollection,\
    L Comparable,l Collection,M MutableCollection,m RangeReplaceableCollection,Q Equatable,T Sequence,t IteratorProtocol,\
    U UnsignedInteger,X RangeExpression,x Strideable,Y RawRepresentable,y StringProtocol,Z SignedInteger,z BinaryInteger
    """)

  static let standardNames = Set(standard.values)

  /// The concurrency library types that are mangled as the letters Sc and another letter.
  static let concurrency: [UInt8: String] = table(
    """
    A Actor,C CheckedContinuation,c UnsafeContinuation,E CancellationError,e UnownedSerialExecutor,F Executor,\
    f SerialExecutor,G TaskGroup,g ThrowingTaskGroup,h TaskExecutor,I AsyncIteratorProtocol,i AsyncSequence,J UnownedJob,\
    M MainActor,P TaskPriority,S AsyncStream,s AsyncThrowingStream,T Task,t UnsafeCurrentTask
    """)

  private static func table(_ text: String) -> [UInt8: String] {
    var table: [UInt8: String] = [:]
    for entry in text.split(separator: ",") { table[entry.utf8.first!] = String(entry.dropFirst(2)) }
    return table
  }
}
