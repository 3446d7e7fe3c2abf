import CoreDataStore

/// A row for the evaluation of predicates and sort descriptors: plain slots are read directly, everything else by a
/// `StoredRecord`.
///
/// One instance serves many rows: `row` is set to one after another.
final class StoredRow: SlotReading {
    var row: RowSnapshot
    private let source: any RecordFinding

    init(_ row: RowSnapshot, of source: any RecordFinding) {
        self.row = row
        self.source = source
    }

    /// Differs from the stamp for objects of the entity, whose class may override accessors.
    var slotStamp: Int { row.slab.layout.stamp + 1 }

    func slot(of key: String) -> PlainSlot? { row.slab.layout.plainSlot(of: key) }

    func value(in slot: PlainSlot) -> SlotValue { row.slab.slotValue(row.index, slot) }

    var evaluatedObject: Any? { StoredRecord(row, of: source) }
}
