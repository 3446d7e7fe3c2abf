extension NetService {
    /// The codes of errors, by Apple's numbers.
    public enum ErrorCode: Int, Sendable {
        /// Anything else; ``NetService/lastError`` has the words.
        case unknownError = -72000
        /// Another service has the name.
        case collisionError = -72001
        /// The service is not on the network.
        case notFoundError = -72002
        /// The object publishes, searches or resolves already.
        case activityInProgress = -72003
        /// A name, type, domain or TXT record breaks the rules.
        case badArgumentError = -72004
        /// The program stopped the request.
        case cancelledError = -72005
        /// The object was made for something else: a service without a port cannot be published.
        case invalidError = -72006
        /// The time is over.
        case timeoutError = -72007
        /// Avahi's library or daemon is missing.
        case missingRequiredConfigurationError = -72008
    }

    /// The key of an ``ErrorCode`` in an error dictionary.
    public static let errorCode = "NSNetServicesErrorCode"
    /// The key of the number of the error's domain in an error dictionary.
    public static let errorDomain = "NSNetServicesErrorDomain"

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
