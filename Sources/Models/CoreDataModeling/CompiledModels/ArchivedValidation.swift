import CoreDataFoundation

extension KeyedArchive {
    /// The rules of archived validation predicates: limits of numbers, dates and lengths, and patterns; others as
    /// format strings.
    func validationRules(_ predicates: PropertyList?, warnings: PropertyList?) -> [ValidationRule] {
        let texts = elements(warnings) ?? []
        return (elements(predicates) ?? []).enumerated().compactMap { index, value in
            guard let check = check(value) else { return nil }
            let rule = ValidationRule(check)
            let warning = texts.indices.contains(index) ? warningText(texts[index], beside: rule.errorCode) : nil
            return ValidationRule(check, warning: warning)
        }
    }

    /// The text of a warning, or its error code if that differs from the default code of the rule.
    private func warningText(_ value: PropertyList, beside code: Int) -> String? {
        string(value) ?? integer(value).flatMap { $0 == code ? nil : String($0) }
    }

    private func check(_ value: PropertyList) -> ValidationRule.Check? {
        simpleCheck(value) ?? predicateFormat(value).map { .predicate(format: $0) }
    }

    /// A note with the number of validation predicates that cannot be written as format strings; none if there are
    /// none.
    func validationNotes(_ predicates: PropertyList?) -> [String] {
        let unknown = (elements(predicates) ?? []).count { check($0) == nil }
        return unknown == 0 ? [] : ["\(unknown) validation predicates are not understood"]
    }

    private func simpleCheck(_ value: PropertyList) -> ValidationRule.Check? {
        guard let object = object(value), object.className == "NSComparisonPredicate",
            let test = self.object(object.fields["NSPredicateOperator"]),
            let type = integer(test.fields["NSOperatorType"]),
            let right = self.object(object.fields["NSRightExpression"]),
            right.className == "NSConstantValueExpression",
            let limit = plainValue(right.fields["NSConstantValue"], as: .undefinedAttributeType)
        else { return nil }
        switch (expressionText(object.fields["NSLeftExpression"]), type) {
        case ("SELF", 3): return bound(limit, number: { .minimum($0) }, date: { .earliest($0) })
        case ("SELF", 1): return bound(limit, number: { .maximum($0) }, date: { .latest($0) })
        case ("length", 3): return (limit as? NSNumber).map { .minimumLength($0.intValue) }
        case ("length", 1): return (limit as? NSNumber).map { .maximumLength($0.intValue) }
        case ("SELF", 6): return (limit as? String).map { .pattern($0) }
        default: return nil
        }
    }

    private func bound(
        _ limit: Any, number: (Decimal) -> ValidationRule.Check, date: (Date) -> ValidationRule.Check
    ) -> ValidationRule.Check? {
        if let limit = limit as? Date { return date(limit) }
        // Does not use `decimalValue`, which rounds large integers here and traps for an infinite number.
        return ExactNumber(limit)?.decimal.map(number)
    }
}
