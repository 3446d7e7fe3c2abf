import CoreDataFoundation

/// A change of a file: its contents as they were read, and the new contents.
package struct FileChange: Sendable {
    package let url: URL
    package let before: Data
    package let after: Data

    package init(_ url: URL, before: Data, after: Data) {
        self.url = url
        self.before = before
        self.after = after
    }

    /// Writes all files and then calls `next`; if anything throws, writes back the former contents.
    ///
    /// - Throws: `ModelingError` `.unwritable`, also if a file has changed since it was read, or what `next` throws.
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
