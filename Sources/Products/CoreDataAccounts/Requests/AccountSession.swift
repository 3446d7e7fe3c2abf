import CoreDataTransfer
import Foundation
import FoundationNetworking

/// Sends requests that are signed with an account's token: the header field `Authorization: Bearer` (RFC 6750).
///
///     let session = try AccountSession(account: "work", app: "reader", provider: provider, store: store)
///     let (data, response) = try await session.data(for: URLRequest(url: url))
///
/// A request to an origin that the provider does not name is refused before it is sent, and a redirect to another origin goes
/// without the token. The token is refreshed shortly before it expires, and once after a 401, after which the request is sent once
/// more; requests at the same time share one refresh, in all processes that use the store's folder.
///
/// May be used from any thread. Sessions of one account should share their ``AccountStore``.
public final class AccountSession: Sendable {
    /// The identifier of the account.
    public let account: String
    /// The app that uses it.
    public let app: String
    private let provider: AccountProvider
    private let store: AccountStore
    private let session: TransferSession
    private let refresher: TokenRefresher

    /// Makes a session for an account that the app was granted.
    ///
    /// - Parameters:
    ///   - configuration: the settings of transfers. No cookies are kept: they would be of one account and sent with another's
    ///     requests.
    ///   - clock: by which tokens expire.
    /// - Throws: ``AccountError``: `notPermitted`, `invalidProvider` also if the account is of another provider, and what the
    ///   store throws.
    public init(
        account: String, app: String, provider: AccountProvider, store: AccountStore,
        configuration: TransferConfiguration = TransferConfiguration(), clock: AccountClock = .system
    ) throws {
        try provider.validate()
        let stored = try store.read().entry(account, for: app).account
        guard stored.provider == provider.name else {
            throw AccountError(
                .invalidProvider, "the account \(stored.name) is of \(stored.provider), not of \(provider.name)")
        }
        (self.account, self.app, self.provider, self.store) = (account, app, provider, store)
        var settings = configuration
        settings.keepsCookies = false
        session = TransferSession(configuration: settings)
        refresher = TokenRefresher(
            account: account, store: store, clock: clock,
            endpoint: TokenEndpoint(provider, session: ProviderAnswer.session(configuration), clock: clock))
    }

    /// Sends a request and returns the body of its response.
    ///
    /// A 401 is never a result, whatever the options accept; their credential is not used.
    ///
    /// - Throws: ``AccountError``: `authorizationNeeded`, `providerUnavailable`, `originNotAllowed`, `notPermitted`,
    ///   `bodyNotRepeatable`, `unwritableStore` and what else the store and the refresh throw; `TransferError`;
    ///   `CancellationError`.
    public func data(
        for request: URLRequest, options: TransferOptions = TransferOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        try await send(request, options) { [session] in try await session.data(for: $0, options: $1) }
    }

    /// Sends a file as the body of a request; see ``data(for:options:)`` and `TransferSession.upload`.
    public func upload(
        for request: URLRequest, fromFile file: URL, options: TransferOptions = TransferOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        try await send(request, options) { [session] in
            try await session.upload(for: $0, fromFile: file, options: $1)
        }
    }

    /// Sends a request and returns its response with the body in chunks; see ``data(for:options:)`` and `TransferSession.chunks`.
    public func chunks(
        for request: URLRequest, options: TransferOptions = TransferOptions()
    ) async throws -> (TransferChunks, HTTPURLResponse) {
        try await send(request, options) { [session] in try await session.chunks(for: $0, options: $1) }
    }

    /// Downloads to a file; see ``data(for:options:)`` and `TransferSession.download`. Of
    /// statuses those from 401 on are not accepted.
    @discardableResult
    public func download(
        for request: URLRequest, to file: URL, options: TransferOptions = TransferOptions()
    ) async throws -> HTTPURLResponse {
        // The body of a 401 would replace the file.
        var options = options
        let accepted = options.accepts.statuses
        if accepted.contains(401) { options.accepts.statuses = min(accepted.lowerBound, 400)...400 }
        return try await send(request, options) { [session] in
            ((), try await session.download(for: $0, to: file, options: $1))
        }.1
    }

    private func send<Value>(
        _ request: URLRequest, _ options: TransferOptions,
        _ body: (URLRequest, TransferOptions) async throws -> (Value, HTTPURLResponse)
    ) async throws -> (Value, HTTPURLResponse) {
        guard provider.allows(request.url) else {
            let place = request.url.flatMap { Origin(secure: $0)?.description } ?? "that URL"
            throw AccountError(
                .originNotAllowed, "\(provider.name) does not name \(place) as a place that its tokens may go to")
        }
        var options = options
        options.credential = nil
        let tokens = try await refresher.usableTokens(try store.tokens(of: account, app: app))
        if let result = try await accepted(request, tokens, options, body) { return result }
        let renewed = try await refresher.tokens(replacing: tokens)
        guard request.httpBodyStream == nil else {
            throw AccountError(
                .bodyNotRepeatable, "the token was refreshed; the body is a stream and cannot be sent once more")
        }
        if let result = try await accepted(request, renewed, options, body) { return result }
        throw try AccountError.authorizationNeeded(account, store.account(account).name)
    }

    /// The result of a request with a token; nil if the token is refused.
    private func accepted<Value>(
        _ request: URLRequest, _ tokens: AccountTokens, _ options: TransferOptions,
        _ body: (URLRequest, TransferOptions) async throws -> (Value, HTTPURLResponse)
    ) async throws -> (Value, HTTPURLResponse)? {
        var signed = request
        signed.setValue("Bearer \(tokens.access.reveal())", forHTTPHeaderField: "Authorization")
        // Where a redirect led to another origin, its 401 is not about the token, which was not sent there.
        func isOfOrigin(_ url: URL?) -> Bool {
            url.flatMap { Origin(secure: $0) } == request.url.flatMap { Origin(secure: $0) }
        }
        do {
            let result = try await body(signed, options)
            return result.1.statusCode == 401 && isOfOrigin(result.1.url) ? nil : result
        } catch let error as TransferError where error.code == .status(401) && isOfOrigin(error.url) {
            return nil
        }
    }
}
