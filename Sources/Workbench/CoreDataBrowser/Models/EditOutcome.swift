import CoreData
import CoreDataModelCompiler
import CoreDataModelEditing

/// The result of edits of a model's source and of the files that use its names.
package struct EditOutcome: Sendable {
    package struct File: Sendable {
        package let path: String
        /// The change in the format of `diff -u`; empty if nothing changed.
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

    /// The model's file, then the others.
    package let files: [File]
    package let version: String
    /// Sentences about what else was changed or could not be changed.
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
