import Foundation
import PeerKit

/// The domain of errors of sessions.
public let MCErrorDomain = "MCErrorDomain"

/// Why something with peers failed, with Apple's codes.
public struct MCError: Error, Sendable, CustomNSError, LocalizedError, Equatable {
    /// The kinds of failures.
    public enum Code: Int, Sendable {
        /// Something failed on this machine, or for a reason that has no code.
        case unknown = 0
        /// The peer is not connected.
        case notConnected = 1
        /// A parameter has a value that is not allowed.
        case invalidParameter = 2
        /// What is asked for is not supported.
        case unsupported = 3
        /// No answer came in time.
        case timedOut = 4
        /// One side has withdrawn.
        case cancelled = 5
        /// The peer cannot be reached, or a limit is reached.
        case unavailable = 6
    }

    public static var errorDomain: String { MCErrorDomain }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence for people.
    public let reason: String
    /// What to do about it; may be empty.
    public let hint: String

    /// Makes an error, as the library's own are made.
    public init(_ code: Code, _ reason: String, hint: String = "") {
        (self.code, self.reason, self.hint) = (code, reason, hint)
    }

    public var errorCode: Int { code.rawValue }
    public var errorDescription: String? { reason }
    public var recoverySuggestion: String? { hint.isEmpty ? nil : hint }
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
        if !hint.isEmpty { info[NSLocalizedRecoverySuggestionErrorKey] = hint }
        return info
    }

    init(_ failure: PeerFailure) {
        let code: Code =
            switch failure.code {
            case .timedOut: .timedOut
            case .cancelled, .declined: .cancelled
            case .lost, .left, .unknown: .notConnected
            case .identity, .invalid: .invalidParameter
            case .version, .encryption: .unsupported
            case .limit, .unreachable: .unavailable
            case .system: .unknown
            }
        self.init(code, failure.reason, hint: failure.hint)
    }

    /// Runs a block of the transport, whose failures become errors of this type.
    static func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as PeerFailure { throw MCError(failure) }
    }
}
