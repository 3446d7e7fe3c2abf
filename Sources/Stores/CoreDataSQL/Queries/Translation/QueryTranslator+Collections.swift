import CoreDataStore

extension QueryTranslator {
    /// Returns the condition that `body` is true for at least one element of a to-many relationship.
    mutating func exists(
        in collection: Collection, _ body: (inout QueryTranslator, Operand) throws -> SQLExpression
    ) throws -> SQLExpression {
        let (element, link) = try open(collection)
        var condition: SQLExpression
        var value = try value(of: collection, element)
        if collection.leavesOutMissing { value.leaveOutMissing() }
        if case .collection(let inner) = value {
            condition = try exists(in: inner, body)
            // In memory, the collection of a nil object counts as one nil element.
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

    /// Returns the condition that `body` is true for at least one element of a union, intersection or difference.
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

    /// Returns the number of elements, or of elements with a value that is not nil.
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

    /// Returns an aggregate of the values of all elements; nil values are ignored.
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

    /// Returns the kind of an aggregate over numbers of a kind.
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

    /// Returns a decimal with NaN replaced by NULL: a column stores NaN as text, which would be the maximum.
    static func numberOrNull(_ decimal: SQLExpression) -> SQLExpression {
        let isNumber = SQLExpression.comparison(.less, decimal, .parameter(.text("")))
        return .conditional(isNumber, then: decimal, otherwise: .parameter(.null))
    }

    /// Returns the sum of a relationship's integers, computed with built-in functions; nil for other values.
    private mutating func wholeSum(of collection: Collection) throws -> SQLExpression? {
        let before = self
        let (element, link) = try open(collection)
        guard case .scalar(let value, .number(.whole)) = try value(of: collection, element) else {
            self = before
            return nil
        }
        return scalar(.wholeSum(value), element: element, link: link)
    }

    /// Returns the numbers of all elements as one text, which the aggregate functions parse.
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

    /// Returns the values of all elements, of any kind, as one text, which the list functions parse.
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

    /// Returns the value at the collection's path for one element; another collection if the path contains a to-many
    /// relationship.
    private mutating func value(of collection: Collection, _ element: Record) throws -> Operand {
        try operand(at: collection.path, from: element)
    }

    /// Begins a sub-query over the objects of a relationship; returns an element, and the condition that it belongs to
    /// the owner.
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
            // Each half of the union finds the owner by an index; a condition outside would make the database build all
            // pairs per row.
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

    /// Returns the condition of a sub-query's predicate, in which the variable stands for the element.
    private mutating func condition(
        _ predicate: NSPredicate, naming element: Record, _ variable: String
    ) throws -> SQLExpression {
        let outer = variables[variable]
        variables[variable] = element
        defer { variables[variable] = outer }
        return try condition(predicate)
    }
}
