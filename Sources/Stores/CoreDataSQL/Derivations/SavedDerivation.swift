import CoreDataStore

/// A derived attribute that a save computes, in statements over all affected rows at a time.
///
/// No statement touches `Z_OPT`: a derived value is not a change of its row, as the triggers of Apple's stores have it.
/// Each statement takes the keys of rows as a JSON array.
package struct SavedDerivation {
    package let attribute: NSDerivedAttributeDescription
    /// The entity that declares the attribute.
    package let entity: NSEntityDescription
    package let table: String
    package let column: String
    /// The relationship whose members are counted or put together.
    package let collection: NSRelationshipDescription?
    /// What must be watched besides the rows themselves.
    package let dependencies: [Dependency]
    /// Constraints that the attribute is part of.
    package let constraints: [Constraint]
    /// Whether the members have the owner's key in the table of the owners themselves.
    package let isWithinOneTable: Bool
    /// Whether the value is of the type of the attribute that it comes from, so that a copy of its column does.
    package let keepsType: Bool
    /// The query for the keys of rows and their values; nil for the time of the save, which is the same for all.
    let values: String?
    /// What kind the computed values are of.
    let kind: ValueKind

    /// Rows whose changes change the values of others.
    package struct Dependency {
        /// The entity of the rows.
        package let source: NSEntityDescription
        /// The properties that matter; insertions and deletions always do.
        package let properties: [String]
        /// The query that leads from keys of such rows to those of the rows with the derived attribute.
        package let owners: String
    }

    /// A group of properties whose values must be unique together.
    package struct Constraint {
        package let names: [String]
        /// The columns of the properties other than the derived one.
        let otherColumns: [String]
    }

    private var quotedTable: String { SQLIdentifier.quoted(table) }
    private var quotedColumn: String { SQLIdentifier.quoted(column) }
    private static let keys = "(SELECT value FROM json_each(?))"

    /// Writes the values that differ; gives the keys and entity numbers of those rows, and the values as they are stored.
    package var update: String {
        guard let values else { return timeUpdate }
        return "\(Self.with(values)) UPDATE \(quotedTable) SET \(quotedColumn) = n.v FROM n "
            + "WHERE \(quotedTable).Z_PK = n.k AND \(quotedTable).\(quotedColumn) IS NOT n.v \(returning)"
    }

    /// Writes the time, which is the first parameter.
    private var timeUpdate: String {
        "UPDATE \(quotedTable) SET \(quotedColumn) = ? WHERE Z_PK IN \(Self.keys) \(returning)"
    }

    private var returning: String { "RETURNING Z_PK, Z_ENT, \(quotedColumn)" }

    /// Whether the statement takes the time before the keys.
    package var isTime: Bool { values == nil }

    /// Takes all values away, so that rows may have each other's.
    package var clearing: String {
        "UPDATE \(quotedTable) SET \(quotedColumn) = NULL WHERE Z_PK IN \(Self.keys)"
    }

    /// Writes the values that no other row has; gives the keys and entity numbers of those rows, and the values.
    package var updateOfUniqueValues: String? {
        values.map {
            "\(Self.with($0)) UPDATE OR IGNORE \(quotedTable) SET \(quotedColumn) = n.v FROM n "
                + "WHERE \(quotedTable).Z_PK = n.k \(returning)"
        }
    }

    /// Finds the rows that had to go without their values: their keys and entity numbers, then those of the holders.
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

    /// The values are computed once for each row, before any is written.
    private static func with(_ values: String) -> String { "WITH n(k, v) AS MATERIALIZED (\(values))" }
}

extension SavedDerivation {
    /// The function of SQL that makes what was computed a value of the attribute: its number and the value.
    package static let functionName = "coredata_derived"

    /// A computed value as the attribute's column holds it in a database that keeps 15 digits of decimals; null for one that
    /// is not of its type.
    package func stored(_ computed: SQLParameter) -> SQLParameter {
        SQLParameter(DerivedCell(kind.value(of: computed), of: attribute)).kept(in: ColumnType(attribute.attributeType))
    }
}
