/// Collections of typed Swift predicates.
extension PredicateExpressions.SequenceContains: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        let list = try conversion.expression(sequence)
        let member = try conversion.expression(element)
        let isText = LHS.Output.self is any StringProtocol.Type
        return isText
            ? PredicateConversion.comparison(list, type: .contains, right: member)
            : PredicateConversion.comparison(member, type: .in, right: list)
    }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        let found = try conversion.subquery(sequence, variable.key) { try $0.predicate(test) }
        return PredicateConversion.comparison(
            PredicateConversion.count(found), type: .greaterThan, right: NSExpression(forConstantValue: 0))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        let failing = try conversion.subquery(sequence, variable.key) {
            PredicateConversion.not(try $0.predicate(test))
        }
        return PredicateConversion.comparison(
            PredicateConversion.count(failing), type: .equalTo, right: NSExpression(forConstantValue: 0))
    }
}

extension PredicateExpressions.Filter: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        try conversion.subquery(sequence, variable.key) { try $0.predicate(filter) }
    }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        NSExpression(.function(.max, arguments: [try conversion.expression(elements)]))
    }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        NSExpression(.function(.min, arguments: [try conversion.expression(elements)]))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let parts = [try conversion.expression(wrapped), try conversion.expression(index)]
        return NSExpression(.function(.element, arguments: parts))
    }
}

extension PredicateExpressions.DictionaryKeySubscript: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        guard case .constant(let name as String) = try conversion.expression(key).form else {
            throw PredicateConversionError(
                part: "a dictionary's subscript", reason: "its key is not a text that is the same for every object")
        }
        return PredicateConversion.step(name, from: try conversion.expression(wrapped))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        guard case .constant(let name as String) = try conversion.expression(key).form else {
            throw PredicateConversionError(
                part: "a dictionary's subscript", reason: "its key is not a text that is the same for every object")
        }
        let value = PredicateConversion.step(name, from: try conversion.expression(wrapped))
        return NSExpression(
            forConditional: PredicateConversion.isNil(value),
            trueExpression: try conversion.expression(self.default), falseExpression: value)
    }
}
