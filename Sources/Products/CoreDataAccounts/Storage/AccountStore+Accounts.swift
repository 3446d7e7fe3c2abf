import Foundation

extension AccountStore {
    /// All accounts, by identifier.
    ///
    /// - Throws: ``AccountError``: `unreadableStore`, `insecureFile`.
    public func accounts() throws -> [Account] {
        try read().entries.values.map(\.account).sorted { $0.identifier < $1.identifier }
    }

    /// The accounts that an app was granted.
    public func accounts(for app: String) throws -> [Account] { try accounts().filter { $0.apps.contains(app) } }

    /// An account.
    ///
    /// - Throws: ``AccountError``, `unknownAccount` if there is none.
    public func account(_ identifier: String) throws -> Account { try read().entry(identifier).account }

    /// Adds an account or replaces the one of its identifier, and grants it to apps besides those that had it.
    ///
    /// - Throws: ``AccountError``: `unwritableStore`, `unreadableStore`, `insecureFile`.
    public func add(_ account: Account, tokens: AccountTokens, apps: Set<String> = []) throws {
        try change { document in
            var account = account
            account.apps.formUnion(apps.union(document.entries[account.identifier]?.account.apps ?? []))
            account.needsAuthorization = false
            document.entries[account.identifier] = .init(account: account, tokens: tokens)
        }
    }

    /// Removes an account with its tokens, which ``AccountAuthorizer/revoke(_:)`` makes invalid before.
    public func remove(_ identifier: String) throws {
        try change { document in
            document.entries[identifier] = nil
            document.chosen = document.chosen.filter { $0.value != identifier }
        }
    }

    /// Allows an app to use an account.
    ///
    /// - Throws: ``AccountError``, `unknownAccount` if there is no such account.
    public func grant(_ identifier: String, to app: String) throws {
        try change { document in
            var entry = try document.entry(identifier)
            entry.account.apps.insert(app)
            document.entries[identifier] = entry
        }
    }

    /// Forbids an app to use an account.
    public func revokeGrant(of identifier: String, to app: String) throws {
        try change { document in
            var entry = try document.entry(identifier)
            entry.account.apps.remove(app)
            document.entries[identifier] = entry
            if document.chosen[app] == identifier { document.chosen[app] = nil }
        }
    }

    /// Remembers which of the granted accounts an app uses.
    ///
    /// - Throws: ``AccountError``, `notPermitted` if the app was not granted it.
    public func choose(_ identifier: String, for app: String) throws {
        try change { document in
            _ = try document.entry(identifier, for: app)
            document.chosen[app] = identifier
        }
    }

    /// The account that an app uses: the chosen one, or the only one that it was granted; nil if there are several to choose from,
    /// or none.
    public func chosenAccount(for app: String) throws -> Account? {
        let document = try read()
        if let identifier = document.chosen[app], let entry = try? document.entry(identifier, for: app) {
            return entry.account
        }
        let granted = document.entries.values.filter { $0.account.apps.contains(app) }
        return granted.count == 1 ? granted.first?.account : nil
    }

    /// The tokens of an account, for an app that was granted it.
    ///
    /// - Throws: ``AccountError``: `unknownAccount`, `notPermitted`, `authorizationNeeded` if there are none that can be used.
    public func tokens(of identifier: String, app: String) throws -> AccountTokens {
        let entry = try read().entry(identifier, for: app)
        guard let tokens = entry.tokens, !entry.account.needsAuthorization else {
            throw AccountError.authorizationNeeded(entry.account.identifier, entry.account.name)
        }
        return tokens
    }

    /// Replaces the tokens of an account, once its user has authorized it again.
    ///
    /// - Throws: ``AccountError``, `unknownAccount` if there is no such account.
    public func setTokens(_ tokens: AccountTokens, of identifier: String) throws {
        try change { document in
            var entry = try document.entry(identifier)
            entry.tokens = tokens
            entry.account.needsAuthorization = false
            document.entries[identifier] = entry
        }
    }

    /// Stores what came of a refresh, unless the tokens were replaced since it began; returns those that count.
    func replaceTokens(_ old: AccountTokens, with new: AccountTokens, of identifier: String) throws -> AccountTokens {
        try change { document in
            var entry = try document.entry(identifier)
            guard let present = entry.tokens, !present.haveSameSecrets(as: old) else {
                entry.tokens = new
                entry.account.needsAuthorization = false
                document.entries[identifier] = entry
                return new
            }
            return present
        }
    }

    /// Notes that the tokens are of no use, unless they were replaced since; whether it did.
    func markUnauthorized(_ identifier: String, with tokens: AccountTokens) throws -> Bool {
        try change { document in
            var entry = try document.entry(identifier)
            guard entry.tokens?.haveSameSecrets(as: tokens) == true else { return false }
            entry.account.needsAuthorization = true
            document.entries[identifier] = entry
            return true
        }
    }
}

extension AccountDocument {
    func entry(_ identifier: String) throws -> Entry {
        guard let entry = entries[identifier] else {
            throw AccountError(.unknownAccount(identifier), "there is no account \(identifier)")
        }
        return entry
    }

    /// An account that an app may use. That there is none of the identifier is not said to an app without a right to it.
    func entry(_ identifier: String, for app: String) throws -> Entry {
        guard let entry = entries[identifier], entry.account.apps.contains(app) else {
            throw AccountError(
                .notPermitted(app: app, account: identifier), "\(app) was not granted the account \(identifier)")
        }
        return entry
    }
}

extension AccountError {
    static func authorizationNeeded(_ identifier: String, _ name: String) -> AccountError {
        AccountError(
            .authorizationNeeded(account: identifier), "the account \(name) must be authorized by its user again")
    }
}
