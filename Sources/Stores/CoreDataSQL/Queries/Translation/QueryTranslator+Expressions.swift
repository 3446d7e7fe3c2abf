import CoreDataStore

extension QueryTranslator {
    /// Translates an expression; one that does not depend on the row is evaluated at once.
    mutating func operand(_ expression: NSExpression) throws -> Operand {
        if isConstant(expression) { return .constant(present(try expression.value(on: nil))) }
        switch expression.form {
        case .constant(let value): return .constant(present(value))
        case .evaluatedObject: return .record(root)
        case .variable(let name): return try values[name] ?? .record(record(named: name))
        case .keyPath(nil, let path): return try operand(at: Self.steps(path), from: root)
        case .keyPath(let start?, let path): return try operand(at: Self.steps(path), from: operand(start))
        case .function(let function, let arguments): return try operand(function, arguments)
        case .aggregate(let elements): return .list(try elements.map { try operand($0) })
        case .subquery(let collection, let variable, let predicate):
            return try subquery(of: collection, variable, predicate)
        case .conditional(let predicate, let first, let second):
            return try conditional(predicate, first: first, second: second)
        case .set(let operation, let left, let right):
            return .combined(
                CombinedCollections(operation: operation, left: try operand(left), right: try operand(right)))
        case .assignment(_, let value): return try operand(value)
        case .fetch: throw QueryError(.unsupported, "FETCH has no SQL")
        case .anyKey: throw QueryError(.unsupported, "ANYKEY has no SQL")
        case .call: throw QueryError(.unsupported, "FUNCTION on a variable has no SQL")
        case .block: throw QueryError(.unsupported, "an expression in Swift code has no SQL")
        }
    }

    private func isConstant(_ expression: NSExpression) -> Bool {
        switch expression.form {
        case .constant: true
        case .keyPath(let start?, _): isConstant(start)
        // A random number is evaluated for each row.
        case .function(.random, _), .function(.randomBelow, _): false
        case .function(_, let parts), .aggregate(let parts): parts.allSatisfy { isConstant($0) }
        case .set(_, let left, let right): isConstant(left) && isConstant(right)
        case .assignment(_, let value): isConstant(value)
        case .evaluatedObject, .variable, .keyPath(nil, _), .subquery, .conditional, .fetch, .anyKey, .call, .block:
            false
        }
    }

    private func record(named name: String) throws -> Record {
        guard let record = variables[name] else {
            throw QueryError(.unsupported, "no value was given for the variable $\(name)")
        }
        return record
    }

    private mutating func operand(at path: ArraySlice<String>, from start: Operand) throws -> Operand {
        switch start {
        case .record(let record): return try operand(at: path, from: record)
        case .collection(let collection): return try operand(at: path, from: collection)
        case .entity(let number) where path == ["name"]:
            return .entityName(number, schema.entities.map(\.number))
        case .constant, .scalar, .entity, .entityName, .list, .combined:
            throw QueryError(
                .unsupported, key: path.joined(separator: "."), "a key path from \(start.typeName) has no SQL")
        }
    }

    private mutating func subquery(
        of expression: NSExpression, _ variable: String, _ predicate: NSPredicate
    ) throws -> Operand {
        guard case .collection(var collection) = try operand(expression), !collection.leavesOutNil,
            !collection.isDistinct
        else { throw QueryError(.needsCollection, "SUBQUERY needs a to-many relationship") }
        guard collection.path.isEmpty else {
            throw QueryError(
                .unsupported, entity: collection.owner.entity.name,
                key: ([collection.mapping.name] + collection.path).joined(separator: "."),
                "SUBQUERY takes the objects of a to-many relationship; put what follows it into the condition")
        }
        collection.filters.append((variable, predicate))
        return .collection(collection)
    }

    private mutating func conditional(
        _ predicate: NSPredicate, first: NSExpression, second: NSExpression
    ) throws -> Operand {
        let condition = try condition(predicate)
        let (first, second) = (try value(of: operand(first)), try value(of: operand(second)))
        if first.kind == nil, second.kind == nil { return .constant(nil) }
        guard let kind = Self.common(first.kind, second.kind) else {
            throw QueryError(.unsuitableType, "the two values of TERNARY are of different types")
        }
        return .scalar(.conditional(condition, then: first.value, otherwise: second.value), kind)
    }

    /// Returns the kind of an expression whose value has one of two kinds; a nil argument is the kind of a nil value.
    private static func common(_ first: ValueKind?, _ second: ValueKind?) -> ValueKind? {
        guard let first, let second else { return first ?? second }
        if let first = first.numberKind, let second = second.numberKind {
            return .number(first == second ? first : .result(first, second))
        }
        return first == second ? first : nil
    }

    /// Returns any single value as an SQL expression; the kind of a nil value is nil.
    func value(of operand: Operand) throws -> (value: SQLExpression, kind: ValueKind?) {
        switch operand {
        case .scalar(let value, let kind): return (value, kind)
        case .constant(nil): return (.parameter(.null), nil)
        case .constant(let value?):
            if let number = ExactNumber(value) {
                let (value, kind) = argument(number)
                return (value, .number(kind))
            }
            for kind in [ValueKind.text, .date, .data, .uuid, .url] {
                if let parameter = kind.parameter(for: value, options: []) { return (.parameter(parameter), kind) }
            }
        case .record, .entity, .entityName, .list, .collection, .combined: break
        }
        throw QueryError(.unsuitableType, "\(operand.typeName) is not a single value")
    }
}
