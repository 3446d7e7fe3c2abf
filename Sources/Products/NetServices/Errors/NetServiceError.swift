import DiscoveryKit
import Foundation

/// Why a service was not published, found or resolved, in words: what the numbers of Apple's error dictionary cannot say.
public struct NetServiceError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kind of failure, as in the delegate's dictionary.
    public let code: NetServiceErrorCode
    /// What happened, in a sentence for people.
    public let reason: String
    /// What to do about it.
    public let hint: String

    init(_ code: NetServiceErrorCode, _ reason: String, hint: String) {
        (self.code, self.reason, self.hint) = (code, reason, hint)
    }

    init(_ error: DiscoveryError) {
        code =
            switch error.code {
            case .invalidName, .invalidType, .invalidDomain, .invalidText: .badArgumentError
            case .collision: .collisionError
            case .timedOut: .timeoutError
            case .libraryMissing, .daemonMissing: .missingRequiredConfigurationError
            case .daemonLost, .refused: .unknownError
            }
        (reason, hint) = (error.reason, error.hint)
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }

    /// The dictionary that delegates get.
    var dictionary: [String: NSNumber] {
        [
            NetServiceErrorCode.codeKey: NSNumber(value: code.rawValue),
            NetServiceErrorCode.domainKey: NSNumber(value: Self.domain),
        ]
    }

    /// `kCFStreamErrorDomainNetServices` of Apple's headers.
    private static let domain = 10
}
