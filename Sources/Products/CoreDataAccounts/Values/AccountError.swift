import Foundation

/// Why an account cannot be used, authorized or kept. No text of it has a token, a code or a secret.
public struct AccountError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// The account must be authorized by its user again: its tokens expired or were revoked. Work for it waits until then.
        case authorizationNeeded(account: String)
        /// The provider does not answer, or not now; the tokens are kept. The seconds are those that it asks to wait, if it does.
        case providerUnavailable(retryAfter: TimeInterval?)
        /// The provider refuses with an error of OAuth, such as `invalid_client`; the tokens are kept.
        case refused(String)
        /// What the provider answers is not valid, or not for this request.
        case invalidAnswer
        /// The provider's description is not valid: an endpoint is missing, or is not of `https`.
        case invalidProvider
        /// The user, or the provider for the user, said no.
        case accessDenied
        /// Nothing came before the code or the wait expired.
        case expired
        /// What the user pasted has no code, or one of another attempt.
        case invalidCode
        /// No port is free for the redirect, or too many wrong requests came to it.
        case noRedirect
        /// The app was not granted the account.
        case notPermitted(app: String, account: String)
        /// There is no account of that identifier.
        case unknownAccount(String)
        /// The request's URL is of an origin that the provider does not name, to which no token is sent.
        case originNotAllowed
        /// The body of the request is a stream, which cannot be sent once more after the token was refreshed.
        case bodyNotRepeatable
        /// The file or folder of the tokens may be read or changed by others.
        case insecureFile
        /// The file of the tokens cannot be read: the system's reason is in the text, or it is not in the expected form.
        case unreadableStore
        /// The file of the tokens cannot be written, or is one that is only read.
        case unwritableStore
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence for people.
    public let reason: String

    init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    public var description: String { reason }
    public var errorDescription: String? { reason }
}
