/// The codes of errors of services, by Apple's numbers; `NetService.ErrorCode` is this type.
public enum NetServiceErrorCode: Int, Sendable {
    /// Anything else; `lastError` has the words.
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

    /// The keys of an error dictionary.
    static let (codeKey, domainKey) = ("NSNetServicesErrorCode", "NSNetServicesErrorDomain")
}
