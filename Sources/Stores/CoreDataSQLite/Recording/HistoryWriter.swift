import CoreDataSQL
import SQLiteKit

/// Records in a store's history what each transaction changes.
///
/// Triggers of the connection report every changed row while the transaction runs; at its end the reports are written
/// as one transaction of the history, within the same transaction of the file. A transaction without changes records
/// nothing.
///
/// Used by one thread at a time, like its store, which passes its current connection with each call.
final class HistoryWriter {
    let shape: StoreShape
    let properties: [HistoryProperties]
    let triggers: HistoryTriggers
    private let tombstoneCount: Int
    /// Records overwritten values; nil if the options do not ask for them.
    let oldValues: OldValueRecorder?
    let keys = HistoryKeys()
    private(set) var changes = ChangeRecord()
    /// What a batch update has recorded with one statement.
    var recorded: RecordedUpdate?
    /// The changed properties by shape, cached since the rows of a save have only few shapes.
    private var known: [Shape: SlotSet] = [:]
    /// The results of the last lookup, as rows of one kind are mostly consecutive.
    private var lastShape: (shape: Shape, properties: SlotSet)?
    private var lastSubject: (number: Int64, binding: EntityBinding)?

    /// Identifies which columns of a row have changed.
    struct Shape: Hashable {
        let table: Int64
        let entity: Int64
        /// The index of the first column that the mask covers.
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

    /// Registers functions and triggers with the writing connection, so that it reports its changes.
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
        try registerUpdateFunctions(on: connection)
        for statement in triggers.statements { try connection.execute(statement) }
        try oldValues?.attach(to: connection)
    }

    // MARK: Reports of triggers

    private func address(_ arguments: FunctionArguments, entity: Int, key: Int) -> RowAddress? {
        let number = arguments.int64(entity)
        if lastSubject?.number != number { lastSubject = shape.plan(number: number).map { (number, $0.binding) } }
        return lastSubject.map { RowAddress(binding: $0.binding, key: arguments.int64(key)) }
    }

    private func noteUpdate(_ arguments: FunctionArguments) {
        let mask = arguments.int64(4)
        guard mask != 0, let address = address(arguments, entity: 1, key: 2) else { return }
        let shape = Shape(
            table: arguments.int64(0), entity: arguments.int64(1), start: arguments.int64(3), mask: mask)
        changes.noteUpdate(of: address, properties(in: shape))
    }

    /// Returns the properties whose columns have changed.
    func properties(in shape: Shape) -> SlotSet {
        if let lastShape, lastShape.shape == shape { return lastShape.properties }
        let properties = known[shape] ?? changedProperties(shape)
        lastShape = (shape, properties)
        return properties
    }

    private func changedProperties(_ shape: Shape) -> SlotSet {
        let numbers = triggers.tables[Int(shape.table)].properties[Int(shape.entity)] ?? []
        var changed = SlotSet()
        for (column, number) in numbers.enumerated().dropFirst(Int(shape.start)).prefix(HistoryTriggers.maskWidth) {
            if let number, shape.mask & (1 << (Int64(column) - shape.start)) != 0 { changed.insert(number) }
        }
        if known.count > 1_000 { known = [:] }
        known[shape] = changed
        return changed
    }

    private func noteDeletion(_ arguments: FunctionArguments) {
        guard let address = address(arguments, entity: 1, key: 2) else { return }
        let places = triggers.tables[Int(arguments.int64(0))].tombstones[Int(arguments.int64(1))] ?? []
        let values = places.map { tombstone -> DerivedCell in
            switch tombstone {
            case .column(let place): DerivedCell(StoredValue(arguments, 3 + place))
            case .composite(let places):
                DerivedCell(elements: places.map { $0.map { DerivedCell(StoredValue(arguments, 3 + $0)) } ?? .null })
            case .none: .null
            }
        }
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

    /// Writes the changes of the current transaction so far; returns the number of the history's transaction, nil if
    /// there are no changes.
    func record(by source: ChangeSource, _ connection: Connection) throws -> Int64? {
        guard !changes.isEmpty || recorded != nil else { return nil }
        let transaction = try recorded?.transaction ?? begin(connection)
        let strings = try [
            source.author, ProcessIdentity.bundleID, source.contextName, ProcessIdentity.name,
        ].map { try $0.map { try keys.string($0, connection) } }
        try connection.execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) "
                + "VALUES (?, \(HistoryTables.Entity.transaction.rawValue), ?, ?, ?, ?, ?)",
            [.integer(transaction)] + strings.map { $0.map(Value.integer) ?? .null }
                + [.real(Date().timeIntervalSinceReferenceDate)])
        if !changes.isEmpty {
            try write(transaction, first: try keys.take(changes.count, of: .change, connection), connection)
        }
        try oldValues?.record(transaction, connection)
        try keys.record(connection)
        return transaction
    }

    /// Begins a transaction of the history; returns its number.
    func begin(_ connection: Connection) throws -> Int64 {
        keys.begin(connection)
        return try keys.take(1, of: .transaction, connection)
    }

    private func write(_ transaction: Int64, first: Int64, _ connection: Connection) throws {
        var rows = ChangeInsertion(transaction, first: first, tombstones: tombstoneCount, connection)
        var packed: (layout: Int, properties: SlotSet, columns: Value)?
        for kind in ChangeRecord.Kind.allCases {
            try rows.begin(kind, count: changes.count(of: kind))
            try changes.forEachChange(of: kind) { change in
                let layout = change.address.binding.layout.number
                if packed?.layout != layout || packed?.properties != change.properties {
                    let columns = kind == .update ? Value.blob(properties[layout].packed(change.properties)) : .null
                    packed = (layout, change.properties, columns)
                }
                try rows.insert(
                    change, entity: shape.entityNumber(ofLayout: layout), columns: packed?.columns ?? .null)
            }
            packed = nil
        }
    }

    /// Discards the recorded changes at the end of the transaction.
    func finish(wasCommitted: Bool, _ connection: Connection) {
        oldValues?.finish()
        recorded = nil
        keys.finish(wasCommitted: wasCommitted, connection)
        guard !changes.isEmpty else { return }
        changes = ChangeRecord()
    }
}
