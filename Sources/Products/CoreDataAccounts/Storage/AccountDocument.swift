import Foundation

/// The content of the file of accounts: JSON, of version 1.
///
///     {"version": 1, "chosen": {"APP": "IDENTIFIER"}, "accounts": [{"identifier": "…", "name": "…", "provider": "…",
///      "apps": ["APP"], "needsAuthorization": false,
///      "tokens": {"access": "…", "refresh": "…", "receipt": 1799996400, "expiry": 1800000000,
///      "scopes": ["…"]}}]}
///
/// `receipt` and `expiry` are in seconds since 1970; what may be missing is `chosen`, `apps`, `needsAuthorization`, and of
/// tokens all but `access`.
struct AccountDocument: Sendable {
    struct Entry: Sendable {
        var account: Account
        var tokens: AccountTokens?
    }

    var entries: [String: Entry] = [:]
    /// The accounts that apps use, by the apps.
    var chosen: [String: String] = [:]

    init() {}

    /// Reads a file.
    ///
    /// - Throws: ``AccountError`` with `unreadableStore`; its text has nothing of the content.
    init(_ data: Data, path: String) throws {
        guard let form = try? JSONDecoder().decode(Form.self, from: data) else {
            throw AccountError(.unreadableStore, "\(path) is not in the form of a file of accounts")
        }
        guard form.version == 1 else {
            throw AccountError(
                .unreadableStore, "\(path) has version \(form.version) of the form, of which this program knows 1")
        }
        for stored in form.accounts {
            var account = Account(identifier: stored.identifier, name: stored.name, provider: stored.provider)
            account.apps = Set(stored.apps ?? [])
            account.needsAuthorization = stored.needsAuthorization ?? (stored.tokens == nil)
            let entry = Entry(account: account, tokens: stored.tokens.map(AccountTokens.init))
            guard entries.updateValue(entry, forKey: stored.identifier) == nil else {
                throw AccountError(.unreadableStore, "\(path) has the account \(stored.identifier) twice")
            }
        }
        chosen = form.chosen ?? [:]
    }

    /// The file's bytes, in an order that does not change.
    func data() throws -> Data {
        let accounts = entries.values.map { entry in
            StoredAccount(
                identifier: entry.account.identifier, name: entry.account.name, provider: entry.account.provider,
                apps: entry.account.apps.sorted(), needsAuthorization: entry.account.needsAuthorization,
                tokens: entry.tokens.map(StoredTokens.init))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return try encoder.encode(
            Form(version: 1, chosen: chosen, accounts: accounts.sorted { $0.identifier < $1.identifier }))
    }
}

private struct Form: Codable {
    var version: Int
    var chosen: [String: String]?
    var accounts: [StoredAccount]
}

private struct StoredAccount: Codable {
    var identifier: String
    var name: String
    var provider: String
    var apps: [String]?
    var needsAuthorization: Bool?
    var tokens: StoredTokens?
}

private struct StoredTokens: Codable {
    var access: String
    var refresh: String?
    var receipt: Double?
    var expiry: Double?
    var scopes: [String]?

    init(_ tokens: AccountTokens) {
        access = tokens.access.reveal()
        refresh = tokens.refresh?.reveal()
        receipt = tokens.receipt?.timeIntervalSince1970.rounded()
        expiry = tokens.expiry?.timeIntervalSince1970.rounded(.down)
        scopes = tokens.scopes
    }
}

extension AccountTokens {
    fileprivate init(_ stored: StoredTokens) {
        self.init(
            access: Secret(stored.access), refresh: stored.refresh.map { Secret($0) },
            expiry: stored.expiry.map { Date(timeIntervalSince1970: $0) },
            receipt: stored.receipt.map { Date(timeIntervalSince1970: $0) }, scopes: stored.scopes ?? [])
    }
}
