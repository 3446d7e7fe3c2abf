import CoreDataStore

/// A row as predicates and sorting see it: its plain slots, and a record for all that needs more.
///
/// Made once for many rows, which it stands for one after the other.
final class StoredRow: SlotReading {
    var row: RowSnapshot
    private let source: any RecordFinding

    init(_ row: RowSnapshot, of source: any RecordFinding) {
        self.row = row
        self.source = source
    }

    /// Not the number for objects of the entity, whose class may have accessors of its own.
    var slotStamp: Int { row.slab.layout.stamp + 1 }

    func slot(of key: String) -> PlainSlot? { row.slab.layout.plainSlot(of: key) }

    func value(in slot: PlainSlot) -> SlotValue { row.slab.slotValue(row.index, slot) }

    var evaluatedObject: Any? { StoredRecord(row, of: source) }
}
