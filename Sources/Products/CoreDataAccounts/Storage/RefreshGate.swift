import Foundation

/// Lets one refresh of an account's tokens run at a time, of which all who wait get the result.
actor RefreshGate {
    private var running: [String: Task<AccountTokens, any Error>] = [:]
    /// Until when a provider asked not to be asked again, by accounts.
    private var pauses: [String: (end: Date, reason: String)] = [:]
    /// What was refreshed and could not be stored, with what it replaces.
    private var unsaved: [String: (old: AccountTokens, new: AccountTokens)] = [:]

    /// Runs a refresh, or waits for the one that runs.
    ///
    /// It is a task of its own: a caller that is cancelled must not end it, since the provider may have replaced the refresh token
    /// already.
    func run(
        _ account: String, _ work: @escaping @Sendable () async throws -> AccountTokens
    ) async throws -> AccountTokens {
        if let present = running[account] { return try await present.value }
        let task = Task.detached {
            let result: Result<AccountTokens, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            // Who comes from here on begins another one.
            await self.end(account)
            return try result.get()
        }
        running[account] = task
        return try await task.value
    }

    private func end(_ account: String) { running[account] = nil }

    /// Throws ``AccountError`` with `providerUnavailable` while the provider wants to be left alone.
    func checkPause(of account: String, now: Date) throws {
        guard let pause = pauses[account] else { return }
        guard pause.end <= now else {
            throw AccountError(.providerUnavailable(retryAfter: pause.end.timeIntervalSince(now)), pause.reason)
        }
        pauses[account] = nil
    }

    func pause(_ account: String, until end: Date, _ error: AccountError) { pauses[account] = (end, error.reason) }

    func keep(_ new: AccountTokens, replacing old: AccountTokens, of account: String) { unsaved[account] = (old, new) }

    func kept(of account: String) -> (old: AccountTokens, new: AccountTokens)? { unsaved[account] }

    func forget(_ account: String) { unsaved[account] = nil }
}
