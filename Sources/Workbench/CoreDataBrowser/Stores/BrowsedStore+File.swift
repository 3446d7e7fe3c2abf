import CoreData

/// Detects that a store's file was deleted, replaced or damaged, and opens it again.
extension BrowsedStore {
    /// What happened to the file, according to its path, or why it could not be opened again; nil without a problem.
    package var fileFailure: BrowserFailure? {
        closingFailure ?? opened.fileProblem.map { failure($0) }
    }

    /// - Throws: `BrowserFailure` where the file was deleted or replaced, or could not be opened again.
    package func requireFile() throws {
        if let fileFailure { throw fileFailure }
    }

    /// Runs `body`, which uses the file. If `body` fails because the file was deleted, replaced or damaged, the error
    /// says so.
    package func namingFileProblem<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as CancellationError {
            throw error
        } catch {
            if let fileFailure { throw fileFailure }
            guard let problem = FileProblem(error) else { throw error }
            throw failure(problem, cause: ErrorText.line(for: error))
        }
    }

    /// Closes the file and opens the file that is at its path now; what tabs had staged in it must be staged again.
    ///
    /// - Throws: `BrowserFailure` if the file does not exist, which changes nothing, or if it cannot be opened: then
    ///   the store stays closed. `InspectionError` for a store of the program that mounts the browser.
    package func reopen(after work: () throws -> Void = {}) throws {
        guard let file else {
            throw InspectionError(
                .readOnly, subject: name, cause: "the program that shows the store has to open it again")
        }
        guard !file.isFileURL || FileIdentity(file.path) != nil else { throw failure(.deleted) }
        // All connections of a process share SQLite's state of a file, so the old ones are closed first.
        let reason = { [self] (error: any Error) in
            failure(.damaged, cause: (error as? InspectionError)?.cause ?? ErrorText.line(for: error))
        }
        try replaceOpened(file, reason, after: work)
    }

    private func failure(_ problem: FileProblem, cause: String? = nil) -> BrowserFailure {
        problem.failure(opened.store.url?.place ?? name, store: id, cause: cause, reopens: file != nil)
    }
}
