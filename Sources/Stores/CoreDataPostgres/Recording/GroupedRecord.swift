import CoreDataSQL

/// What saves change that are parts of one transaction: one transaction of the history, by who saved first.
struct GroupedRecord {
    private(set) var record = ChangeRecord()
    private(set) var source = ChangeSource()

    /// Notes what one of the saves has changed.
    mutating func note(_ saved: ChangeRecord, by source: ChangeSource) {
        if record.isEmpty { self.source = source }
        for change in saved.changes {
            switch change.kind {
            case .insert: record.noteInsertion(of: change.address)
            case .update: record.noteUpdate(of: change.address, change.properties)
            case .delete: record.noteDeletion(of: change.address, tombstone: change.tombstone)
            }
        }
    }
}
