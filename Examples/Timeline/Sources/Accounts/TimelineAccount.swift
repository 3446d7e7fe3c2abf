import CoreDataAccounts
import Foundation

/// The account whose timeline is shown: the one that was chosen before, else one that is authorized in a browser.
struct TimelineAccount: Sendable {
    /// The name by which accounts are granted to this program.
    static let app = "timeline"

    let provider: AccountProvider
    let store: AccountStore
    /// Shows an address of the provider to the user, or opens it.
    let open: @Sendable (URL) async throws -> Void

    /// A session that signs requests; asks the user where there is no account.
    ///
    /// - Throws: `AccountError`; what `open` throws; `CancellationError`.
    func session() async throws -> AccountSession {
        guard let account = try store.chosenAccount(for: Self.app), !account.needsAuthorization else {
            return try await authorize()
        }
        return try session(of: account.identifier)
    }

    /// A session with new tokens, which the user agrees to.
    ///
    /// - Throws: as `session()`.
    func authorize() async throws -> AccountSession {
        let tokens = try await AccountAuthorizer(provider).authorize(opening: open)
        if let known = try store.chosenAccount(for: Self.app) {
            try store.setTokens(tokens, of: known.identifier)
            return try session(of: known.identifier)
        }
        let account = Account(name: provider.name, provider: provider.name)
        try store.add(account, tokens: tokens, apps: [Self.app])
        try store.choose(account.identifier, for: Self.app)
        return try session(of: account.identifier)
    }

    private func session(of identifier: String) throws -> AccountSession {
        try AccountSession(account: identifier, app: Self.app, provider: provider, store: store)
    }
}
