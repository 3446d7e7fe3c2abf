import CoreData
import Synchronization

/// What a tab has staged in a store: unsaved changes of a context of its own, with undo.
///
/// Invariants:
/// 1. The context, the names and the journal are used on the context's queue only.
/// 2. A call that stages something does all of it or nothing, and is one step of undo.
/// 3. What is staged is in the journal before the answer says so.
package final class EditSession: @unchecked Sendable {
    let opened: ServedStore
    let context: NSManagedObjectContext
    let names = StagedNames()
    let journal: (any StagedJournal)?
    /// The edits of a journal that could not be staged again.
    var losses: [JSONValue] = []
    private let staging = Mutex(false)

    init(_ opened: ServedStore, author: String, journal: (any StagedJournal)?) {
        self.opened = opened
        self.journal = journal
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = opened.coordinator
        context.mergePolicy = NSMergePolicy.error
        context.transactionAuthor = author
        context.undoManager = UndoManager()
        context.name = "Browser"
    }

    /// Whether something is staged; known without waiting for the context.
    package var isStaging: Bool { staging.withLock { $0 } }

    /// Reads objects as the tab has staged them, as far as the user may see them.
    package func read<Result: Sendable>(
        for access: BrowserAccess, _ body: @Sendable @escaping (StoreReading) throws -> Result
    ) async throws -> Result {
        try await perform { try body(StoreReading($0.opened.shown(to: access), $0.context, names: $0.names)) }
    }

    /// Runs on the context's queue; what is registered for undo meanwhile is one step.
    func perform<Result: Sendable>(_ body: @Sendable @escaping (EditSession) throws -> Result) async throws -> Result {
        try await context.perform {
            defer { self.noteState() }
            return try body(self)
        }
    }

    private func noteState() {
        context.processPendingChanges()
        let hasChanges = context.hasChanges
        staging.withLock { $0 = hasChanges }
    }

    /// Does something that is not a step of undo, such as taking over what others saved.
    func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
        context.processPendingChanges()
        context.undoManager?.disableUndoRegistration()
        defer {
            context.processPendingChanges()
            context.undoManager?.enableUndoRegistration()
        }
        return try body()
    }
}

// MARK: Staging

extension EditSession {
    /// Stages the steps of one call; gives the names of the objects that they inserted.
    ///
    /// - Throws: `BrowserFailure` or `InspectionError`; then nothing is staged.
    func stage(_ steps: [EditStep], name: String?, access: BrowserAccess) throws -> [String] {
        let staged = names.identifiers
        // What fails in a scratch context leaves no trace here, not even in what can be redone.
        try withScratch { scratch in
            _ = try StepWork(scratch, opened: opened, access: access, staged: staged).apply(steps)
        }
        return try whole(name ?? Self.name(of: steps)) {
            try StepWork(context, opened: opened, access: access, staged: staged).apply(steps).map(names.give)
        }
    }

    /// Runs something that changes the context, as one step of undo, and takes it back where it fails.
    func whole<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        context.processPendingChanges()
        let number = names.next
        do {
            let result = try body()
            context.processPendingChanges()
            if context.undoManager?.canUndo == true { context.undoManager?.setActionName(name) }
            return result
        } catch {
            context.processPendingChanges()
            takeBackOpenGroup()
            names.next = number
            throw error
        }
    }

    /// Takes back what was registered since the last step of undo was closed. Nothing can be redone afterwards.
    func takeBackOpenGroup() {
        guard let undoManager = context.undoManager, undoManager.groupingLevel > 0 else { return }
        undoManager.undo()
        context.processPendingChanges()
        undoManager.dropRedo()
    }

    /// Runs something in a context that stands on this one's changes and is thrown away.
    func withScratch<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        context.processPendingChanges()
        let scratch = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        scratch.parent = context
        return try scratch.performAndWait {
            defer { scratch.reset() }
            return try body(scratch)
        }
    }

    /// Takes the last step back, or does it again.
    ///
    /// - Throws: `BrowserFailure` 409 where there is none.
    func turnBack(redo: Bool) throws {
        guard let undoManager = context.undoManager else { return }
        context.processPendingChanges()
        guard redo ? undoManager.canRedo : undoManager.canUndo else {
            throw BrowserFailure(409, code: "nothingThere", reason: "there is nothing to \(redo ? "redo" : "undo")")
        }
        if redo { context.redo() } else { context.undo() }
        context.processPendingChanges()
    }

    /// Forgets what is staged, and what could be undone.
    func discard() throws {
        withoutUndo { context.rollback() }
        forgetSteps()
        context.reset()
        losses = []
        try journal?.clear()
    }

    /// Forgets what could be undone, and the names of unsaved objects.
    func forgetSteps() {
        context.undoManager?.removeAllActions()
        names.removeAll()
    }

    /// How a step of undo is called that the client gave no name.
    private static func name(of steps: [EditStep]) -> String {
        guard steps.count == 1, let step = steps.first else { return "\(steps.count) Changes" }
        return switch step {
        case .set(_, let key, _): "Change of \(key)"
        case .insert(let entity, _): "New \(entity)"
        case .delete: "Deletion"
        case .add(_, let key, _, _): "Addition to \(key)"
        case .remove(_, let key, _): "Removal from \(key)"
        case .move(_, let key, _, _): "New Order of \(key)"
        case .duplicate: "Duplicate"
        }
    }
}

extension UndoManager {
    /// Forgets what could be redone, and nothing else.
    fileprivate func dropRedo() {
        // A step that is registered and taken back at once would itself be there to redo.
        guard redoCount > 0 else { return }
        removeAllActions()
    }
}
