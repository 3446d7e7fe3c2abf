import CoreData
import CoreDataModelEditing

/// The rename of an entity or a property in a version of a model and in the files that use its name, prepared but not
/// yet written.
struct FollowedRename {
    /// The renamed version, which has not been written yet.
    private let renamed: EditedVersion
    private let changes: [FileChange]
    /// The differences of all files that would be written.
    let outcome: EditOutcome
    /// A digest of the file contents before and after the rename, which identifies the difference.
    let digest: String

    /// Finds out what a rename would change.
    ///
    /// - Throws: `BrowserFailure` 409 if the version has unsaved edits, 422 for an item other than an entity or a
    ///   property; `ModelEditError` or `ModelingError` if the name is refused or a file cannot be read.
    init(
        _ item: SourceItem, to name: String, keepsIdentity: Bool, in state: EditedVersion, version: String,
        folders: FollowingFolders
    ) throws {
        guard FollowingFolders.follow(item) else {
            throw BrowserFailure(
                422, code: "notFollowed",
                reason: "code and property lists follow an entity or a property, which '\(item)' is not")
        }
        guard !state.isUnsaved, let file = state.file else {
            throw BrowserFailure(
                409, code: "unsaved", reason: "'\(version)' has edits that are not saved",
                hint: "save them first, or let them go")
        }
        var renamed = state
        let before = state.document
        var notes = try renamed.perform(
            [.rename(item, to: name, keepsIdentity: keepsIdentity)], name: nil)
        notes += ModelEditSession.newFindings(in: renamed.document, since: before)
        let followed = try folders.renaming(item, to: name, from: before, to: renamed.document)
        (self.renamed, changes) = (renamed, followed.changes)
        let source = EditOutcome.File(file.url, from: before.text, to: renamed.document.text)
        outcome = EditOutcome(
            files: [source] + changes.map { EditOutcome.File($0) }, version: version, notes: notes + followed.notes,
            isDryRun: true)
        digest = Self.digest(
            [before.text, renamed.document.text].map { Data($0.utf8) }
                + changes.flatMap {
                    [Data($0.url.path.utf8), $0.before, $0.after]
                })
    }

    /// Writes all files, or none.
    ///
    /// - Parameter seen: The digest of the difference that the user agreed to.
    /// - Returns: The version after the rename.
    /// - Throws: `ModelEditError` of code `changedMeanwhile` if a file has changed since; `ModelingError` if one cannot
    ///   be written. All files are then as they were.
    func write(seen: String) throws -> EditedVersion {
        guard seen == digest else {
            throw ModelEditError(
                .changedMeanwhile, subject: "the rename",
                cause: "another program has changed a file since the difference was shown",
                hint: "look at the difference again")
        }
        var saved = renamed
        try FileChange.write(changes) { try saved.save() }
        return saved
    }

    private static func digest(_ parts: [Data]) -> String {
        var bytes: [UInt8] = []
        // Each part is hashed by itself, so that different lists of parts never concatenate to the same bytes.
        for part in parts { bytes += SHA2.sha256(part) }
        return SHA2.sha256(bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
