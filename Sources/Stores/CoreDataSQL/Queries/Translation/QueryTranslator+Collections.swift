import CoreDataStore

extension QueryTranslator {
    /// Whether a condition holds for any element of a to-many relationship.
    mutating func exists(
        in collection: Collection, _ body: (inout QueryTranslator, Operand) throws -> SQLExpression
    ) throws -> SQLExpression {
        let (element, link) = try open(collection)
        var condition: SQLExpression
        var value = try value(of: collection, element)
        if collection.leavesOutMissing { value.leaveOutMissing() }
        if case .collection(let inner) = value {
            condition = try exists(in: inner, body)
            // In memory the collection of a nil object is one nil among the elements.
            if inner.owner != element {
                let isMissing = SQLExpression.isNull(.column(inner.owner.key))
                condition = .disjunction([condition, .conjunction([isMissing, try body(&self, .constant(nil))])])
            }
        } else {
            condition = try body(&self, value)
        }
        if collection.leavesOutNil, let key = key(of: value) { condition = .conjunction([.isNotNull(key), condition]) }
        if condition == .truth(false) { return condition }
        if collection.leavesOutMissing, !element.isOwnRow {
            let row = SQLColumn(try alias(of: element), "Z_PK")
            condition = .conjunction([condition, .isNotNull(.column(row))])
        }
        return .exists(
            SQLSelect(result: .one, source: sources[element.source], condition: .conjunction([link, condition])))
    }

    /// Whether a condition holds for any element of two collections taken together in some way.
    mutating func exists(
        in combined: CombinedCollections, _ body: (inout QueryTranslator, Operand) throws -> SQLExpression
    ) throws -> SQLExpression {
        switch combined.operation {
        case .union: return .disjunction([try some(of: combined.left, body), try some(of: combined.right, body)])
        case .intersect, .minus:
            return try some(of: combined.left) { translator, element in
                let isInRight = try translator.membership(of: element, in: combined.right, [])
                let isKept = combined.operation == .minus ? isInRight.negated : isInRight
                return .conjunction([isKept, try body(&translator, element)])
            }
        }
    }

    // MARK: Values of all elements

    /// The number of elements, or of values of theirs that are not nil.
    mutating func count(of collection: Collection, countsNil: Bool) throws -> (SQLExpression, ValueKind) {
        if collection.isDistinct { throw distinct(collection) }
        let (element, link) = try open(collection)
        let operand = try value(of: collection, element)
        let result: SQLSelect.Result
        if case .collection(let inner) = operand {
            var count = try count(of: inner, countsNil: countsNil).0
            if countsNil, inner.owner != element {
                let isThere = SQLExpression.isNotNull(.column(inner.owner.key))
                count = .conditional(isThere, then: count, otherwise: .number(1))
            }
            let sum = scalar(.aggregate(.sum, count), element: element, link: link)
            return (.call("coalesce", [sum, .number(0)]), .number(.whole))
        } else if countsNil {
            result = .count
        } else if let key = key(of: operand), operand.isOwnRow == false {
            result = .aggregate(.count, key)
        } else {
            result = .count
        }
        return (scalar(result, element: element, link: link), .number(.whole))
    }

    /// One value made of the values of all elements; nil does not count.
    mutating func aggregate(
        _ function: ExpressionFunction, of collection: Collection
    ) throws -> (SQLExpression, ValueKind) {
        if function == .min || function == .max {
            return try extreme(function == .min ? .minimum : .maximum, of: collection)
        }
        if collection.isDistinct { throw distinct(collection) }
        if function == .sum, let sum = try wholeSum(of: collection) { return (sum, .number(.mixed)) }
        let (terms, kind) = try terms(of: collection, function)
        return (.call(SQLFunctionLibrary.name(of: function), [terms]), .number(Self.kind(of: function, over: kind)))
    }

    /// What an aggregation makes of numbers of a kind.
    static func kind(of function: ExpressionFunction, over kind: NumberKind) -> NumberKind {
        switch function {
        case .standardDeviation: .real
        case .average: kind.isDecimal ? .exact : .real
        case .min, .max: kind.isDecimal ? .exact : kind
        default: kind.isDecimal ? .exact : kind == .whole ? .mixed : kind
        }
    }

    private mutating func extreme(
        _ aggregate: SQLAggregate, of collection: Collection
    ) throws -> (SQLExpression, ValueKind) {
        let (element, link) = try open(collection)
        let (value, kind): (SQLExpression, ValueKind)
        switch try self.value(of: collection, element) {
        case .collection(let inner): (value, kind) = try extreme(aggregate, of: inner)
        case .scalar(let scalar, let scalarKind) where !scalarKind.isOpaque: (value, kind) = (scalar, scalarKind)
        case let operand: throw impossible(aggregate.rawValue, collection: collection, operand: operand)
        }
        let greatest = scalar(.aggregate(aggregate, value), element: element, link: link)
        guard aggregate == .maximum, kind == .number(.decimal) else { return (greatest, kind) }
        let number = scalar(.aggregate(aggregate, Self.numberOrNull(value)), element: element, link: link)
        return (.call("coalesce", [number, greatest]), kind)
    }

    /// A decimal without the one that is not a number, which is a text in the column and would be the greatest of all.
    static func numberOrNull(_ decimal: SQLExpression) -> SQLExpression {
        let isNumber = SQLExpression.comparison(.less, decimal, .parameter(.text("")))
        return .conditional(isNumber, then: decimal, otherwise: .parameter(.null))
    }

    /// The sum of whole numbers of a relationship, for which the database has what it takes; nil for anything else.
    private mutating func wholeSum(of collection: Collection) throws -> SQLExpression? {
        let before = self
        let (element, link) = try open(collection)
        guard case .scalar(let value, .number(.whole)) = try value(of: collection, element) else {
            self = before
            return nil
        }
        return scalar(.wholeSum(value), element: element, link: link)
    }

    /// The numbers of all elements as a text that the functions of aggregation read.
    private mutating func terms(
        of collection: Collection, _ function: ExpressionFunction
    ) throws -> (SQLExpression, NumberKind) {
        let (element, link) = try open(collection)
        switch try value(of: collection, element) {
        case .collection(let inner):
            let (terms, kind) = try terms(of: inner, function)
            return (scalar(.aggregate(.gather, terms), element: element, link: link), kind)
        case .scalar(let value, .number(let kind)):
            return (scalar(.aggregate(.gather, Self.term(value, kind)), element: element, link: link), kind)
        case let operand: throw impossible(function.rawValue, collection: collection, operand: operand)
        }
    }

    /// The values of all elements, of whatever kind, as a text that lists are read from.
    mutating func items(of collection: Collection) throws -> (SQLExpression, ValueKind) {
        if collection.isDistinct { throw distinct(collection) }
        let (element, link) = try open(collection)
        switch try value(of: collection, element) {
        case .collection(let inner):
            let (items, kind) = try items(of: inner)
            return (scalar(.aggregate(.gather, items), element: element, link: link), kind)
        case .scalar(let value, let kind) where !kind.isOpaque:
            return (
                scalar(.aggregate(.gather, .call(SQLFunctionLibrary.item, [value])), element: element, link: link), kind
            )
        case let operand: throw impossible("an aggregate", collection: collection, operand: operand)
        }
    }

    static func term(_ value: SQLExpression, _ kind: NumberKind) -> SQLExpression {
        .call(SQLFunctionLibrary.term, [value, .number(kind.isDecimal ? 1 : 0)])
    }

    private func scalar(_ result: SQLSelect.Result, element: Record, link: SQLExpression) -> SQLExpression {
        .scalar(SQLSelect(result: result, source: sources[element.source], condition: link))
    }

    private func impossible(_ function: String, collection: Collection, operand: Operand) -> QueryError {
        QueryError(
            .unsuitableType, entity: collection.owner.entity.name,
            key: ([collection.mapping.name] + collection.path).joined(separator: "."),
            "\(function) of \(operand.typeName) is not possible")
    }

    private func distinct(_ collection: Collection) -> QueryError {
        QueryError(
            .unsupported, entity: collection.owner.entity.name,
            key: ([collection.mapping.name] + collection.path).joined(separator: "."),
            "values cannot be counted or added up once each in SQL; only ANY, ALL, NONE, IN, min and max take them")
    }

    // MARK: Elements

    /// The value that a collection's path leads to from one of its elements; another collection where it is to-many.
    private mutating func value(of collection: Collection, _ element: Record) throws -> Operand {
        try operand(at: collection.path, from: element)
    }

    /// Opens a sub-query over the objects of a relationship: an element, and what ties it to its owner.
    private mutating func open(_ collection: Collection) throws -> (element: Record, link: SQLExpression) {
        let destination = try entity(collection.mapping.destination)
        let owner = SQLExpression.column(collection.owner.key)
        let element: Record
        var link: SQLExpression
        switch collection.mapping.storage {
        case .foreignKey(let key):
            let (source, alias) = open(.named(key.table))
            element = Record(key: SQLColumn(alias, "Z_PK"), entity: destination, source: source)
            link = .comparison(.equal, .column(SQLColumn(alias, key.column)), owner)
        case .join(let join) where join.isReflexive:
            // Inside, each half finds the owner by an index; outside, the database would make all pairs for every row.
            let (source, alias) = open(
                .partners(
                    table: join.table, first: join.ownColumn, second: join.otherColumn, owner: collection.owner.key))
            element = Record(key: SQLColumn(alias, "Z_OTHER"), entity: destination, source: source)
            link = .truth(true)
        case .join(let join):
            let (source, alias) = open(.named(join.table))
            element = Record(key: SQLColumn(alias, join.otherColumn), entity: destination, source: source)
            link = .comparison(.equal, .column(SQLColumn(alias, join.ownColumn)), owner)
        }
        for filter in collection.filters {
            link = .conjunction([link, try condition(filter.predicate, naming: element, filter.variable)])
        }
        return (element, link)
    }

    /// The condition of a sub-query's predicate, which knows the element as a variable.
    private mutating func condition(
        _ predicate: NSPredicate, naming element: Record, _ variable: String
    ) throws -> SQLExpression {
        let outer = variables[variable]
        variables[variable] = element
        defer { variables[variable] = outer }
        return try condition(predicate)
    }
}
