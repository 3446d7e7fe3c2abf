import CoreDataModeling

/// A query for values instead of rows: one result row for each row of the store, or for each group of rows.
///
/// Invariants:
/// 1. Without `grouping`, the expressions of columns and orderings are evaluated on the record, and refer to its
///    properties only.
/// 2. With `grouping`, these expressions and the grouping's condition refer only to the variables of `ValueGrouping`.
/// 3. Every key path has been checked against the model: it leads to a stored property.
package struct ValueQuery {
    package let binding: EntityBinding
    package let includesSubentities: Bool
    package let predicate: NSPredicate?
    package let columns: [ValueColumn]
    /// How rows are grouped; nil if each row of the store becomes one row of the result.
    package let grouping: ValueGrouping?
    package let orderings: [ValueOrdering]
    /// Whether the result contains equal rows only once; `orderings` must then use only expressions of `columns`.
    package let isDistinct: Bool
    /// The greatest number of result rows; 0 for no limit.
    package let limit: Int
    package let offset: Int

    package init(
        binding: EntityBinding, includesSubentities: Bool, predicate: NSPredicate?, columns: [ValueColumn],
        grouping: ValueGrouping?, orderings: [ValueOrdering], isDistinct: Bool, limit: Int, offset: Int
    ) {
        self.binding = binding
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.columns = columns
        self.grouping = grouping
        self.orderings = orderings
        self.isDistinct = isDistinct
        self.limit = limit
        self.offset = offset
    }

    /// The rows that the query reads, in any order.
    package var rows: FetchQuery {
        FetchQuery(binding: binding, includesSubentities: includesSubentities, predicate: predicate)
    }

    /// The expression of a column in terms of a record; for a column that is the variable of a group key, the key's
    /// expression.
    package func recordExpression(of column: ValueColumn) -> NSExpression {
        guard case .variable(let name) = column.expression.form, let grouping,
            let key = grouping.keys.first(where: { $0.name == name })
        else { return column.expression }
        return key.expression
    }
}

/// One value of each result row: its name, expression and kind of content.
package struct ValueColumn {
    package enum Content {
        /// The stored value of an attribute, or of an element of a composite attribute.
        case attribute(NSAttributeDescription, AttributeKind)
        /// The identifier of an object of the entity.
        case reference(NSEntityDescription)
        /// The result of the expression, converted to the declared type; unconverted if the type is undefined.
        case calculation(NSAttributeType)
    }

    package let name: String
    package let expression: NSExpression
    package let content: Content
    /// Whether the expression returns a list, with a value of each member of a to-many relationship. Only arguments of
    /// aggregates do; the aggregate is then computed over the members of all rows of the group.
    package let isList: Bool

    package init(name: String, expression: NSExpression, content: Content, isList: Bool = false) {
        self.name = name
        self.expression = expression
        self.content = content
        self.isList = isList
    }
}

/// The keys by which rows are grouped, and the aggregates that are computed of each group.
///
/// Expressions refer to keys and aggregates as variables, whose names cannot be written in a format string.
package struct ValueGrouping {
    /// The variable of each key is `@key0` and so on. Without keys all rows form one group, which exists even without
    /// rows.
    package var keys: [ValueColumn] = []
    /// The variable of each aggregate is `@aggregate0` and so on.
    package var aggregates: [GroupAggregate] = []
    /// The condition that groups must fulfill to be in the result (HAVING).
    package var condition: NSPredicate?

    package init(keys: [ValueColumn] = [], aggregates: [GroupAggregate] = [], condition: NSPredicate? = nil) {
        self.keys = keys
        self.aggregates = aggregates
        self.condition = condition
    }

    /// The name of the variable of a key, by the key's index.
    package static func keyName(_ number: Int) -> String { "@key\(number)" }

    /// The name of the variable of an aggregate, by the aggregate's index.
    package static func aggregateName(_ number: Int) -> String { "@aggregate\(number)" }
}

/// An aggregate function that is applied to the values of all rows of a group.
package struct GroupAggregate {
    package let function: ExpressionFunction
    /// The value of each row, or a list of values; the record itself if rows are counted. The column has no name.
    package let argument: ValueColumn

    package init(function: ExpressionFunction, argument: ValueColumn) {
        self.function = function
        self.argument = argument
    }
}

/// One sort criterion of a result.
package struct ValueOrdering {
    package let expression: NSExpression
    package let sorting: Sorting
    /// The name of the expression in the request, for messages.
    package let name: String

    package init(expression: NSExpression, sorting: Sorting, name: String) {
        self.expression = expression
        self.sorting = sorting
        self.name = name
    }
}
