/// The parts of an expression. Reading a part that expressions of this type lack stops the process, as Apple's raises.
extension NSExpression {
    /// The kind of expression, which decides what parts it has.
    public var expressionType: ExpressionType {
        switch form {
        case .constant: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath: .keyPath
        case .function, .call: .function
        case .set(.union, _, _): .unionSet
        case .set(.intersect, _, _): .intersectSet
        case .set(.minus, _, _): .minusSet
        case .subquery: .subquery
        case .aggregate: .aggregate
        case .anyKey: .anyKey
        case .assignment: .variableAssignment
        case .fetch: .fetchRequest
        case .block: .block
        case .conditional: .conditional
        }
    }

    /// The value of a constant.
    public var constantValue: Any? {
        guard case .constant(let value) = form else { stopMissing("constantValue") }
        return value
    }

    /// The dotted path of a key path.
    public var keyPath: String {
        guard case .keyPath(_, let path) = form else { stopMissing("keyPath") }
        return path
    }

    /// The name of a function, with its colons.
    public var function: String {
        switch form {
        case .function(let function, _): return function.rawValue
        case .call(_, let name, _): return name
        default: stopMissing("function")
        }
    }

    /// The name of a variable, or of the variable of a subquery or an assignment, without the dollar sign.
    public var variable: String {
        switch form {
        case .variable(let name), .subquery(_, let name, _), .assignment(let name, _): return name
        default: stopMissing("variable")
        }
    }

    /// The expression from which a key path starts, by default the evaluated object, or the variable that is called.
    ///
    /// A predefined function does not have an operand: the receiver in Apple's framework is its first argument.
    public var operand: NSExpression {
        switch form {
        case .keyPath(let operand, _): return operand ?? .expressionForEvaluatedObject()
        case .call(let receiver, _, _): return receiver
        default: stopMissing("operand")
        }
    }

    /// The arguments of a function or block.
    public var arguments: [NSExpression]? {
        switch form {
        case .function(_, let arguments), .call(_, _, let arguments), .block(_, let arguments): return arguments
        default: stopMissing("arguments")
        }
    }

    /// The elements of an aggregate as `[NSExpression]`, or the collection expression of a subquery.
    public var collection: Any {
        switch form {
        case .aggregate(let elements): return elements
        case .subquery(let collection, _, _): return collection
        default: stopMissing("collection")
        }
    }

    /// The predicate of a subquery or a conditional.
    public var predicate: NSPredicate {
        switch form {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): return predicate
        default: stopMissing("predicate")
        }
    }

    /// The left collection of a set expression.
    public var left: NSExpression {
        guard case .set(_, let left, _) = form else { stopMissing("left") }
        return left
    }

    /// The right collection of a set expression.
    public var right: NSExpression {
        guard case .set(_, _, let right) = form else { stopMissing("right") }
        return right
    }

    /// The expression that a conditional evaluates if its predicate is true.
    public var `true`: NSExpression {
        guard case .conditional(_, let expression, _) = form else { stopMissing("true") }
        return expression
    }

    /// The expression that a conditional evaluates if its predicate is false.
    public var `false`: NSExpression {
        guard case .conditional(_, _, let expression) = form else { stopMissing("false") }
        return expression
    }

    /// The closure of a block expression.
    public var expressionBlock: (Any?, [Any?], NSMutableDictionary?) -> Any? {
        guard case .block(let block, _) = form else { stopMissing("expressionBlock") }
        return block
    }

    private func stopMissing(_ part: String) -> Never {
        stop("NSExpression: an expression of type \(expressionType) has no \(part): \(formatString)")
    }
}
