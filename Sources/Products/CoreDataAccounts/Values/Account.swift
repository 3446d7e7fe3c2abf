import Foundation

/// The tokens of an account.
public struct AccountTokens: Sendable, Equatable {
    /// What signs requests.
    public var access: Secret
    /// What gets new tokens; nil if the provider gives none.
    public var refresh: Secret?
    /// When the access token expires; nil if that is not known.
    public var expiry: Date?
    /// When the access token was received; nil if that is not known.
    public var receipt: Date?
    /// The scopes that were granted; empty if the provider does not say.
    public var scopes: [String]

    /// Makes tokens.
    public init(
        access: Secret, refresh: Secret? = nil, expiry: Date? = nil, receipt: Date? = nil, scopes: [String] = []
    ) {
        (self.access, self.refresh, self.expiry, self.scopes) = (access, refresh, expiry, scopes)
        self.receipt = receipt
    }

    /// Whether access and refresh token are the same; dates may have been rounded.
    func haveSameSecrets(as other: AccountTokens) -> Bool { access == other.access && refresh == other.refresh }

    /// Whether the access token has expired.
    func isExpired(at now: Date) -> Bool { expiry.map { $0 <= now } ?? false }

    /// Whether it is time for another access token: a minute before the end, since clocks differ and a request takes its time; for
    /// one that lives less than four minutes in the last quarter.
    func mustBeRefreshed(at now: Date) -> Bool {
        guard let expiry else { return false }
        let early = receipt.map { min(60, max(0, expiry.timeIntervalSince($0) / 4)) } ?? 60
        return expiry.timeIntervalSince(now) <= early
    }
}

/// An account with a provider: who it is, what it is called, and which apps may use it. Its tokens are asked for by
/// ``AccountStore/tokens(of:app:)``.
public struct Account: Sendable, Equatable {
    /// What names the account among all of a store, for good.
    public let identifier: String
    /// What people call it, such as an address.
    public var name: String
    /// The name of its provider, as ``AccountProvider/name``.
    public let provider: String
    /// The identifiers of the apps that may use it.
    public internal(set) var apps: Set<String>
    /// Whether its user must authorize it again before it can be used.
    public internal(set) var needsAuthorization: Bool

    /// Makes an account, without tokens, that no app may use yet.
    public init(identifier: String = UUID().uuidString, name: String, provider: String) {
        (self.identifier, self.name, self.provider) = (identifier, name, provider)
        (apps, needsAuthorization) = ([], true)
    }
}
