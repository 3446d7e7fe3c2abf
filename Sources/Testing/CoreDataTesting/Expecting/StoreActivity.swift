import CoreData

/// What was done with a store while a block ran.
public struct StoreActivity: Sendable {
    /// An execution of a statement of SQL.
    public struct Statement: Sendable {
        /// The statement, with `?` in the place of values.
        public let sql: String
        /// The number of rows that it returned or changed.
        public let rows: Int
    }

    /// A fault that fired, and for which the store was read.
    public struct Fault: Sendable {
        /// The entity.
        public let entity: String
        /// The name of the to-many relationship that was read; nil for the fault of an object.
        public let relationship: String?
    }

    /// The statements that read or write records, in order. Those that begin and end transactions are not among them,
    /// nor those about the tables that the store keeps for itself: keys, metadata, the cached model.
    public internal(set) var statements: [Statement] = []
    /// The faults of objects and to-many relationships.
    public internal(set) var faults: [Fault] = []
    /// The number of saves.
    public internal(set) var saves = 0
    /// The numbers of objects that were saved.
    public internal(set) var inserted = 0, updated = 0, deleted = 0

    /// The number of objects whose insertion, change or deletion was saved.
    public var changes: Int { inserted + updated + deleted }

    /// The lists that messages have: all statements and faults.
    var listing: String {
        var lines: [String] = []
        for (index, statement) in statements.enumerated() {
            let sql = statement.sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            lines.append("  statement \(index + 1): \(sql) (\(statement.rows) rows)")
        }
        for (index, fault) in faults.enumerated() {
            let name = fault.relationship.map { "\(fault.entity).\($0)" } ?? fault.entity
            lines.append("  fault \(index + 1): \(name)")
        }
        let limit = 60
        guard lines.count > limit else { return lines.joined(separator: "\n") }
        return lines.prefix(limit).joined(separator: "\n") + "\n  and \(lines.count - limit) more"
    }
}
