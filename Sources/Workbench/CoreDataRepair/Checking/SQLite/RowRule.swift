import CoreData

/// An SQL condition that finds the rows of a table with one kind of fault, and the repair of these rows.
///
/// In all expressions, `t` is the row. SQLite evaluates the condition, so the number of faulty rows does not affect
/// memory.
struct RowRule {
    let kind: StoreFinding.Kind
    let table: String
    var property: String?
    /// An SQL condition that is true for a row that breaks the rule.
    let condition: String
    /// SQL expressions for the key and the entity number of the object that a finding names; `NULL` for no object.
    var key = "t.Z_PK"
    var entity = "t.Z_ENT"
    /// An SQL expression for the value that replaces `#` in the sentence.
    var detail = "NULL"
    let sentence: String
    var remedy: RowRemedy?
    /// If not nil, breaking the rule is not a fault: the check adds one remark with this text and the number of rows,
    /// and no findings, and the repair skips the rule.
    var remark: String?
    /// What the repair records as changed in the history; nil for `property` of the object given by `key` and `entity`.
    var changes: Change?

    /// A changed property of an object, which is given by SQL expressions for its entity number and key.
    struct Change {
        let entity: String
        let key: String
        let property: String?
    }
}

/// How the rows that break a rule are repaired.
struct RowRemedy {
    /// A sentence that says how a row is repaired, for the findings.
    let text: String
    /// The SQL statements of the repair, which find the rowids of the faulty rows in the table `temp.repairing(id)`.
    let statements: [String]

    /// Sets columns of the rows of `temp.repairing` to SQL expressions and increments the rows' versions.
    static func assign(_ text: String, table: String, values: [(column: String, value: String)]) -> RowRemedy {
        let sets = values.map { "\(SQLIdentifier.quoted($0.column)) = \($0.value)" } + [Self.nextVersion]
        return RowRemedy(
            text: text,
            statements: [
                "UPDATE \(SQLIdentifier.quoted(table)) AS t SET \(sets.joined(separator: ", ")) "
                    + "WHERE t.rowid IN (SELECT id FROM temp.repairing)"
            ])
    }

    /// Deletes the rows of `temp.repairing`.
    static func delete(_ text: String, _ table: String) -> RowRemedy {
        RowRemedy(
            text: text,
            statements: [
                "DELETE FROM \(SQLIdentifier.quoted(table)) WHERE rowid IN (SELECT id FROM temp.repairing)"
            ])
    }

    /// An SQL assignment that increments the version of the row `t`; a stored value that is not a number counts as 0.
    static let nextVersion = "Z_OPT = max(0, min(CAST(ifnull(t.Z_OPT, 0) AS INTEGER), 4611686018427387904)) + 1"
}

/// A fault of the store itself rather than of a row, and the statements that repair it.
struct StoreFault {
    let finding: StoreFinding
    var statements: [(sql: String, values: [StatementValue])] = []
}
