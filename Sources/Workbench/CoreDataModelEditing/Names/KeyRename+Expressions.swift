import CoreDataModeling

extension KeyRename {
    /// The predicate with the new name in all key paths that contain the property, in subqueries too.
    func followed(
        _ predicate: NSPredicate, of entity: DocumentNames.Owner, _ variables: [String: DocumentNames.Owner]
    ) throws -> NSPredicate {
        try rewriting(of: entity, variables).applied(to: predicate)
    }

    func followed(_ expression: NSExpression, of entity: DocumentNames.Owner) throws -> NSExpression {
        try rewriting(of: entity, [:]).applied(to: expression)
    }

    private func rewriting(
        of entity: DocumentNames.Owner, _ variables: [String: DocumentNames.Owner]
    ) -> ExpressionRewriting {
        ExpressionRewriting { expression in
            switch expression.form {
            case .keyPath(nil, let path):
                return NSExpression(.keyPath(operand: nil, path: followed(path, from: entity).path))
            case .keyPath(let operand?, let path):
                let start = target(of: operand, entity, variables)
                let inner = try rewriting(of: entity, variables).applied(to: operand)
                return NSExpression(.keyPath(operand: inner, path: followed(path, from: start).path))
            case .subquery(let collection, let name, let predicate):
                var bound = variables
                bound[name] = target(of: collection, entity, variables)
                return NSExpression(
                    .subquery(
                        collection: try rewriting(of: entity, variables).applied(to: collection), variable: name,
                        predicate: try rewriting(of: entity, bound).applied(to: predicate)))
            default: return nil
            }
        }
    }

    /// The entity or composite that an expression's value belongs to; nil for other values, and if that is unknown.
    private func target(
        of expression: NSExpression, _ entity: DocumentNames.Owner, _ variables: [String: DocumentNames.Owner]
    ) -> DocumentNames.Owner? {
        switch expression.form {
        case .evaluatedObject: entity
        case .variable(let name): variables[name]
        case .keyPath(nil, let path): followed(path, from: entity).target
        case .keyPath(let operand?, let path):
            followed(path, from: target(of: operand, entity, variables)).target
        default: nil
        }
    }
}
