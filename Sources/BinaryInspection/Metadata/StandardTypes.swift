extension MangledTypeName {
  /// The standard library types that are mangled as the letter S and other letters, from
  /// `swift/Demangling/StandardTypesMangling.def`. Types of the concurrency library have two
  /// letters.
  static let standard: [Substring: String] = {
    let types =
      """
      A AutoreleasingUnsafeMutablePointer,a Array,b Bool,D Dictionary,d Double,f Float,h Set,I DefaultIndices,i Int,\
      J Character,N ClosedRange,n Range,O ObjectIdentifier,P UnsafePointer,p UnsafeMutablePointer,R UnsafeBufferPointer,\
      r UnsafeMutableBufferPointer,S String,s Substring,u UInt,V UnsafeRawPointer,v UnsafeMutableRawPointer,\
      W UnsafeRawBufferPointer,w UnsafeMutableRawBufferPointer,q Optional,B BinaryFloatingPoint,E Encodable,e Decodable,\
      F FloatingPoint,G RandomNumberGenerator,H Hashable,j Numeric,K BidirectionalCollection,k RandomAccessCollection,\
      L Comparable,l Collection,M MutableCollection,m RangeReplaceableCollection,Q Equatable,T Sequence,t IteratorProtocol,\
      U UnsignedInteger,X RangeExpression,x Strideable,Y RawRepresentable,y StringProtocol,Z SignedInteger,z BinaryInteger,\
      cA Actor,cC CheckedContinuation,cc UnsafeContinuation,cE CancellationError,ce UnownedSerialExecutor,cF Executor,\
      cf SerialExecutor,cG TaskGroup,cg ThrowingTaskGroup,ch TaskExecutor,cI AsyncIteratorProtocol,ci AsyncSequence,\
      cJ UnownedJob,cM MainActor,cP TaskPriority,cS AsyncStream,cs AsyncThrowingStream,cT Task,ct UnsafeCurrentTask
      """
    let entries = types.split(separator: ",").map { $0.split(separator: " ") }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0[0], String($0[1])) })
  }()

  static let standardNames = Set(standard.lazy.filter { $0.key.utf8.count == 1 }.map(\.value))
}
