import CoreDataStore

/// Fills empty tables with the records of a file, which come in any order and may refer to records that have not been
/// read yet.
///
/// The tables stay empty until `finish()` has found the records consistent: every key is unique, every reference leads
/// to a record of the right entity, and both ends of a relationship agree. If faults are collected, each faulty part is
/// reported and left out or corrected instead, so that the remaining records are consistent.
package struct RecordLoading {
    /// The greatest total size in bytes of the texts and data of one record.
    private static let mostBytes = 1 << 31
    /// An upper bound of keys, which leaves room for the keys of later records.
    private static let greatestKey = Int64.max >> 1
    /// The remedy for a record that cannot be read.
    static let leftOut = "The record is left out."

    /// A row that is being filled, and its place in the file.
    package struct Row {
        fileprivate let slab: RowSlab
        fileprivate let pointer: UnsafeMutableRawPointer
        package let layout: EntityLayout
        package let key: Int64
        fileprivate let heapBefore: Int
        let place: Int
    }

    /// The members of one owner, in the order of the file.
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
    /// Receives the faults; nil if the first fault is thrown.
    let faults: LoadFaultCollector?
    /// The slabs in the order of their creation; `places` has the place in the file of each of their rows.
    private(set) var slabs: [RowSlab] = []
    private var places: [[Int]] = []
    /// The slab to which rows of an entity are appended, by the number of the entity.
    private var open: [Int: Int] = [:]
    /// The position of each record by its key.
    private var positions = RecordPositions()
    /// The references to deleted records.
    var missing: Set<MissingReference> = []
    var lists: [ObjectIdentifier: [MemberList]] = [:]

    package init(_ tables: RecordTables, faults: LoadFaultCollector? = nil) {
        self.tables = tables
        self.faults = faults
    }

    /// The number of records read so far.
    package var count: Int { slabs.reduce(0) { $0 + $1.count } }

    /// Adds a record whose values are all nil. Returns nil if the record is left out because its key is invalid.
    ///
    /// - Throws: a `LoadFailure` for an invalid or repeated key, unless faults are collected.
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

    /// Sets an integer, a real, or a reference by the record's key, which `finish()` resolves.
    package func set(_ tag: UInt8, _ bits: UInt64, slot: Int, of row: Row) {
        row.slab.set(tag, bits, row: row.pointer, slot: slot)
    }

    /// Sets a text or blob.
    ///
    /// - Throws: a `LoadFailure` if the record has too many bytes.
    package func set(_ tag: UInt8, bytes: UnsafeRawBufferPointer, slot: Int, of row: Row) throws {
        guard row.slab.heapSize - row.heapBefore + bytes.count < Self.mostBytes else {
            throw LoadFailure("the record has more than 2 GiB of texts and data", at: row.place)
        }
        row.slab.set(tag, row.slab.append(bytes), row: row.pointer, slot: slot)
    }

    /// Whether a slot has a value; valid only for the row that was added last.
    package func isSet(_ slot: Int, of row: Row) -> Bool {
        row.slab.tag(row.slab.count - 1, slot) != RowTag.null
    }

    /// Sets a reference to a record that was already deleted when the file was written, which a relationship with the
    /// No Action delete rule can have.
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

    /// The position of the record with a key; nil if there is none.
    func position(_ key: Int64) -> SlabPosition? { positions[key] }

    func layout(_ position: SlabPosition) -> EntityLayout { tables.model.entities[Int(position.entity)] }

    func slab(_ position: SlabPosition) -> RowSlab { slabs[Int(position.slab)] }

    func place(_ position: SlabPosition) -> Int { places[Int(position.slab)][Int(position.index)] }

    func place(slab: Int, index: Int) -> Int { places[slab][index] }
}

/// The positions of records by key; a class, since an `OpenTable` cannot be copied.
private final class RecordPositions {
    private var table = OpenTable<SlabPosition>()

    subscript(key: Int64) -> SlabPosition? { table[key] }

    /// Returns false if the key already has a position.
    func add(_ position: SlabPosition, for key: Int64) -> Bool {
        guard table[key] == nil else { return false }
        table.set(position, for: key)
        return true
    }
}
