import CoreDataSQL

/// The changes of saves within one transaction: they become one transaction of the history, with the first save's
/// source.
struct GroupedRecord {
    private(set) var record = ChangeRecord()
    private(set) var source = ChangeSource()

    /// Adds the changes of a save.
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
