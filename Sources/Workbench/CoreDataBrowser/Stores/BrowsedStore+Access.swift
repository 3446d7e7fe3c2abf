import CoreData

/// The permissions that operations on a complete store require.
extension BrowsedStore {
    /// - Parameter what: The beginning of the error's sentence: what would show everything, such as "an export writes".
    /// - Throws: `BrowserFailure` 403 for a user who may not read everything.
    func requireReadingAll(for access: BrowserAccess, _ what: String, hint: String) throws {
        guard HiddenParts(of: opened.wholeModel, from: access) == nil else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "\(what) all that the store has, and you may not read all of it",
                hint: hint)
        }
    }

    /// - Parameter what: The beginning of the error's sentence: what would change everything, such as "an import
    ///   changes".
    /// - Throws: `BrowserFailure` 403 for a user who may not change everything.
    func requireChangingAll(for access: BrowserAccess, _ what: String) throws {
        let actions: [BrowserRules.Action] = [.insert, .update, .delete]
        guard opened.entities.allSatisfy({ entity in actions.allSatisfy { access.may($0, entity: entity) } }) else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "\(what) objects of all entities, and you may not change all of them",
                hint: "ask who runs the browser")
        }
    }

    /// The store's file.
    ///
    /// - Parameter consequence: The end of the error's sentence: what follows if the store is not a file.
    /// - Throws: `BrowserFailure` 422 for a store that is not a file.
    func storeFile(_ consequence: String) throws -> URL {
        guard let url = opened.store.url, url.isFileURL, FileIdentity(url.path) != nil, !url.path.hasPrefix("/dev/")
        else { throw BrowserFailure(422, code: "noFile", reason: "the store is not a file, so \(consequence)") }
        return url
    }

    /// - Throws: `BrowserFailure` 409 for a store that is open for reading only.
    func requireWriting() throws {
        guard opened.isWriting else {
            throw BrowserFailure(
                409, code: "readOnly", reason: "the store is open for reading only",
                hint: "switch writing on: POST /stores/\(id)/writing {\"on\": true}")
        }
    }

    /// Runs long work on a thread of its own; when the task is cancelled, `cancellation` stops the work's reading of
    /// stores.
    ///
    /// Tasks and global queues have few threads, which must stay free: time limits need one of them.
    static func onOwnThread<Result: Sendable>(
        _ cancellation: ReadCancellation = ReadCancellation(), _ work: @Sendable @escaping () throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Swift.Result { try ReadCancellation.$current.withValue(cancellation) { try work() } })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
