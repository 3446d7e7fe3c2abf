import CoreData

/// One thing that must not be in the rows of a table, as a condition of SQL, and its repair.
///
/// `t` stands for the row. Conditions are evaluated by SQLite, so a rule costs no memory however many rows break it.
struct RowRule {
    let kind: StoreFinding.Kind
    let table: String
    var property: String?
    /// True for a row that breaks the rule.
    let condition: String
    /// The key and the entity number of the object that the row is about; `NULL` for none.
    var key = "t.Z_PK"
    var entity = "t.Z_ENT"
    /// An integer that stands for `#` in the sentence.
    var detail = "NULL"
    let sentence: String
    var remedy: RowRemedy?
    /// What is said of all rows together where breaking the rule is not a fault of the store.
    var remark: String?
    /// What the repair changes, where that is not the property of the object that the row is about.
    var changes: Change?

    /// A property of an object, by expressions of SQL for its entity number and key.
    struct Change {
        let entity: String
        let key: String
        let property: String?
    }
}

/// How the rows that break a rule are repaired.
struct RowRemedy {
    /// What is done to a row, for people.
    let text: String
    /// The statements; `temp.repairing(id)` has the row ids of the rows.
    let statements: [String]

    /// Gives columns of the rows other values and counts their versions up.
    static func assign(_ text: String, table: String, values: [(column: String, value: String)]) -> RowRemedy {
        let sets = values.map { "\(SQLIdentifier.quoted($0.column)) = \($0.value)" } + [Self.nextVersion]
        return RowRemedy(
            text: text,
            statements: [
                "UPDATE \(SQLIdentifier.quoted(table)) AS t SET \(sets.joined(separator: ", ")) "
                    + "WHERE t.rowid IN (SELECT id FROM temp.repairing)"
            ])
    }

    /// Removes the rows.
    static func delete(_ text: String, _ table: String) -> RowRemedy {
        RowRemedy(
            text: text,
            statements: [
                "DELETE FROM \(SQLIdentifier.quoted(table)) WHERE rowid IN (SELECT id FROM temp.repairing)"
            ])
    }

    /// The row's version, one higher; also where what is there is no version.
    static let nextVersion = "Z_OPT = max(0, min(CAST(ifnull(t.Z_OPT, 0) AS INTEGER), 4611686018427387904)) + 1"
}

/// A fault of the store as a whole, and the statements that repair it.
struct StoreFault {
    let finding: StoreFinding
    var statements: [(sql: String, values: [StatementValue])] = []
}
