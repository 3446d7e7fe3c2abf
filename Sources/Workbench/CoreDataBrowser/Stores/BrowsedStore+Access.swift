import CoreData

/// What has to be allowed before something is done to a whole store.
extension BrowsedStore {
    /// - Parameter what: what shows everything, as the beginning of a sentence.
    /// - Throws: `BrowserFailure` 403 for who may not read everything.
    func requireReadingAll(for access: BrowserAccess, _ what: String, hint: String) throws {
        guard HiddenParts(of: opened.wholeModel, from: access) == nil else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "\(what) all that the store has, and you may not read all of it",
                hint: hint)
        }
    }

    /// - Parameter what: what changes everything, as the beginning of a sentence.
    /// - Throws: `BrowserFailure` 403 for who may not change everything.
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
    /// - Parameter consequence: what follows where there is none, as the end of a sentence.
    /// - Throws: `BrowserFailure` 422 for a store that is not a file.
    func storeFile(_ consequence: String) throws -> URL {
        guard let url = opened.store.url, url.isFileURL, FileIdentity(url.path) != nil, !url.path.hasPrefix("/dev/")
        else { throw BrowserFailure(422, code: "noFile", reason: "the store is not a file, so \(consequence)") }
        return url
    }

    /// - Throws: `BrowserFailure` 409 where the store is only read.
    func requireWriting() throws {
        guard opened.isWriting else {
            throw BrowserFailure(
                409, code: "readOnly", reason: "the store is open for reading only",
                hint: "switch writing on: POST /stores/\(id)/writing {\"on\": true}")
        }
    }

    /// Runs what may take minutes on a thread of its own; `cancellation` ends what it reads when the task is cancelled.
    ///
    /// The threads of tasks and of the global queues are few, and limits of time need one of them.
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
