import CoreDataSQL
import SQLiteKit

/// Records in a store's history what each of its transactions changes.
///
/// Triggers of the connection tell it of every row while the transaction runs; at its end what they told becomes one
/// transaction of the history, in the same transaction of the file. One that changes no row records nothing.
///
/// Confined like its store, which gives its present connection with each call.
final class HistoryWriter {
    private let shape: StoreShape
    private let properties: [HistoryProperties]
    private let triggers: HistoryTriggers
    private let tombstoneCount: Int
    /// Keeps what is written over; nil where that is not wanted.
    private let oldValues: OldValueRecorder?
    private let keys = HistoryKeys()
    private var changes = ChangeRecord()
    /// Properties by table, entity number and mask of changed columns: rows of one save have few shapes.
    private var known: [Shape: SlotSet] = [:]

    private struct Shape: Hashable {
        let table: Int64
        let entity: Int64
        let start: Int64
        let mask: Int64
    }

    init(_ shape: StoreShape, properties: [HistoryProperties], oldValues: OldValueRecorder?) {
        self.shape = shape
        self.oldValues = oldValues
        self.properties = properties
        let plans = shape.schema.entities.compactMap { shape.plans[$0.number] }
        triggers = HistoryTriggers(plans, properties)
        tombstoneCount = properties.map(\.tombstoneSlots.count).max() ?? 0
    }

    /// Has the connection that writes report its changes.
    func attach(to connection: Connection) throws {
        keys.forget()
        try connection.registerFunction(HistoryTriggers.inserted, argumentCount: 3, flags: [.innocuous]) {
            [unowned self] in
            if let address = address($0, entity: 1, key: 2) { changes.noteInsertion(of: address) }
            return .null
        }
        try connection.registerFunction(HistoryTriggers.updated, argumentCount: 5, flags: [.innocuous]) {
            [unowned self] in
            noteUpdate($0)
            return .null
        }
        try connection.registerFunction(HistoryTriggers.deleted, argumentCount: nil, flags: [.innocuous]) {
            [unowned self] in
            noteDeletion($0)
            return .null
        }
        try connection.registerFunction(HistoryTriggers.linked, argumentCount: 3, flags: [.innocuous]) {
            [unowned self] in
            noteLink($0)
            return .null
        }
        for statement in triggers.statements { try connection.execute(statement) }
        try oldValues?.attach(to: connection)
    }

    // MARK: What triggers tell

    private func address(_ arguments: FunctionArguments, entity: Int, key: Int) -> RowAddress? {
        shape.plan(number: arguments.int64(entity)).map { RowAddress(binding: $0.binding, key: arguments.int64(key)) }
    }

    private func noteUpdate(_ arguments: FunctionArguments) {
        let mask = arguments.int64(4)
        guard mask != 0, let address = address(arguments, entity: 1, key: 2) else { return }
        let shape = Shape(
            table: arguments.int64(0), entity: arguments.int64(1), start: arguments.int64(3), mask: mask)
        if let properties = known[shape] { return changes.noteUpdate(of: address, properties) }
        let numbers = triggers.tables[Int(shape.table)].properties[Int(shape.entity)] ?? []
        var changed = SlotSet()
        for (column, number) in numbers.enumerated().dropFirst(Int(shape.start)).prefix(HistoryTriggers.maskWidth) {
            if let number, mask & (1 << (Int64(column) - shape.start)) != 0 { changed.insert(number) }
        }
        if known.count > 1_000 { known = [:] }
        known[shape] = changed
        changes.noteUpdate(of: address, changed)
    }

    private func noteDeletion(_ arguments: FunctionArguments) {
        guard let address = address(arguments, entity: 1, key: 2) else { return }
        let places = triggers.tables[Int(arguments.int64(0))].tombstones[Int(arguments.int64(1))] ?? []
        let values = places.map { $0 < 0 ? DerivedCell.null : DerivedCell(StoredValue(arguments, 3 + $0)) }
        changes.noteDeletion(of: address, tombstone: values)
    }

    private func noteLink(_ arguments: FunctionArguments) {
        let entity = Int(truncatingIfNeeded: arguments.int64(2))
        guard let number = triggers.ownerships[Int(arguments.int64(0))].properties[entity],
            let address = address(arguments, entity: 2, key: 1)
        else { return }
        var changed = SlotSet()
        changed.insert(number)
        changes.noteUpdate(of: address, changed)
    }

    // MARK: Writing

    /// Writes what the present transaction has changed so far; gives the number of the transaction, nil if it changed nothing.
    func record(by source: ChangeSource, _ connection: Connection) throws -> Int64? {
        let noted = changes.changes
        guard !noted.isEmpty else { return nil }
        keys.begin(connection)
        let transaction = try keys.take(1, of: .transaction, connection)
        let strings = try [
            source.author, ProcessIdentity.bundleID, source.contextName, ProcessIdentity.name,
        ].map { try $0.map { try keys.string($0, connection) } }
        try connection.execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) "
                + "VALUES (?, \(HistoryTables.Entity.transaction.rawValue), ?, ?, ?, ?, ?)",
            [.integer(transaction)] + strings.map { $0.map(Value.integer) ?? .null }
                + [.real(Date().timeIntervalSinceReferenceDate)])
        try write(noted, transaction, first: try keys.take(noted.count, of: .change, connection), connection)
        try oldValues?.record(transaction, connection)
        try keys.record(connection)
        return transaction
    }

    private func write(_ noted: [ChangeRecord.Change], _ transaction: Int64, first: Int64, _ connection: Connection)
        throws
    {
        let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
        let statement = try connection.prepare(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(tombstones)) "
                + "VALUES (?, \(HistoryTables.Entity.change.rawValue), ?, ?, ?, ?, ?"
                + String(repeating: ", ?", count: tombstoneCount) + ")")
        for (index, change) in noted.enumerated() {
            let layout = change.address.binding.layout.number
            try statement.bind(first + Int64(index), at: 1)
            try statement.bind(change.kind.rawValue, at: 2)
            try statement.bind(shape.entityNumber(ofLayout: layout), at: 3)
            try statement.bind(change.address.key, at: 4)
            // Bound, so that the statement is the same for every transaction and compiled once.
            try statement.bind(transaction, at: 5)
            try statement.bind(
                change.kind == .update ? .blob(properties[layout].packed(change.properties)) : .null, at: 6)
            for place in 0..<tombstoneCount {
                try statement.bind(
                    place < change.tombstone.count ? Value(change.tombstone[place]) : .null, at: 7 + place)
            }
            try statement.run()
        }
    }

    /// Forgets what the transaction changed, when it has ended.
    func finish(wasCommitted: Bool, _ connection: Connection) {
        oldValues?.finish()
        keys.finish(wasCommitted: wasCommitted, connection)
        guard !changes.isEmpty else { return }
        changes = ChangeRecord()
    }
}

extension DerivedCell {
    fileprivate static let null = DerivedCell(
        StoredValue(tag: RowTag.null, bits: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0)))
}

extension Value {
    fileprivate init(_ cell: DerivedCell) {
        switch cell.tag {
        case RowTag.integer: self = .integer(Int64(bitPattern: cell.bits))
        case RowTag.real: self = .real(Double(bitPattern: cell.bits))
        case RowTag.text: self = .text(String(decoding: cell.bytes, as: UTF8.self))
        case RowTag.blob: self = .blob(cell.bytes)
        default: self = .null
        }
    }
}
