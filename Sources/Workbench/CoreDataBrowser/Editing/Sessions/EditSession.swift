import CoreData
import Synchronization

/// What a tab has staged in a store: unsaved changes of a context of its own, with undo.
///
/// Invariants:
/// 1. The context, the names, the list of changes and the journal are used on the context's queue only.
/// 2. A call that stages something does all of it or nothing, and is one step of undo.
/// 3. Staged steps are in the journal before the client gets the answer.
package final class EditSession: @unchecked Sendable {
    let opened: ServedStore
    let context: NSManagedObjectContext
    let names = StagedNames()
    let journal: (any StagedJournal)?
    /// The edits of a journal that could not be staged again.
    var losses: [JSONValue] = []
    let changes: StagedChanges
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
        changes = StagedChanges(context, names)
    }

    /// Whether something is staged; known without waiting for the context.
    package var isStaging: Bool { staging.withLock { $0 } }

    /// Reads objects as the tab has staged them, as far as the user may see them.
    package func read<Result: Sendable>(
        for access: BrowserAccess, _ body: @Sendable @escaping (StoreReading) throws -> Result
    ) async throws -> Result {
        try await perform { try body(StoreReading($0.opened.shown(to: access), $0.context, names: $0.names)) }
    }

    /// Runs `body` on the context's queue; the undo registrations meanwhile form one step.
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

    /// Runs `body` without registering undo, such as for merging what others saved.
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
    /// Stages the steps of one call.
    ///
    /// - Throws: `BrowserFailure` or `InspectionError`; then nothing is staged.
    func stage(_ call: EditCall, _ access: BrowserAccess) throws -> StepWork.Outcome {
        try whole(call.name ?? EditStep.name(of: call.steps)) {
            let work = StepWork(context, opened: opened, access: access, names: names)
            let outcome = try work.apply(call.steps)
            for object in outcome.inserted { names.give(object) }
            return outcome
        }
    }

    /// Runs `body`, which changes the context, as one step of undo.
    ///
    /// If `body` throws, its changes are undone: nothing stays staged, no name stays assigned, and the undo manager is
    /// as before. `UndoManager.attempt` sets the redo stack aside meanwhile, so that neither the changes nor their undo
    /// clear it.
    func whole<Result>(_ name: String? = nil, _ body: () throws -> Result) throws -> Result {
        try names.attempt {
            guard let undoManager = context.undoManager else { return try body() }
            return try undoManager.attempt(named: name, body)
        }
    }

    /// Runs `body` in a child context, which sees the unsaved changes of this one and is discarded afterwards.
    func withScratch<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        context.processPendingChanges()
        let scratch = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        scratch.parent = context
        return try scratch.performAndWait {
            defer { scratch.reset() }
            return try body(scratch)
        }
    }

    /// Undoes the last step, or redoes the last undone one.
    ///
    /// - Throws: `BrowserFailure` 409 if there is no such step.
    func turnBack(redo: Bool) throws {
        guard let undoManager = context.undoManager else { return }
        context.processPendingChanges()
        guard redo ? undoManager.canRedo : undoManager.canUndo else {
            throw BrowserFailure(409, code: "nothingThere", reason: "there is nothing to \(redo ? "redo" : "undo")")
        }
        if redo { context.redo() } else { context.undo() }
        context.processPendingChanges()
    }

    /// Discards the staged changes, the undo and redo steps, the losses and the lines of the journal.
    func discard() throws {
        withoutUndo { context.rollback() }
        forgetSteps()
        context.reset()
        losses = []
        try journal?.clear()
    }

    /// Clears the undo stack, the names of unsaved objects and the list of changes; for when nothing is staged any
    /// more.
    func forgetSteps() {
        context.undoManager?.removeAllActions()
        names.removeAll()
        changes.forgetAll()
    }
}
