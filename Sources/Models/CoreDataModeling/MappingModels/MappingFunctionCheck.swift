import CoreDataFoundation

/// Checks that an expression of a mapping model uses only the six variables and the manager's functions.
package enum MappingFunctionCheck {
    /// - Throws: `ModelingError` that names the unknown variable or function, with `subject` as the owner of the
    ///   expression.
    package static func check(_ expression: NSExpression, of subject: String) throws {
        let walk = ExpressionWalk { part, bound in
            switch part.form {
            case .variable(let name) where !bound.contains(name) && !MappingExpressions.variables.contains(name):
                let near = NameSuggestion(for: name, in: MappingExpressions.variables)
                throw ModelingError(
                    .invalidModel, "the expression of \(subject) uses the unknown variable $\(name)",
                    hint: near?.question { "$\($0)" })
            case .call(let receiver, let name, let arguments):
                guard case .variable("manager") = receiver.form else { return }
                try check(name, arguments.count, of: subject)
            default: break
            }
        }
        try walk.visit(expression)
    }

    private static func check(_ name: String, _ count: Int, of subject: String) throws {
        let known = MappingExpressions.ManagerFunction.allCases.map(\.rawValue)
        guard let function = MappingExpressions.ManagerFunction(rawValue: name) else {
            throw ModelingError(
                .invalidModel, "the expression of \(subject) asks the manager for the unknown function '\(name)'",
                hint: NameSuggestion(for: name, in: known)?.question)
        }
        guard function.arity == count else {
            throw ModelingError(
                .invalidModel, "the expression of \(subject) gives the manager's '\(name)' \(count) arguments")
        }
    }
}
