import CoreDataStore

/// Copying stores that consist of tables, by rows: what a store type needs to be copied to every other such type.
///
/// Both sides have the tables of the model's `StoreSchema`, whatever they call them and however they write values; between them
/// pass `StoredValue`s: integers, reals, UTF-8, bytes, and decimals as their digits. Large values are complete, wherever they are stored;
/// values too large for a row are passed in parts (`LongValue`).
package protocol TableCopying: AnyObject {
    /// Opens a store to be copied; nothing of it is changed.
    static func tableSource(at url: URL, of model: NSManagedObjectModel) throws -> any TableSource
    /// The place of a copy, which may have been begun before.
    static func tableTarget(at url: URL, for model: NSManagedObjectModel) throws -> any TableTarget
    /// Why the kind cannot hold a value, as the end of a sentence; nil where it can.
    static func refusal(of value: StoredValue, in type: ColumnType) -> String?
    /// Where a store is made before it moves, once complete, to its URL; for stores that are not copied by rows.
    static func temporary(for url: URL) -> URL
}

/// One state of a store, read table by table.
package protocol TableSource: AnyObject {
    /// The tables, with the numbers that the store gives to its entities.
    var schema: StoreSchema { get }
    /// What the store says of itself, its identity included.
    var metadata: [String: Any] { get }
    /// Whether large values that cannot be read are handed out as null; else reading them fails.
    var leavesOutUnreadableValues: Bool { get set }
    /// The entities with the greatest key that was given out of each.
    func primaryKeys() throws -> [StoreSchema.PrimaryKeyRow]
    /// A sum over keys and versions of a table's rows, alike in every kind of store, and how many they are.
    func state(of table: CopiedTable) throws -> (sum: String, count: Int)
    /// Hands out rows in the order of their keys, those behind a place alone; a row is good until the body returns.
    func readRows(
        of table: CopiedTable, after keys: [Int64], limit: Int,
        _ body: (TableRow) throws -> Void
    ) throws
    /// Hands out `Z_PK`, `Z_ENT` and some columns of rows, at least of those with values that are not plain numbers.
    func readDoubtful(
        _ table: CopiedTable, columns: [Int], body: (UnsafeBufferPointer<StoredValue>) throws -> Void
    ) throws
    /// Hands out `Z_PK`, `Z_ENT`, the column and the reason of large values that cannot be read.
    func readUnreadable(
        _ table: CopiedTable, _ body: (_ key: Int64, _ number: Int64, _ column: Int, _ reason: String) throws -> Void
    ) throws
    /// What there is of the store's history; nil where it keeps none.
    func history() throws -> CopiedHistory?
    /// The transactions of the history behind a number, the oldest first, at most so many.
    func transactions(after number: Int64, limit: Int) throws -> [HistoryTransaction]
    /// Hands out the changes of the transactions with such numbers, in their order.
    func readChanges(of numbers: ClosedRange<Int64>, _ body: (CopiedChange) throws -> Void) throws
    func close()
}

extension TableSource {
    /// Does nothing: values that are stored in the rows can be read.
    package func readUnreadable(
        _ table: CopiedTable, _ body: (_ key: Int64, _ number: Int64, _ column: Int, _ reason: String) throws -> Void
    ) throws {}
}

/// A store that is being made of rows, and is not a store for anybody else until it is finished.
package protocol TableTarget: AnyObject {
    /// Makes the tables, or continues with existing ones; returns the progress of the copy.
    ///
    /// - Throws: `NSPersistentStoreOpenError` if there is a store, or an unfinished copy of another store.
    func begin(_ origin: CopyOrigin, schema: StoreSchema, keys: [StoreSchema.PrimaryKeyRow]) throws -> CopyPlace
    /// Adds rows and records the progress of the copy with them, atomically.
    func add(
        to table: CopiedTable,
        _ fill: (_ put: (TableRow) throws -> Void) throws -> CopyPlace
    ) throws
    /// Adds transactions of a history with their changes, and records how far the copy is with them: all or nothing.
    func add(
        _ transactions: [HistoryTransaction],
        _ fill: (_ put: (CopiedChange) throws -> Void) throws -> CopyPlace
    ) throws
    /// Makes what is made after the rows, and a store of it all.
    ///
    /// - Parameter history: which transactions have been added, behind which the history is to go on; nil to keep none.
    func finish(_ metadata: [String: Any], history: HistoryExtent?) throws
    /// Removes what an unfinished copy has left.
    func discard() throws
    func close()
}

extension TableCopying {
    /// Why a store of this kind cannot have a stored value of an attribute; nil where it can.
    package static func refusal(of value: StoredValue, of attribute: NSAttributeDescription) -> String? {
        ColumnType(attribute.attributeType).flatMap { refusal(of: value, in: $0) }
    }
}
