import Foundation

/// Refreshes the tokens of an account: one at a time in all processes, stored before they are used.
struct TokenRefresher: Sendable {
    let account: String
    let store: AccountStore
    let clock: AccountClock
    let endpoint: TokenEndpoint

    /// The tokens, refreshed if they expire soon. While the provider cannot be reached those that are valid still are used.
    func usableTokens(_ tokens: AccountTokens) async throws -> AccountTokens {
        let now = clock.now()
        guard tokens.mustBeRefreshed(at: now) else { return tokens }
        let isValid = !tokens.isExpired(at: now)
        if isValid, tokens.refresh == nil { return tokens }
        do {
            return try await self.tokens(replacing: tokens)
        } catch let error as AccountError {
            guard case .providerUnavailable = error.code, isValid else { throw error }
            return tokens
        }
    }

    /// Other tokens than those that do not work.
    ///
    /// - Throws: ``AccountError``: `authorizationNeeded`, `providerUnavailable`, `refused`, `unwritableStore`.
    func tokens(replacing failed: AccountTokens) async throws -> AccountTokens {
        // Who joins a refresh that began before may be given the tokens that do not work.
        for _ in 0..<3 {
            let tokens = try await store.refreshes.run(account) { try await refresh(failed) }
            try Task.checkCancellation()
            if tokens.access != failed.access { return tokens }
        }
        throw AccountError(
            .invalidAnswer, "\(endpoint.provider.name) gives the same token again, which does not work")
    }

    /// Runs alone in this process; then alone among processes.
    private func refresh(_ failed: AccountTokens) async throws -> AccountTokens {
        let lock = try await store.lockRefreshes(of: account)
        let result: AccountTokens
        do { result = try await refreshLocked(failed) } catch {
            withExtendedLifetime(lock) {}
            throw error
        }
        withExtendedLifetime(lock) {}
        return result
    }

    private func refreshLocked(_ failed: AccountTokens) async throws -> AccountTokens {
        try await storeKept()
        let entry = try store.read().entry(account)
        guard let present = entry.tokens, !entry.account.needsAuthorization else {
            throw AccountError.authorizationNeeded(account, entry.account.name)
        }
        let isOther = present.access != failed.access
        if isOther, !present.mustBeRefreshed(at: clock.now()) { return present }
        guard let secret = present.refresh else { return try markUnauthorized(entry, present) }
        try await store.refreshes.checkPause(of: account, now: clock.now())
        let new: AccountTokens
        do {
            new = try await endpoint.refresh(present, with: secret)
        } catch let error as AccountError {
            switch error.code {
            case .refused("invalid_grant"): return try markUnauthorized(entry, present)
            case .providerUnavailable(let seconds?):
                await store.refreshes.pause(account, until: clock.now().addingTimeInterval(seconds), error)
            default: break
            }
            throw error
        }
        do {
            return try store.replaceTokens(present, with: new, of: account)
        } catch {
            // The provider may have made the old ones invalid: the next refresh stores these first.
            await store.refreshes.keep(new, replacing: present, of: account)
            throw error
        }
    }

    /// Stores what an earlier refresh could not.
    private func storeKept() async throws {
        guard let kept = await store.refreshes.kept(of: account) else { return }
        _ = try store.replaceTokens(kept.old, with: kept.new, of: account)
        await store.refreshes.forget(account)
    }

    /// Notes that the account needs its user, unless its tokens have been replaced since: then these.
    private func markUnauthorized(_ entry: AccountDocument.Entry, _ tokens: AccountTokens) throws -> AccountTokens {
        guard try !store.markUnauthorized(account, with: tokens), let present = try store.read().entry(account).tokens
        else { throw AccountError.authorizationNeeded(account, entry.account.name) }
        return present
    }
}
