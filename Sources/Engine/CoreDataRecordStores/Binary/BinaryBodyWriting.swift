import CZlib
import CoreDataStore

/// Identifies the types of slots and values in a binary store, in addition to `AttributeKind` and `RowTag`.
enum BinarySlotKind {
    /// The type of a to-one relationship in the table of entities; greater than all raw values of `AttributeKind`.
    static let toOne: UInt8 = 0xF0
    /// The tag of a reference to a record that has been deleted; other values have a `RowTag`.
    static let missingReference: UInt8 = 0xF1
}

/// Writes the body of a binary store: the last key, the table of entities, then the rows of every entity, then the
/// to-many relationships of every entity.
struct BinaryBodyWriting {
    private let tables: RecordTables
    private let output: RecordOutput
    private var bytes: [UInt8] = []
    private var checksum = crc32(0, nil, 0)

    init(_ tables: RecordTables, _ output: RecordOutput) {
        self.tables = tables
        self.output = output
    }

    mutating func run() throws {
        let layouts = tables.model.entities
        bytes.append(number: tables.lastKey)
        bytes.append(number: UInt32(layouts.count))
        for layout in layouts { describe(layout) }
        for layout in layouts { try writeRows(of: layout) }
        for layout in layouts { try writeMembers(of: layout) }
        try flush()
        bytes.append(number: UInt32(truncatingIfNeeded: checksum))
        try output.write(bytes)
    }

    private mutating func flush() throws {
        checksum = RecordFile.sum(bytes, checksum)
        try output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func describe(_ layout: EntityLayout) {
        bytes.append(text: layout.entity.name ?? "")
        let slots = layout.slots[..<layout.storedCount].filter {
            if case .targetNumber = $0.content { false } else { true }
        }
        bytes.append(number: UInt32(slots.count))
        for slot in slots {
            bytes.append(text: slot.name)
            if case .attribute(_, let kind) = slot.content {
                bytes.append(kind.rawValue)
            } else {
                bytes.append(BinarySlotKind.toOne)
            }
        }
        let lists = layout.toMany.filter { tables.plan.source(of: $0) != nil }
        bytes.append(number: UInt32(lists.count))
        for relationship in lists { bytes.append(text: relationship.name) }
    }

    // MARK: Rows

    private mutating func writeRows(of layout: EntityLayout) throws {
        let runs = tables.runs(of: layout, includesSubentities: false)
        bytes.append(number: UInt64(runs.rowCount))
        for run in runs {
            for index in run.range {
                write(run.slab, index)
                if bytes.count > 1 << 18 { try flush() }
            }
        }
    }

    private mutating func write(_ slab: RowSlab, _ index: Int) {
        bytes.append(number: slab.key(index))
        for slot in 0..<slab.layout.storedCount {
            switch slab.layout.slots[slot].content {
            case .targetNumber: continue
            case .toOne(let relationship): write(slab.reference(index, slot)?.key, relationship)
            case .attribute:
                let value = slab.storedValue(index, slot)
                bytes.append(value.tag)
                switch value.tag {
                case RowTag.null: continue
                case RowTag.text, RowTag.blob:
                    bytes.append(number: UInt32(truncatingIfNeeded: value.bytes.count))
                    bytes.append(contentsOf: value.bytes)
                default: bytes.append(number: value.bits)
                }
            }
        }
    }

    private mutating func write(_ target: Int64?, _ relationship: NSRelationshipDescription) {
        guard let target else { return bytes.append(RowTag.null) }
        bytes.append(tables.hasTarget(of: relationship, target) ? RowTag.integer : BinarySlotKind.missingReference)
        bytes.append(number: target)
    }

    // MARK: Relationships

    private mutating func writeMembers(of layout: EntityLayout) throws {
        let runs = tables.runs(of: layout, includesSubentities: false)
        for relationship in layout.toMany where tables.plan.source(of: relationship) != nil {
            for run in runs {
                for index in run.range {
                    let members = tables.presentMembers(of: relationship, owner: run.slab.key(index))
                    guard !members.isEmpty else { continue }
                    bytes.append(number: run.slab.key(index))
                    bytes.append(number: UInt32(members.count))
                    for member in members { bytes.append(number: member) }
                    if bytes.count > 1 << 18 { try flush() }
                }
            }
            // The key 0, which no record has, ends the list.
            bytes.append(number: Int64(0))
        }
    }
}
