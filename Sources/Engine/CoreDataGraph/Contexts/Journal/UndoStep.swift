import CoreDataStore

/// What the undo manager holds of an event: its number. The entries are the journal's, which is released with its context.
///
/// Its deallocation shows that the manager has dropped or performed the step.
final class UndoStep {
    let number: Int
    private weak var journal: EventJournal?

    init(number: Int, journal: EventJournal) {
        self.number = number
        self.journal = journal
    }

    deinit { journal?.drop(number) }
}
