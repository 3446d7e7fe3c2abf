import CoreDataStore

/// A derived attribute that a save computes, in statements over all affected rows at a time.
///
/// No statement changes `Z_OPT`: a new derived value does not count as a change of its row, as with the triggers of
/// Apple's stores. Each statement takes the keys of the rows as a JSON array.
package struct SavedDerivation {
    package let attribute: NSDerivedAttributeDescription
    /// The entity that declares the attribute.
    package let entity: NSEntityDescription
    package let table: String
    package let column: String
    /// The relationship whose members the derivation counts or aggregates.
    package let collection: NSRelationshipDescription?
    /// The other rows whose changes affect the value.
    package let dependencies: [Dependency]
    /// The uniqueness constraints that include the attribute.
    package let constraints: [Constraint]
    /// Whether the foreign key of the members is a column of the owners' own table.
    package let isWithinOneTable: Bool
    /// Whether the value has the type of its source attribute, so that a trigger can copy the source column.
    package let keepsType: Bool
    /// The query for the keys and values of rows; nil if the value is the time of the save, which is the same for all
    /// rows.
    let values: String?
    /// The kind of the computed values.
    let kind: ValueKind

    /// Rows whose changes change the derived values of other rows.
    package struct Dependency {
        /// The entity of the rows.
        package let source: NSEntityDescription
        /// The properties whose updates matter. Deletions always matter, insertions if the derivation is over a
        /// collection.
        package let properties: [String]
        /// The query that finds the keys of the rows with the derived attribute from keys of the changed rows.
        package let owners: String
    }

    /// A uniqueness constraint that includes the derived attribute.
    package struct Constraint {
        package let names: [String]
        /// The columns of the properties other than the derived one.
        let otherColumns: [String]
    }

    private var quotedTable: String { SQLIdentifier.quoted(table) }
    private var quotedColumn: String { SQLIdentifier.quoted(column) }
    private static let keys = "(SELECT value FROM json_each(?))"

    /// The statement that writes the values that differ; it returns keys and entity numbers of these rows, and the
    /// values as stored.
    package var update: String {
        guard let values else { return timeUpdate }
        return "\(Self.with(values)) UPDATE \(quotedTable) SET \(quotedColumn) = n.v FROM n "
            + "WHERE \(quotedTable).Z_PK = n.k AND \(quotedTable).\(quotedColumn) IS NOT n.v \(returning)"
    }

    /// The statement that writes the time, its first parameter.
    private var timeUpdate: String {
        "UPDATE \(quotedTable) SET \(quotedColumn) = ? WHERE Z_PK IN \(Self.keys) \(returning)"
    }

    private var returning: String { "RETURNING Z_PK, Z_ENT, \(quotedColumn)" }

    /// Whether `update` takes the time as a parameter before the keys.
    package var isTime: Bool { values == nil }

    /// The statement that sets the values to null, so that the rows can then exchange unique values.
    package var clearing: String {
        "UPDATE \(quotedTable) SET \(quotedColumn) = NULL WHERE Z_PK IN \(Self.keys)"
    }

    /// The statement that writes the values that no other row has; it returns keys and entity numbers of these rows,
    /// and the values. Nil for the time of the save.
    package var updateOfUniqueValues: String? {
        values.map {
            "\(Self.with($0)) UPDATE OR IGNORE \(quotedTable) SET \(quotedColumn) = n.v FROM n "
                + "WHERE \(quotedTable).Z_PK = n.k \(returning)"
        }
    }

    /// Returns the query for the rows that `updateOfUniqueValues` skipped: their keys and entity numbers, then those of
    /// the rows that have the values.
    package func collisions(of constraint: Constraint) -> String? {
        let others = constraint.otherColumns.map {
            " AND o.\(SQLIdentifier.quoted($0)) = r.\(SQLIdentifier.quoted($0))"
        }
        return values.map {
            "\(Self.with($0)) SELECT r.Z_PK, r.Z_ENT, o.Z_PK, o.Z_ENT FROM n JOIN \(quotedTable) r ON r.Z_PK = n.k "
                + "JOIN \(quotedTable) o ON o.\(quotedColumn) = n.v AND o.Z_PK <> n.k\(others.joined()) "
                + "WHERE r.\(quotedColumn) IS NULL"
        }
    }

    /// The `WITH` clause that computes the value of each row once, before any is written.
    private static func with(_ values: String) -> String { "WITH n(k, v) AS MATERIALIZED (\(values))" }
}

extension SavedDerivation {
    /// The SQL function that converts a computed value to the attribute's type; parameters: the derivation's number and
    /// the value.
    package static let functionName = "coredata_derived"

    /// Returns a computed value in the form that the attribute's column stores, in a database that keeps 15 digits of
    /// decimals; null for a value of another type.
    package func stored(_ computed: SQLParameter) -> SQLParameter {
        SQLParameter(DerivedCell(kind.value(of: computed), of: attribute)).kept(in: ColumnType(attribute.attributeType))
    }
}
