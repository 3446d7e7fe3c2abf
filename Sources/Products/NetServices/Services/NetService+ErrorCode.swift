extension NetService {
    /// The codes of errors.
    public typealias ErrorCode = NetServiceErrorCode

    /// The key of an ``ErrorCode`` in an error dictionary.
    public static let errorCode = NetServiceErrorCode.codeKey
    /// The key of the number of the error's domain in an error dictionary.
    public static let errorDomain = NetServiceErrorCode.domainKey

    /// What may be asked of publishing.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set of bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A name that another service has is an error, instead of being changed.
        public static let noAutoRename = Options(rawValue: 1 << 0)
        /// The service listens on its port by itself, and hands accepted connections to its delegate as streams.
        public static let listenForConnections = Options(rawValue: 1 << 1)
    }
}
