import CoreData

/// What a tab has staged, as JSON: all of it, or the difference from the version that the tab knows.
struct EditReport {
    private static let shownObjects = 1_000

    private let session: EditSession
    private let access: BrowserAccess
    /// The version that the tab knows; nil if it knows none.
    private let known: Int?
    private var changes: StagedChanges { session.changes }

    init(_ session: EditSession, _ access: BrowserAccess, since version: Int? = nil) {
        self.session = session
        self.access = access
        known = version
    }

    /// `{"version", "changes", "count", "more", "canUndo", "canRedo", "undoName", "redoName", "problems", "lost",
    /// "found"}` and further members.
    ///
    /// For a tab that knows the last version, the difference: `{"version", "since", "changes", "unstaged", …}`, with
    /// `problems` only if these have changed.
    func json(_ further: [(String, JSONValue)] = []) -> JSONValue {
        .object(further + staged() + state())
    }

    private func staged() -> [(String, JSONValue)] {
        // A tab that knows another version, such as one from before a discard, gets everything.
        guard let known, known == changes.version else {
            _ = changes.reload(access)
            return all()
        }
        let former = changes.count
        let difference = changes.update(access)
        guard difference.changed.count + difference.unstaged.count <= Self.shownObjects else { return all() }
        // A tab that has only the first changes lacks those that move up when some are no longer staged.
        guard former <= Self.shownObjects || difference.unstaged.isEmpty else { return all() }
        return [
            ("version", .count(changes.version)), ("since", .count(known)),
            ("changes", .array(difference.changed.map(\.json))),
            ("unstaged", .array(difference.unstaged.map { .string($0) })),
        ] + (difference.hasOtherProblems ? [("problems", .array(changes.problems))] : [])
    }

    private func all() -> [(String, JSONValue)] {
        [
            ("version", .count(changes.version)),
            ("changes", .array(changes.all.prefix(Self.shownObjects).map(\.json))),
            ("problems", .array(changes.problems)),
        ]
    }

    private func state() -> [(String, JSONValue)] {
        let undo = session.context.undoManager
        return [
            ("count", .count(changes.count)), ("more", .bool(changes.count > Self.shownObjects)),
            ("canUndo", .bool(undo?.canUndo == true)), ("canRedo", .bool(undo?.canRedo == true)),
            ("undoName", .text(undo?.undoActionName)), ("redoName", .text(undo?.redoActionName)),
            ("lost", .array(session.losses)),
            ("found", (try? session.journal?.setAside()).flatMap { $0 }?.json ?? .null),
        ]
    }
}
