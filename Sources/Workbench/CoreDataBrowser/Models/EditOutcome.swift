import CoreData
import CoreDataModelCompiler
import CoreDataModelEditing

/// What became of edits of a model's source, and of what follows it.
package struct EditOutcome: Sendable {
    package struct File: Sendable {
        package let path: String
        /// As `diff -u` prints it; empty without a change.
        package let difference: String

        package init(_ url: URL, from before: String, to after: String) {
            path = PrintableText.escaped(url.relativePath)
            difference = UnifiedDiff(path: path, from: before, to: after).text
        }

        package init(_ change: FileChange) {
            self.init(
                change.url, from: String(decoding: change.before, as: UTF8.self),
                to: String(decoding: change.after, as: UTF8.self))
        }
    }

    /// The model's own, then the others.
    package let files: [File]
    package let version: String
    /// What else was changed or could not be, in sentences.
    package let notes: [String]
    package let isDryRun: Bool

    package init(files: [File], version: String, notes: [String], isDryRun: Bool) {
        self.files = files
        self.version = version
        self.notes = notes
        self.isDryRun = isDryRun
    }

    /// `{"version", "isChanged", "isWritten", "files": [{"path", "diff"}], "notes"}`
    package var json: JSONValue { .object(members) }

    package var members: [(String, JSONValue)] {
        let isChanged = files.contains { !$0.difference.isEmpty }
        return [
            ("version", .string(version)), ("isChanged", .bool(isChanged)),
            ("isWritten", .bool(isChanged && !isDryRun)),
            ("files", .array(files.map { .object([("path", .string($0.path)), ("diff", .string($0.difference))]) })),
            ("notes", .array(notes.map { .string($0) })),
        ]
    }
}
