import CoreData
import CoreDataModelEditing

/// Another name for an entity or a property, in a version of a model and in the files that follow it, before it is written.
struct FollowedRename {
    /// The version as it is afterwards, which has not been written yet.
    private let renamed: EditedVersion
    private let changes: [FileChange]
    /// All that would be written, as a difference.
    let outcome: EditOutcome
    /// Names the contents that the difference was made of.
    let digest: String

    /// Looks what a rename would do.
    ///
    /// - Throws: `BrowserFailure` 409 where the version has edits that are not saved, 422 for an item that no files follow;
    ///   `ModelEditError` or `ModelingError` where the name is refused or a file cannot be read.
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
    /// - Parameter seen: the digest of the difference that the user agreed to.
    /// - Returns: the version as it is then.
    /// - Throws: `ModelEditError` of code `changedMeanwhile` where a file is not what it was; `ModelingError` where one
    ///   cannot be written. All files are then as they were.
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
        // Each part is a digest of its own, so that no two lists of parts have the same bytes.
        for part in parts { bytes += SHA2.sha256(part) }
        return SHA2.sha256(bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
