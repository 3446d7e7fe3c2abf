import CoreData

/// What becomes of a store's file while it is open.
extension BrowsedStore {
    /// What happened to the file, as far as its place tells, or why it could not be opened again; nil while all is well.
    package var fileFailure: BrowserFailure? {
        closingFailure ?? opened.fileProblem.map { failure($0) }
    }

    /// - Throws: `BrowserFailure` where the file was deleted or replaced, or could not be opened again.
    package func requireFile() throws {
        if let fileFailure { throw fileFailure }
    }

    /// Runs something that uses the file; where it fails since something happened to the file, the error says so.
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

    /// Closes the file and opens what is at its path now; what tabs had staged in it must be staged again.
    ///
    /// - Throws: `BrowserFailure` where there is no file, which changes nothing, or where what is there cannot be opened:
    ///   then the store stays closed. `InspectionError` for a store of the program that mounts the browser.
    package func reopen(after work: () throws -> Void = {}) throws {
        guard let file else {
            throw InspectionError(
                .readOnly, subject: name, cause: "the program that shows the store has to open it again")
        }
        guard !file.isFileURL || FileIdentity(file.path) != nil else { throw failure(.deleted) }
        // SQLite shares what it knows of a file between all connections of a process: the old ones have to be gone.
        let reason = { [self] (error: any Error) in
            failure(.damaged, cause: (error as? InspectionError)?.cause ?? ErrorText.line(for: error))
        }
        try replaceOpened(file, reason, after: work)
    }

    private func failure(_ problem: FileProblem, cause: String? = nil) -> BrowserFailure {
        problem.failure(opened.store.url?.place ?? name, store: id, cause: cause, reopens: file != nil)
    }
}
