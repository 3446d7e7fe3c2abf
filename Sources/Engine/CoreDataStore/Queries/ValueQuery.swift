import CoreDataModeling

/// A question to a store for values rather than for rows: of each row, or of each group of rows.
///
/// Invariants:
/// 1. Without grouping, expressions of columns and orderings are about the record; the only names they have are those of
///    properties.
/// 2. With grouping they know nothing but the variables of `ValueGrouping`; so does the grouping's condition.
/// 3. Every path has been followed in the model: it ends at something that is stored.
package struct ValueQuery {
    package let binding: EntityBinding
    package let includesSubentities: Bool
    package let predicate: NSPredicate?
    package let columns: [ValueColumn]
    /// Nil where each row of the store makes one of the result.
    package let grouping: ValueGrouping?
    package let orderings: [ValueOrdering]
    /// Whether the result contains equal rows only once; `orderings` must then use only expressions of `columns`.
    package let isDistinct: Bool
    /// No limit when zero.
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

    /// The rows that the question is about, in any order.
    package var rows: FetchQuery {
        FetchQuery(binding: binding, includesSubentities: includesSubentities, predicate: predicate)
    }

    /// The expression of a record that a column has: that of a key, where it names one.
    package func recordExpression(of column: ValueColumn) -> NSExpression {
        guard case .variable(let name) = column.expression.form, let grouping,
            let key = grouping.keys.first(where: { $0.name == name })
        else { return column.expression }
        return key.expression
    }
}

/// One of the requested values, and its content.
package struct ValueColumn {
    package enum Content {
        /// What is stored under an attribute, an element of a composite one included.
        case attribute(NSAttributeDescription, AttributeKind)
        /// The identifier of an object of the entity.
        case reference(NSEntityDescription)
        /// What the expression gives, as the declared type; as it comes where that is undefined.
        case calculation(NSAttributeType)
    }

    package let name: String
    package let expression: NSExpression
    package let content: Content
    /// Whether the expression gives a list: a value of each member of a to-many relationship. Only arguments of aggregates
    /// do, which go over the members of all rows of a group.
    package let isList: Bool

    package init(name: String, expression: NSExpression, content: Content, isList: Bool = false) {
        self.name = name
        self.expression = expression
        self.content = content
        self.isList = isList
    }
}

/// What makes rows one group, and what is made of a group.
///
/// Expressions know the keys and the aggregates as variables by their names, which no format string can spell.
package struct ValueGrouping {
    /// Named `@key0` and so on; without keys, all rows are one group, which may be empty.
    package var keys: [ValueColumn] = []
    /// The variable of each is `@aggregate0` and so on.
    package var aggregates: [GroupAggregate] = []
    /// What groups must fulfil.
    package var condition: NSPredicate?

    package init(keys: [ValueColumn] = [], aggregates: [GroupAggregate] = [], condition: NSPredicate? = nil) {
        self.keys = keys
        self.aggregates = aggregates
        self.condition = condition
    }

    /// The variable of a key by its number.
    package static func keyName(_ number: Int) -> String { "@key\(number)" }

    /// The variable of an aggregate by its number.
    package static func aggregateName(_ number: Int) -> String { "@aggregate\(number)" }
}

/// A function over a value of all rows of a group.
package struct GroupAggregate {
    package let function: ExpressionFunction
    /// The value of each row, or a list of values; the record itself where rows are counted. It is unnamed.
    package let argument: ValueColumn

    package init(function: ExpressionFunction, argument: ValueColumn) {
        self.function = function
        self.argument = argument
    }
}

/// One of the things that a result is sorted by.
package struct ValueOrdering {
    package let expression: NSExpression
    package let sorting: Sorting
    /// What the request calls it, for messages.
    package let name: String

    package init(expression: NSExpression, sorting: Sorting, name: String) {
        self.expression = expression
        self.sorting = sorting
        self.name = name
    }
}
