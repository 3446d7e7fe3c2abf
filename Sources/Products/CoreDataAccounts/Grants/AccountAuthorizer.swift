import CoreDataTransfer
import Foundation
import FoundationNetworking

/// Gets tokens for an account: by a browser on this machine, by a code that the user pastes, or by a code for another device.
///
///     let authorizer = AccountAuthorizer(provider)
///     let tokens = try await authorizer.authorize { url in print("Open \(url)") }
///     try store.add(Account(name: "me@example.com", provider: provider.name), tokens: tokens, apps: ["reader"])
///
/// May be used from any thread.
public final class AccountAuthorizer: Sendable {
    /// The provider.
    public let provider: AccountProvider
    private let endpoint: TokenEndpoint
    private let clock: AccountClock

    /// Makes an authorizer.
    ///
    /// - Parameters:
    ///   - configuration: the settings of transfers, which are without redirects and cookies.
    ///   - clock: by which codes and tokens expire.
    public init(
        _ provider: AccountProvider, configuration: TransferConfiguration = TransferConfiguration(),
        clock: AccountClock = .system
    ) {
        (self.provider, self.clock) = (provider, clock)
        endpoint = TokenEndpoint(provider, session: ProviderAnswer.session(configuration), clock: clock)
    }

    // MARK: A browser

    /// Authorizes by a browser on this machine, which the provider sends back to a port of `127.0.0.1` (RFC 8252).
    ///
    /// The port is listened on until the browser comes with the state of this attempt; other requests are refused.
    ///
    /// - Parameters:
    ///   - limit: how long the user has.
    ///   - open: shows the address to the user, or opens it.
    /// - Throws: ``AccountError``: `accessDenied`, `expired`, `noRedirect`, `refused`, `invalidCode`, `providerUnavailable`,
    ///   `invalidProvider`, `invalidAnswer`; what `open` throws; `CancellationError`.
    public func authorize(
        within limit: Duration = .seconds(300), opening open: (URL) async throws -> Void
    ) async throws -> AccountTokens {
        let receiver = try RedirectReceiver(path: provider.redirectPath)
        defer { receiver.stop() }
        let attempt = try AuthorizationAttempt(provider, redirect: receiver.redirect)
        receiver.start(within: limit) { attempt.isAnswered(by: $0) }
        try await open(attempt.url)
        let query = try await receiver.query()
        return try await exchange(attempt.code(inQuery: query), attempt)
    }

    // MARK: A code that the user pastes

    /// Begins an authorization whose code the user pastes.
    ///
    /// - Parameter redirect: as it is registered; the default lets the provider show the code.
    /// - Throws: ``AccountError`` with `invalidProvider`.
    public func begin(redirect: String = AuthorizationAttempt.outOfBand) throws -> AuthorizationAttempt {
        try AuthorizationAttempt(provider, redirect: redirect)
    }

    /// Ends an authorization with what the user pasted: the code, or the address to which the browser was sent.
    ///
    /// - Throws: ``AccountError``: `invalidCode`, and as ``authorize(within:opening:)``.
    public func finish(_ attempt: AuthorizationAttempt, pasted text: String) async throws -> AccountTokens {
        try await exchange(attempt.code(inPasted: text), attempt)
    }

    private func exchange(_ code: Secret, _ attempt: AuthorizationAttempt) async throws -> AccountTokens {
        let form = [
            ("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", attempt.redirect),
            ("code_verifier", attempt.verifier.reveal()),
        ]
        let answer = try await endpoint.post(form, to: provider.tokenEndpoint)
        if answer.error == "invalid_grant" {
            throw AccountError(.invalidCode, "the code is not valid, was used already or expired; authorize once more")
        }
        return try endpoint.tokens(answer)
    }

    // MARK: Another device

    /// Asks for a code that the user enters on another device.
    ///
    /// - Throws: ``AccountError``: `invalidProvider` if there is no such endpoint, `refused`, `invalidAnswer`,
    ///   `providerUnavailable`; `CancellationError`.
    public func deviceAuthorization() async throws -> DeviceAuthorization {
        guard let url = provider.deviceEndpoint else {
            throw AccountError(.invalidProvider, "the provider \(provider.name) has no codes for other devices")
        }
        let form = provider.scopes.isEmpty ? [] : [("scope", provider.scopes.joined(separator: " "))]
        let answer = try await endpoint.post(form, to: url)
        return try DeviceAuthorization(answer, host: url.host ?? "", now: clock.now())
    }

    /// Asks for the tokens until the user has agreed, as often as the provider allows: 5 seconds are added to the pause when it
    /// says `slow_down`, and the pause is doubled when it cannot be reached (RFC 8628, 3.5).
    ///
    /// - Throws: ``AccountError``: `accessDenied`, `expired`, `refused`, `invalidAnswer`; `CancellationError`.
    public func tokens(for device: DeviceAuthorization) async throws -> AccountTokens {
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.deviceCode.reveal()),
        ]
        var interval = device.interval
        while true {
            try await clock.sleep(.seconds(interval))
            guard clock.now() < device.expiry else { throw Self.expired }
            let answer: ProviderAnswer
            do {
                answer = try await endpoint.post(form, to: provider.tokenEndpoint)
            } catch let error as AccountError {
                guard case .providerUnavailable(let seconds) = error.code else { throw error }
                interval = min(3_600, max(interval * 2, seconds ?? 0))
                continue
            }
            switch answer.error {
            case "authorization_pending": continue
            case "slow_down": interval = min(3_600, interval + 5)
            case "expired_token": throw Self.expired
            case "access_denied":
                throw AccountError(.accessDenied, "the account was not allowed to this program")
            default: return try endpoint.tokens(answer)
            }
        }
    }

    private static let expired = AccountError(.expired, "the code expired before it was entered; ask for another one")

    // MARK: Revoking

    /// Makes tokens invalid (RFC 7009): the refresh token, with which providers revoke what was made of it, and the access token.
    ///
    /// - Throws: ``AccountError``: `invalidProvider` if there is no such endpoint, `providerUnavailable`, `refused`.
    public func revoke(_ tokens: AccountTokens) async throws {
        guard let url = provider.revocationEndpoint else {
            throw AccountError(.invalidProvider, "the provider \(provider.name) cannot revoke tokens")
        }
        var all = [(tokens.access, "access_token")]
        if let refresh = tokens.refresh { all.insert((refresh, "refresh_token"), at: 0) }
        for (token, kind) in all {
            let form = [("token", token.reveal()), ("token_type_hint", kind)]
            let answer = try await endpoint.post(form, to: url, needsObject: false)
            if let code = answer.error {
                throw AccountError(.refused(code), "\(url.host ?? "") does not revoke the token: \(code)")
            }
        }
    }
}
