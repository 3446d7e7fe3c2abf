import CoreDataFoundation

/// A file as it was read, and as it is to become.
package struct FileChange: Sendable {
    package let url: URL
    package let before: Data
    package let after: Data

    package init(_ url: URL, before: Data, after: Data) {
        self.url = url
        self.before = before
        self.after = after
    }

    /// Writes all files and does what follows; where something fails, the files are as they were.
    ///
    /// - Throws: `ModelingError` `.unwritable`, also for a file that is not what it was when it was read, or what `next`
    ///   throws.
    package static func write(_ changes: [FileChange], then next: () throws -> Void) throws {
        var written: [FileChange] = []
        do {
            for change in changes {
                try AtomicFile.write(change.after, to: change.url) { try change.checkIsUnchanged() }
                written.append(change)
            }
            try next()
        } catch {
            for change in written.reversed() { try? AtomicFile.write(change.before, to: change.url) }
            throw error
        }
    }

    private func checkIsUnchanged() throws {
        guard (try? BoundedFile.read(url, limit: BoundedFile.greatestModelSize)) != before else { return }
        throw ModelingError(
            .unwritable, "another program has changed the file since it was read",
            hint: "read it again and repeat the edit"
        ).at(path: url.path)
    }
}
