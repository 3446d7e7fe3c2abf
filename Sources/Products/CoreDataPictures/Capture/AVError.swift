import Foundation

/// An error of capture, with Apple's codes.
public struct AVError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// Apple's codes.
    public enum Code: Int, Sendable, Hashable {
        /// Another reason.
        case unknown = -11800
        /// The session does not run.
        case sessionNotRunning = -11803
        /// The device is not connected any more.
        case deviceNotConnected = -11814
        /// Another program changes the device's settings.
        case deviceLockedForConfigurationByAnotherProcess = -11817
        /// The person does not allow the device.
        case applicationIsNotAuthorizedToUseDevice = -11852
        /// A light cannot be set to a level.
        case torchLevelUnavailable = -11846
        /// The device cannot do what is asked.
        case operationNotSupportedForAsset = -11838
    }

    /// Apple's code.
    public let code: Code
    /// What happened, in a sentence.
    public let reason: String
    /// What to do about it.
    public let hint: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String, hint: String) {
        (self.code, self.reason, self.hint) = (code, reason, hint)
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}
