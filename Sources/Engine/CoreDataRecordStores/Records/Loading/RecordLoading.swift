import CoreDataStore

/// Fills empty tables with the records of a file, which come in any order and may refer to records that are yet to come.
///
/// The tables stay empty until `finish()` has found the graph to be consistent: every key is unique, every reference leads to
/// a record of the right entity, and both ends of a relationship agree. Where the faults are collected, faulty parts are
/// reported and left out instead, so that a consistent graph remains.
package struct RecordLoading {
    /// Bytes of texts and data that one record may have.
    private static let mostBytes = 1 << 31
    /// The greatest key that leaves room for others.
    private static let greatestKey = Int64.max >> 1
    /// What is done about a record that cannot be read.
    static let leftOut = "The record is left out."

    /// A row that is being filled.
    package struct Row {
        fileprivate let slab: RowSlab
        fileprivate let pointer: UnsafeMutableRawPointer
        package let layout: EntityLayout
        package let key: Int64
        fileprivate let heapBefore: Int
        let place: Int
    }

    /// The members of one owner, as the file lists them.
    struct MemberList {
        let owner: Int64
        var members: [Int64]
        let place: Int
    }

    struct MissingReference: Hashable {
        let owner: Int64
        let slot: Int
    }

    package let tables: RecordTables
    /// Who takes faults; nil where a fault is a reason to refuse the file.
    let faults: LoadFaultCollector?
    /// The slabs in the order in which they were made, and the place of each of their rows.
    private(set) var slabs: [RowSlab] = []
    private var places: [[Int]] = []
    /// By the number of the entity: the slab that takes rows.
    private var open: [Int: Int] = [:]
    /// Where each record is.
    private var positions = RecordPositions()
    /// The references that need lead to no record.
    var missing: Set<MissingReference> = []
    var lists: [ObjectIdentifier: [MemberList]] = [:]

    package init(_ tables: RecordTables, faults: LoadFaultCollector? = nil) {
        self.tables = tables
        self.faults = faults
    }

    /// The number of records so far.
    package var count: Int { slabs.reduce(0) { $0 + $1.count } }

    /// Begins a record; all its values are nil. Gives none for a record that is left out.
    ///
    /// - Throws: a `LoadFailure` for a key that cannot be one or that another record has.
    package mutating func add(_ layout: EntityLayout, key: Int64, version: Int64 = 1, at place: Int) throws -> Row? {
        let record = FaultyRecord(entity: layout.entity.name, key: nil, place: place)
        guard key > 0, key < Self.greatestKey else {
            try fault(
                .badKey, reason: "the number \(key) cannot be that of a record", record: record, remedy: Self.leftOut)
            return nil
        }
        let number = slabNumber(for: layout)
        let slab = slabs[number]
        let position = SlabPosition(entity: Int32(layout.number), slab: Int32(number), index: Int32(slab.count))
        guard positions.add(position, for: key) else {
            try fault(
                .badKey, reason: "the number \(key) is given to two records", record: record, remedy: Self.leftOut)
            return nil
        }
        let pointer = slab.appendRow(key: key, version: version)
        places[number].append(place)
        return Row(
            slab: slab, pointer: pointer, layout: layout, key: key, heapBefore: slab.heapSize, place: place)
    }

    private mutating func slabNumber(for layout: EntityLayout) -> Int {
        if let number = open[layout.number], !slabs[number].isFull { return number }
        open[layout.number] = slabs.count
        slabs.append(RowSlab(binding: tables.bindings[layout.number], capacity: 32))
        places.append([])
        return slabs.count - 1
    }

    // MARK: Values

    /// Sets an integer, a real or a reference to a record that `finish()` looks up.
    package func set(_ tag: UInt8, _ bits: UInt64, slot: Int, of row: Row) {
        row.slab.set(tag, bits, row: row.pointer, slot: slot)
    }

    /// Sets a text or data.
    ///
    /// - Throws: a `LoadFailure` for more bytes than a record may have.
    package func set(_ tag: UInt8, bytes: UnsafeRawBufferPointer, slot: Int, of row: Row) throws {
        guard row.slab.heapSize - row.heapBefore + bytes.count < Self.mostBytes else {
            throw LoadFailure("the record has more than 2 GiB of texts and data", at: row.place)
        }
        row.slab.set(tag, row.slab.append(bytes), row: row.pointer, slot: slot)
    }

    /// Whether a slot has been given a value.
    package func isSet(_ slot: Int, of row: Row) -> Bool {
        row.slab.tag(row.slab.count - 1, slot) != RowTag.null
    }

    /// Sets a reference to a record that was gone already when the file was written, as a relationship without action leaves it.
    package mutating func setMissing(_ key: Int64, slot: Int, of row: Row) {
        set(RowTag.integer, UInt64(bitPattern: key), slot: slot, of: row)
        missing.insert(MissingReference(owner: row.key, slot: slot))
    }

    package mutating func setMembers(_ members: [Int64], of relationship: NSRelationshipDescription, _ row: Row) {
        guard !members.isEmpty else { return }
        lists[ObjectIdentifier(relationship), default: []].append(
            MemberList(owner: row.key, members: members, place: row.place))
    }

    // MARK: Looking up

    /// The position of a record; nil if the number does not exist.
    func position(_ key: Int64) -> SlabPosition? { positions[key] }

    func layout(_ position: SlabPosition) -> EntityLayout { tables.model.entities[Int(position.entity)] }

    func slab(_ position: SlabPosition) -> RowSlab { slabs[Int(position.slab)] }

    func place(_ position: SlabPosition) -> Int { places[Int(position.slab)][Int(position.index)] }

    func place(slab: Int, index: Int) -> Int { places[slab][index] }
}

/// Where records are, by their keys; a class, since the table cannot be copied.
private final class RecordPositions {
    private var table = OpenTable<SlabPosition>()

    subscript(key: Int64) -> SlabPosition? { table[key] }

    /// False where the key has a place already.
    func add(_ position: SlabPosition, for key: Int64) -> Bool {
        guard table[key] == nil else { return false }
        table.set(position, for: key)
        return true
    }
}
