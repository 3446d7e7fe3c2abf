import CoreData

/// What a tab has staged, as JSON.
struct EditReport {
    private static let shownObjects = 1_000

    private let session: EditSession
    private let access: BrowserAccess

    init(_ session: EditSession, _ access: BrowserAccess) {
        self.session = session
        self.access = access
    }

    /// `{"changes", "count", "more", "canUndo", "canRedo", "undoName", "redoName", "problems", "lost", "found"}` and further members.
    func json(_ further: [(String, JSONValue)] = []) -> JSONValue {
        let context = session.context
        context.processPendingChanges()
        let changed = changedObjects()
        let problems = EditProblems(session.names.name).all(in: context, access)
        let undo = context.undoManager
        return .object(
            further + [
                ("changes", .array(changed.prefix(Self.shownObjects).map { $0.json })),
                ("count", .count(changed.count)), ("more", .bool(changed.count > Self.shownObjects)),
                ("canUndo", .bool(undo?.canUndo == true)), ("canRedo", .bool(undo?.canRedo == true)),
                ("undoName", .text(undo?.undoActionName)), ("redoName", .text(undo?.redoActionName)),
                ("problems", .array(problems)), ("lost", .array(session.losses)),
                ("found", (try? session.journal?.setAside()).flatMap { $0 }?.json ?? .null),
            ])
    }

    /// The objects with unsaved changes: inserted, updated, deleted, each kind in the order of names.
    func changedObjects() -> [StagedChange] {
        let context = session.context
        let groups: [(StagedChange.Kind, Set<NSManagedObject>)] = [
            (.inserted, context.insertedObjects), (.updated, context.updatedObjects),
            (.deleted, context.deletedObjects),
        ]
        return groups.flatMap { kind, objects in
            objects.filter { access.may(.read, entity: $0.entity) }
                .map { StagedChange(kind, object: $0, naming: session.names.name, access: access) }
                .filter { kind != .updated || !$0.properties.isEmpty }
                .sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
        }
    }
}
