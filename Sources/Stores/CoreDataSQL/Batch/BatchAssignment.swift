import CoreDataStore

/// What one column of the rows of a batch update gets.
package struct BatchAssignment {
    package enum Source {
        case parameter(SQLParameter)
        /// A value that may be stored outside the row: each row has its own copy.
        case largeValue(SQLParameter)
        /// A value computed from the row as it was.
        case computed(NSExpression, NSAttributeDescription)
        /// A place behind those of all rows in which a column has a key.
        case lastPlace(keyColumn: String, key: SQLParameter)
    }

    package let column: String
    package let source: Source

    package init(column: String, source: Source) {
        self.column = column
        self.source = source
    }
}

/// How a computed value becomes one of an attribute.
package struct AssignedValue {
    let kind: ValueKind
    let attribute: NSAttributeDescription

    /// The function of SQL that converts: the number of the assignment, and the computed value.
    package static let functionName = "coredata_assigned"
    /// The function of SQL that gives a large value the form in which it is stored.
    package static let largeValueFunctionName = "coredata_large"

    /// A computed value as the attribute's column holds it in a database that keeps 15 digits of decimals.
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
    /// The query for the keys of the rows that it changes; nil where it changes all rows of the table.
    package let rows: CompiledQuery?
    /// What `AssignedValue.functionName` is to do, by the numbers of the assignments.
    package let conversions: [AssignedValue]
}
