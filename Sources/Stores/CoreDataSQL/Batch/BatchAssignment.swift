import CoreDataStore

/// An assignment of a batch update: a column, and the value that the update writes to it in every row.
package struct BatchAssignment {
    package enum Source {
        case parameter(SQLParameter)
        /// A value of an attribute that allows external storage; the update stores a separate copy of it for each row.
        case largeValue(SQLParameter)
        /// An expression over the row's values before the update, and the attribute that it is assigned to.
        case computed(NSExpression, NSAttributeDescription)
        /// The position after the last one among the rows whose `keyColumn` contains `key`.
        case lastPlace(keyColumn: String, key: SQLParameter)
    }

    package let column: String
    package let source: Source

    package init(column: String, source: Source) {
        self.column = column
        self.source = source
    }
}

/// Converts the result of an SQL expression in a batch update to a value of the assigned attribute.
package struct AssignedValue {
    let kind: ValueKind
    let attribute: NSAttributeDescription

    /// The SQL function that statements call for the conversion; parameters: the assignment's number and the computed
    /// value.
    package static let functionName = "coredata_assigned"
    /// The SQL function that statements call to convert a value of an attribute that allows external storage to its
    /// stored form.
    package static let largeValueFunctionName = "coredata_large"

    /// Returns a computed value in the form that the attribute's column stores, in a database that keeps 15 digits of
    /// decimals.
    ///
    /// - Throws: a `ValueRejection` for a number out of the attribute's range.
    package func stored(_ computed: SQLParameter) throws -> SQLParameter {
        SQLParameter(try DerivedCell(accepting: kind.value(of: computed), of: attribute))
            .kept(in: ColumnType(attribute.attributeType))
    }
}

/// A batch update as one statement.
package struct CompiledUpdate {
    package let query: CompiledQuery
    /// The query for the primary keys of the rows that the update changes; nil if it changes all rows of the table.
    package let rows: CompiledQuery?
    /// The conversions that `AssignedValue.functionName` carries out, by the number that the statement passes to it.
    package let conversions: [AssignedValue]
}
