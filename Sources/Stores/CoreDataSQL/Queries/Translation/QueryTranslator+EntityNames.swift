import CoreDataStore

extension QueryTranslator {
    /// Returns a comparison with the name of an entity as a condition on entity numbers: those whose names satisfy it.
    /// Nil if no operand is the name of an entity.
    func nameComparison(
        _ comparison: OperandComparison, left: Operand, right: Operand
    ) throws -> SQLExpression? {
        let (column, family): (SQLExpression, [Int])
        switch (left, right) {
        case (.entityName(let name, let numbers), .constant), (.constant, .entityName(let name, let numbers)):
            (column, family) = (name, numbers)
        case (.entityName, _), (_, .entityName):
            throw QueryError(.unsupported, "the name of an entity can only be compared with a value")
        default: return nil
        }
        let holds = { (name: String?) in
            func value(_ operand: Operand) -> Any? { if case .constant(let value) = operand { value } else { name } }
            return try Self.holds(comparison, left: value(left), right: value(right))
        }
        let numbers = try family.filter { try holds(entity($0).name) }
        let isNil: SQLExpression = try holds(nil) ? .isNull(column) : .truth(false)
        return .disjunction([numbers.isEmpty ? .truth(false) : isEntity(column, oneOf: numbers), isNil])
    }
}
