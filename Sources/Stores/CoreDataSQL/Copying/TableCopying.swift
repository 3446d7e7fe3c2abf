import CoreDataStore

/// What a store type with tables implements so that `TableCopy` can copy its stores by rows to every other such type,
/// and back.
///
/// Both sides have the tables of the model's `StoreSchema`, under any names and with values in any format; they
/// exchange `StoredValue`s: integers, reals, UTF-8, bytes, and decimals as their digits. Large values are complete,
/// wherever they are stored; values too large for memory are passed in parts (`LongValue`).
package protocol TableCopying: AnyObject {
    /// Opens a store to copy it; the store is not changed.
    static func tableSource(at url: URL, of model: NSManagedObjectModel) throws -> any TableSource
    /// Opens the location of a copy, where an interrupted copy may exist already.
    static func tableTarget(at url: URL, for model: NSManagedObjectModel) throws -> any TableTarget
    /// Returns why stores of this type cannot store a value, as the end of a sentence; nil if they can.
    static func refusal(of value: StoredValue, in type: ColumnType) -> String?
    /// Returns the URL at which a store that is not copied by rows is made, before the complete store moves to `url`.
    static func temporary(for url: URL) -> URL
}

/// The source of a copy: one state of a store, read table by table.
package protocol TableSource: AnyObject {
    /// The tables, with the numbers that the store gives to its entities.
    var schema: StoreSchema { get }
    /// The store's metadata, including its identifier.
    var metadata: [String: Any] { get }
    /// Whether `readRows` passes null for a large value that cannot be read; otherwise it throws.
    var leavesOutUnreadableValues: Bool { get set }
    /// Returns the store's entities, each with the greatest primary key that was allocated for it.
    func primaryKeys() throws -> [StoreSchema.PrimaryKeyRow]
    /// Returns a sum over the keys and versions of a table's rows, equal in every store type, and the number of the
    /// rows.
    func state(of table: CopiedTable) throws -> (sum: String, count: Int)
    /// Passes at most `limit` rows to `body`, in the order of their keys, from the first after `keys`; a row is valid
    /// until `body` returns.
    func readRows(
        of table: CopiedTable, after keys: [Int64], limit: Int,
        _ body: (TableRow) throws -> Void
    ) throws
    /// Passes `Z_PK`, `Z_ENT` and the values of `columns` to `body`, at least for each row where one is not a plain
    /// number.
    func readDoubtful(
        _ table: CopiedTable, columns: [Int], body: (UnsafeBufferPointer<StoredValue>) throws -> Void
    ) throws
    /// Passes `Z_PK`, `Z_ENT`, the column and the reason to `body` for each large value that cannot be read.
    func readUnreadable(
        _ table: CopiedTable, _ body: (_ key: Int64, _ number: Int64, _ column: Int, _ reason: String) throws -> Void
    ) throws
    /// Returns what a copy must know about the store's history; nil if the store keeps none.
    func history() throws -> CopiedHistory?
    /// Returns at most `limit` transactions of the history with numbers greater than `number`, the oldest first.
    func transactions(after number: Int64, limit: Int) throws -> [HistoryTransaction]
    /// Passes the changes of the transactions with these numbers to `body`, in the order of the transactions.
    func readChanges(of numbers: ClosedRange<Int64>, _ body: (CopiedChange) throws -> Void) throws
    func close()
}

extension TableSource {
    /// Does nothing: values that are stored in the rows can always be read.
    package func readUnreadable(
        _ table: CopiedTable, _ body: (_ key: Int64, _ number: Int64, _ column: Int, _ reason: String) throws -> Void
    ) throws {}
}

/// The target of a copy: a store that is made row by row, and that cannot be opened as a store until `finish` returns.
package protocol TableTarget: AnyObject {
    /// Creates the tables, or resumes an unfinished copy; returns the progress of the copy.
    ///
    /// - Throws: `NSPersistentStoreOpenError` if there is a store, or an unfinished copy of another store.
    func begin(_ origin: CopyOrigin, schema: StoreSchema, keys: [StoreSchema.PrimaryKeyRow]) throws -> CopyPlace
    /// Adds rows and records the progress of the copy with them, atomically.
    func add(
        to table: CopiedTable,
        _ fill: (_ put: (TableRow) throws -> Void) throws -> CopyPlace
    ) throws
    /// Adds transactions of a history with their changes and records the progress of the copy with them, atomically.
    func add(
        _ transactions: [HistoryTransaction],
        _ fill: (_ put: (CopiedChange) throws -> Void) throws -> CopyPlace
    ) throws
    /// Creates what is created only after the rows, and makes the target a store.
    ///
    /// - Parameter history: the extent of the copied history, which new transactions of the store continue; nil to keep
    ///   none.
    func finish(_ metadata: [String: Any], history: HistoryExtent?) throws
    /// Removes what an unfinished copy has left at the target's location.
    func discard() throws
    func close()
}

extension TableCopying {
    /// Returns why a store of this type cannot store an attribute's value, as the end of a sentence; nil if it can.
    package static func refusal(of value: StoredValue, of attribute: NSAttributeDescription) -> String? {
        ColumnType(attribute.attributeType).flatMap { refusal(of: value, in: $0) }
    }
}
