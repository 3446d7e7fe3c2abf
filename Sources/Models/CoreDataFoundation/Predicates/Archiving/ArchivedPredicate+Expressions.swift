/// Decodes expressions of an archive.
extension ArchivedPredicate {
    /// Decodes the expression to which a value refers.
    ///
    /// - Throws: `ArchiveError` if a part is missing, is of an unknown class, nests too deep or exceeds a limit, and
    ///   `ExpressionError` for a function that is not predefined.
    package mutating func expression(_ value: PropertyList?, depth: Int = 0) throws -> NSExpression {
        let object = try enter(value, depth)
        let form = try form(object, depth)
        if case .fetch = form { return NSFetchRequestExpression(form) }
        return NSExpression(form)
    }

    private mutating func form(_ object: KeyedArchive.Object, _ depth: Int) throws -> ExpressionForm {
        let fields = object.fields
        switch object.className {
        case Name.evaluatedObject: return .evaluatedObject
        case Name.anyKey: return .anyKey
        case Name.variable: return .variable(try text(object, Key.variable))
        case Name.constant: return try constant(object)
        case Name.symbol: return try symbol(object)
        case Name.keyPathSpecifier: return .keyPath(operand: nil, path: try text(object, Key.keyPath))
        case Name.keyPath: return try keyPath(object, depth)
        case Name.function: return try function(object, depth)
        case Name.aggregate: return .aggregate(try expressions(object, key: Key.collection, depth: depth))
        case Name.subquery:
            return .subquery(
                collection: try expression(fields[Key.expression], depth: depth + 1),
                variable: try text(object, Key.variable),
                predicate: try predicate(fields[Key.predicate], depth: depth + 1))
        case Name.conditional:
            return .conditional(
                try predicate(fields[Key.predicate], depth: depth + 1),
                true: try expression(fields[Key.whenTrue], depth: depth + 1),
                false: try expression(fields[Key.whenFalse], depth: depth + 1))
        case Name.set: return try set(object, depth)
        case Name.assignment:
            return .assignment(
                variable: try text(object, Key.variable), try expression(fields[Key.expression], depth: depth + 1))
        case Name.fetch:
            return .fetch(
                request: try expression(fields[Key.request], depth: depth + 1),
                context: try expression(fields[Key.context], depth: depth + 1),
                isCountOnly: archive.boolean(fields[Key.isCountOnly]))
        default: throw unexpected(object, "an expression")
        }
    }

    private func text(_ object: KeyedArchive.Object, _ key: String) throws -> String {
        guard let text = archive.string(object.fields[key]) else { throw malformed(object, key) }
        return text
    }

    private mutating func expressions(
        _ object: KeyedArchive.Object, key: String, depth: Int
    ) throws -> [NSExpression] {
        guard let elements = archive.elements(object.fields[key]) else { throw malformed(object, key) }
        return try elements.map { try expression($0, depth: depth + 1) }
    }

    private func constant(_ object: KeyedArchive.Object) throws -> ExpressionForm {
        guard object.fields[Key.constantClass] == nil else { throw malformed(object, Key.constant) }
        let value = object.fields[Key.constant]
        if archive.resolve(value) == .null { return .constant(nil) }
        guard let plain = archive.plainTree(value) else {
            let name = archive.object(value)?.className ?? "?"
            throw ArchiveError(.unexpectedClass, "the archive has a constant of class '\(name)'")
        }
        return .constant(plain)
    }

    private func symbol(_ object: KeyedArchive.Object) throws -> ExpressionForm {
        guard let symbol = CollectionIndex(rawValue: try text(object, Key.symbol)) else {
            throw malformed(object, Key.symbol)
        }
        return .constant(symbol)
    }

    /// Decodes a key path: its only argument has the path, its operand is the expression from which the path starts.
    private mutating func keyPath(_ object: KeyedArchive.Object, _ depth: Int) throws -> ExpressionForm {
        let steps = try expressions(object, key: Key.arguments, depth: depth)
        guard steps.count == 1, case .keyPath(nil, let path) = steps[0].form else {
            throw malformed(object, Key.arguments)
        }
        let operand = try expression(object.fields[Key.operand], depth: depth + 1)
        if case .evaluatedObject = operand.form { return .keyPath(operand: nil, path: path) }
        return .keyPath(operand: operand, path: path)
    }

    private mutating func function(_ object: KeyedArchive.Object, _ depth: Int) throws -> ExpressionForm {
        let name = try text(object, Key.selector)
        let arguments = try expressions(object, key: Key.arguments, depth: depth)
        guard let operand = archive.object(object.fields[Key.operand]),
            archive.string(operand.fields[Key.constantClass]) != Name.functions
        else { return try ExpressionForm(calling: name, with: arguments) }
        let receiver = archive.string(operand.fields[Key.variable])
        guard operand.className == Name.variable, let receiver, ExpressionForm.calledVariables.contains(receiver) else {
            throw ArchiveError(
                .unsupportedForm, "the archived call of \"\(name)\" is sent to an object; only functions are called")
        }
        return .call(receiver: NSExpression(.variable(receiver)), name: name, arguments: arguments)
    }

    private mutating func set(_ object: KeyedArchive.Object, _ depth: Int) throws -> ExpressionForm {
        let operation: SetOperation
        switch archive.integer(object.fields[Key.expressionType]) {
        case 5: operation = .union
        case 6: operation = .intersect
        case 7: operation = .minus
        default: throw malformed(object, Key.expressionType)
        }
        let left = try expression(object.fields[Key.left], depth: depth + 1)
        let right = try expression(object.fields[Key.right], depth: depth + 1)
        return .set(operation, left, right)
    }
}
