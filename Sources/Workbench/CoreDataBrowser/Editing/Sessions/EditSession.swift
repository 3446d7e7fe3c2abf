import CoreData
import Synchronization

/// What a tab has staged in a store: unsaved changes of a context of its own, with undo.
///
/// Invariants:
/// 1. The context, the names, the list of changes and the journal are used on the context's queue only.
/// 2. A call that stages something does all of it or nothing, and is one step of undo.
/// 3. What is staged is in the journal before the answer says so.
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

    /// Runs something that changes the context, as one step of undo.
    ///
    /// What fails is undone and leaves no trace: nothing staged, no name given, and the undo manager as it was. That sets what
    /// could be redone aside for the time, so that neither the changes nor their undoing touch it.
    func whole<Result>(_ name: String? = nil, _ body: () throws -> Result) throws -> Result {
        try names.attempt {
            guard let undoManager = context.undoManager else { return try body() }
            return try undoManager.attempt(named: name, body)
        }
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

    /// Forgets what is staged, and what could be undone.
    func discard() throws {
        withoutUndo { context.rollback() }
        forgetSteps()
        context.reset()
        losses = []
        try journal?.clear()
    }

    /// Forgets what could be undone, the names of unsaved objects and the list of changes, as nothing is staged any more.
    func forgetSteps() {
        context.undoManager?.removeAllActions()
        names.removeAll()
        changes.forgetAll()
    }
}
