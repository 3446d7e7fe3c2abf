/// The triggers with which a store maintains a derived attribute, with the same SQL text as in Apple's stores.
///
/// The text is known for the count of a one-to-many relationship and for a value at the end of a to-one relationship
/// (from stores that Apple's framework wrote), and for the time of an update (from published SQL logs). All other
/// derivations are computed by saves: see `SavedDerivation`.
struct DerivationTriggers {
    /// The name of the entity that declares the attribute.
    let entity: String
    let attribute: String
    let table: String
    let column: String

    private var q: (table: String, column: String) { (SQLIdentifier.quoted(table), SQLIdentifier.quoted(column)) }

    /// Returns the five triggers that count children, given the children's table and the column with the owner's key.
    func counting(_ children: ToManyMapping.ForeignKey) -> [TriggerDefinition] {
        let key = SQLIdentifier.quoted(children.column)
        let plus = "IFNULL(\(q.column), 0) + 1"
        let changes: [(String, String, String, String)] = [
            ("INSERT", "INSERT", "NEW", plus),
            ("UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(q.column) + 1"),
            ("UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(q.column) - 1"),
            ("DELETE", "DELETE", "OLD", "\(q.column) - 1"),
        ]
        let onChildren = changes.map { suffix, event, row, value in
            trigger(
                on: children.table, "PARAMETER_\(suffix)", event: "AFTER \(event)",
                when: " WHEN (\(row).\(key) NOT NULL)",
                value: value, of: "Z_PK = \(row).\(key)", reporting: .update)
        }
        let child = SQLIdentifier.quoted(children.table)
        let recount = "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(child) WHERE \(key) = NEW.Z_PK)"
        let onOwner = trigger(
            on: table, "SOURCE_INSERT", event: "AFTER INSERT", value: recount, of: "Z_PK = NEW.Z_PK", reporting: .insert
        )
        return onChildren + [onOwner]
    }

    /// Returns the four triggers that copy a column of the destination row of a to-one relationship.
    ///
    /// No trigger is needed for the deletion of a destination row, as the delete rule then changes the relationship.
    func copying(_ parameter: String, from other: String, by reference: String) -> [TriggerDefinition] {
        let (value, source, key) = (
            SQLIdentifier.quoted(parameter), SQLIdentifier.quoted(other), SQLIdentifier.quoted(reference)
        )
        let found = "(SELECT \(value) FROM \(source) WHERE Z_PK = NEW.\(key))"
        return [
            trigger(
                on: table, "SOURCE_INSERT", event: "AFTER INSERT", value: found, of: "Z_PK = NEW.Z_PK",
                reporting: .insert),
            trigger(
                on: table, "SOURCE_UPDATE", event: "AFTER UPDATE OF \(key)", value: found, of: "Z_PK = NEW.Z_PK",
                reporting: .update),
            trigger(
                on: other, "PARAMETER_INSERT", event: "AFTER INSERT", value: "NEW.\(value)", of: "\(key) = NEW.Z_PK",
                reporting: .insert),
            trigger(
                on: other, "PARAMETER_UPDATE", event: "AFTER UPDATE OF \(value)", value: "NEW.\(value)",
                of: "\(key) = NEW.Z_PK",
                reporting: .update),
        ]
    }

    /// Returns the trigger that sets the time of an update. In an inserted row, the save sets the time.
    func notingTime() -> [TriggerDefinition] {
        [
            trigger(
                on: table, "UPDATE", event: "AFTER UPDATE OF Z_OPT", value: "NSCoreDataNow()", of: "Z_PK = NEW.Z_PK",
                reporting: .update)
        ]
    }

    /// The functions that a trigger calls to report the value that it has changed to the connection.
    private enum Report: String {
        case update = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
        case insert = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    }

    /// Makes a trigger; `owners` is the condition on the rows whose value changes.
    private func trigger(
        on watched: String, _ suffix: String, event: String, when condition: String = "", value: String,
        of owners: String, reporting report: Report
    ) -> TriggerDefinition {
        let name = "Z_DA_\(watched)_\(entity)_\(attribute)_\(suffix)"
        let arguments =
            "\(SQLIdentifier.literal(table)), Z_ENT, Z_PK, \(SQLIdentifier.literal(attribute)), \(q.column)"
        let sql =
            "CREATE TRIGGER \(SQLIdentifier.quoted(name)) \(event) ON \(SQLIdentifier.quoted(watched))"
            + " FOR EACH ROW\(condition) BEGIN UPDATE \(q.table) SET \(q.column) = \(value) WHERE \(owners);"
            + " SELECT \(report.rawValue)(\(arguments)) FROM \(q.table) WHERE \(owners); END"
        return TriggerDefinition(name: name, entity: entity, attribute: attribute, table: watched, sql: sql)
    }
}
