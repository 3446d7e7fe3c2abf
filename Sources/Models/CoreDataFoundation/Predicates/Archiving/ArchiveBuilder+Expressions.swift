/// Adds expressions to an archive with Apple's class names, in the form that `ArchivedPredicate` reads.
extension ArchiveBuilder {
    private typealias Name = PredicateArchive.Name
    private typealias Key = PredicateArchive.Key

    /// Adds an expression and returns a reference to it.
    ///
    /// - Throws: `ArchiveError` `.unsupportedForm` for blocks in Swift, `.unexpectedClass` for constants that cannot be
    ///   archived, `.limitExceeded` for too deep a nesting.
    package mutating func expression(_ expression: NSExpression, depth: Int = 0) throws -> PropertyList {
        guard depth < PredicateArchive.depth else { throw PredicateArchive.tooDeep("an expression") }
        let type = (Key.expressionType, PropertyList.integer(Int64(expression.expressionType.rawValue)))
        switch expression.form {
        case .evaluatedObject: return evaluatedObject()
        case .constant(let symbol as CollectionIndex):
            return add(
                Name.symbol, [Key.expressionType: .integer(11), Key.symbol: text(symbol.rawValue)])
        case .constant(let constant): return add(Name.constant, [type.0: type.1, Key.constant: try value(constant)])
        case .variable(let name): return add(Name.variable, [type.0: type.1, Key.variable: text(name)])
        case .keyPath(let operand, let path): return try keyPath(operand, path: path, depth: depth)
        case .function(let function, let arguments):
            return try self.function(function, arguments: arguments, depth: depth)
        case .call(let receiver, let name, let arguments):
            return try call(name, on: receiver, arguments: arguments, depth: depth)
        case .aggregate(let elements):
            let parts = try elements.map { try self.expression($0, depth: depth + 1) }
            return add(Name.aggregate, [type.0: type.1, Key.collection: collection("NSArray", parts)])
        case .subquery(let collection, let variable, let condition):
            return add(
                Name.subquery,
                [
                    type.0: type.1, Key.expression: try self.expression(collection, depth: depth + 1),
                    Key.variable: text(variable), Key.predicate: try predicate(condition, depth: depth + 1),
                ])
        case .set(_, let left, let right):
            let sides = try [left, right].map { try self.expression($0, depth: depth + 1) }
            return add(Name.set, [type.0: type.1, Key.left: sides[0], Key.right: sides[1]])
        case .conditional(let condition, let whenTrue, let whenFalse):
            let values = try [whenTrue, whenFalse].map { try self.expression($0, depth: depth + 1) }
            return add(
                Name.conditional,
                [
                    type.0: type.1, Key.predicate: try predicate(condition, depth: depth + 1),
                    Key.whenTrue: values[0], Key.whenFalse: values[1],
                ])
        case .anyKey: return add(Name.anyKey, [type.0: type.1])
        case .assignment(let name, let assigned):
            return add(
                Name.assignment,
                [
                    type.0: type.1, Key.variable: text(name),
                    Key.expression: try self.expression(assigned, depth: depth + 1),
                ])
        case .fetch(let request, let context, let isCountOnly):
            let parts = try [request, context].map { try self.expression($0, depth: depth + 1) }
            return add(
                Name.fetch,
                [
                    type.0: type.1, Key.request: parts[0], Key.context: parts[1],
                    Key.isCountOnly: .boolean(isCountOnly),
                ])
        case .block: throw ArchiveError(.unsupportedForm, "an expression that is a block in Swift cannot be archived")
        }
    }

    /// Adds the expression for the evaluated object, once in an archive, as Apple's archives have it.
    private mutating func evaluatedObject() -> PropertyList {
        shared(Name.evaluatedObject, [Key.expressionType: .integer(1)])
    }

    /// Adds a key path; one that starts from an operand other than the evaluated object is archived as a function call.
    private mutating func keyPath(_ operand: NSExpression?, path: String, depth: Int) throws -> PropertyList {
        let start = try operand.map { try expression($0, depth: depth + 1) }
        let specifier = add(Name.keyPathSpecifier, [Key.expressionType: .integer(10), Key.keyPath: text(path)])
        let isPlain = start == nil && !path.contains(".")
        return add(
            Name.keyPath,
            [
                Key.operand: start ?? evaluatedObject(), Key.expressionType: .integer(start == nil ? 3 : 4),
                Key.selector: text(isPlain ? "valueForKey:" : "valueForKeyPath:"),
                Key.arguments: collection("NSMutableArray", [specifier]),
            ])
    }

    private mutating func function(
        _ function: ExpressionFunction, arguments: [NSExpression], depth: Int
    ) throws -> PropertyList {
        let parts = try arguments.map { try expression($0, depth: depth + 1) }
        let receiver = add(
            Name.constant, [Key.expressionType: .integer(0), Key.constantClass: text(Name.functions)])
        return add(
            Name.function,
            [
                Key.expressionType: .integer(4), Key.operand: receiver, Key.selector: text(function.rawValue),
                Key.arguments: collection(function == .count ? "NSArray" : "NSMutableArray", parts),
            ])
    }
}

extension ArchiveBuilder {
    private mutating func call(
        _ name: String, on receiver: NSExpression, arguments: [NSExpression], depth: Int
    ) throws -> PropertyList {
        let operand = try expression(receiver, depth: depth + 1)
        let parts = try arguments.map { try expression($0, depth: depth + 1) }
        return add(
            Name.function,
            [
                Key.expressionType: .integer(4), Key.operand: operand, Key.selector: text(name),
                Key.arguments: collection("NSArray", parts),
            ])
    }
}

/// Adds sort descriptors to an archive.
extension ArchiveBuilder {
    /// Adds a sort descriptor that sorts by a key.
    package mutating func sortDescriptor(key: String?, ascending: Bool, selector: String) -> PropertyList {
        add(
            PredicateArchive.Name.sortDescriptor,
            [
                PredicateArchive.Key.sortKey: text(key), PredicateArchive.Key.sortAscending: .boolean(ascending),
                PredicateArchive.Key.sortSelector: text(selector),
                PredicateArchive.Key.sortNullOrder: .boolean(false),
            ])
    }

    /// Adds a sort descriptor.
    ///
    /// - Throws: `ArchiveError` `.unsupportedForm` for a comparator in Swift, a search rank and a Swift key path
    ///   without a name.
    mutating func sortDescriptor(_ descriptor: NSSortDescriptor) throws -> PropertyList {
        let sorting = descriptor.sorting
        guard sorting.rank == nil else {
            throw ArchiveError(.unsupportedForm, "a sort descriptor by the rank of a search cannot be archived")
        }
        guard let selector = sorting.comparison.name else {
            throw ArchiveError(.unsupportedForm, "a sort descriptor with a comparator in Swift cannot be archived")
        }
        let key = sorting.key ?? sorting.keyPath.flatMap { namedKey(of: $0) }
        if key == nil, let keyPath = sorting.keyPath, keyPath != \Any.self {
            throw ArchiveError(
                .unsupportedForm, "a sort descriptor with a Swift key path that has no name cannot be archived",
                hint: "make it with a key, or name the key path in the property table of its class")
        }
        return sortDescriptor(key: key, ascending: sorting.ascending, selector: selector)
    }
}
