import CoreDataStore

/// The undo manager's reference to a step: a number. The journal, which is released with its context, has the entries.
///
/// The undo manager releases the step when it drops or performs it; `deinit` then removes the entries from the journal.
final class UndoStep {
    let number: Int
    private weak var journal: EventJournal?

    init(number: Int, journal: EventJournal) {
        self.number = number
        self.journal = journal
    }

    deinit { journal?.drop(number) }
}
