extension NSExpression {
    /// The value of the expression for an object; the context's string keys are variables.
    ///
    /// The value of an assignment `$x := value` is that of its right side; if it is the entire expression, the
    /// context stores the value under the name.
    /// Stops the process for an unknown key, an unbound variable or a wrong type, as Apple's does.
    public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        var variables: [String: Any] = [:]
        for (key, value) in context ?? [:] {
            if let name = key as? String { variables[name] = value }
        }
        let result = orStop { try value(on: object, variables: variables) }
        if case .assignment(let name, _) = form { context?[name] = result ?? NSNull() }
        return result
    }

    /// The value of the expression for an object; throws where `expressionValue(with:context:)` stops the process.
    ///
    /// - Throws: `UnknownKeyError`, `ExpressionError`, or whatever reading a property throws.
    package func value(on object: Any?, variables: [String: Any] = [:]) throws -> Any? {
        try Evaluator(object: object, variables: variables).value(of: self)
    }
}
