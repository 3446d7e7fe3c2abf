import CoreDataGraph

extension QueryTranslator {
    /// Whether a condition holds for any element of a to-many relationship.
    mutating func exists(
        in collection: Collection, _ body: (inout QueryTranslator, Operand) throws -> SQLExpression
    ) throws -> SQLExpression {
        let (element, link) = try open(collection)
        let condition = try body(&self, value(of: collection, element))
        if condition == .truth(false) { return condition }
        return .exists(
            SQLSelect(result: .one, source: sources[element.source], condition: .conjunction([link, condition])))
    }

    /// One value made of the values of all elements; NULL does not count, unless elements themselves are counted.
    mutating func aggregate(
        _ aggregate: SQLAggregate, of collection: Collection, countsNil: Bool = false
    ) throws -> (SQLExpression, ValueKind) {
        let (element, link) = try open(collection)
        let operand = try value(of: collection, element)
        if aggregate == .count {
            if case .scalar(let value, _) = operand, !countsNil {
                return (scalar(.aggregate(.count, value), element, link), .number(.whole))
            }
            return (scalar(.count, element, link), .number(.whole))
        }
        guard case .scalar(let value, let kind) = operand else {
            throw QueryError(.unsuitableType, "\(aggregate.rawValue) of \(operand.typeName) is not possible")
        }
        let result = scalar(.aggregate(aggregate, value), element, link)
        switch aggregate {
        case .minimum where kind != .opaque, .maximum where kind != .opaque: return (result, kind)
        case .sum, .average:
            guard let number = kind.numberKind else { break }
            if aggregate == .average { return (result, .number(number == .decimal ? .decimal : .real)) }
            return (.call("coalesce", [result, .number(0)]), .number(number == .whole ? .mixed : number))
        default: break
        }
        throw QueryError(.unsuitableType, "\(aggregate.rawValue) of \(kind) is not possible")
    }

    private func scalar(_ result: SQLSelect.Result, _ element: Record, _ link: SQLExpression) -> SQLExpression {
        .scalar(SQLSelect(result: result, source: sources[element.source], condition: link))
    }

    /// The value that a collection's path leads to from one of its elements.
    private mutating func value(of collection: Collection, _ element: Record) throws -> Operand {
        let operand = try operand(at: collection.path, from: element)
        guard case .collection(let inner) = operand else { return operand }
        throw QueryError(
            .tooManyCollections, entity: inner.owner.entity.name, key: inner.mapping.name,
            "a path can lead through one to-many relationship only; use SUBQUERY for another")
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
            let pairs = SQLSource.Table.pairs(table: join.table, first: join.ownColumn, second: join.otherColumn)
            let (source, alias) = open(pairs)
            element = Record(key: SQLColumn(alias, "Z_OTHER"), entity: destination, source: source)
            link = .comparison(.equal, .column(SQLColumn(alias, "Z_OWN")), owner)
        case .join(let join):
            let (source, alias) = open(.named(join.table))
            element = Record(key: SQLColumn(alias, join.otherColumn), entity: destination, source: source)
            link = .comparison(.equal, .column(SQLColumn(alias, join.ownColumn)), owner)
        }
        if let filter = collection.filter {
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
