import CoreDataFoundation

/// Decodes predicates and expressions of models as format strings.
extension KeyedArchive {
    /// The format string of a predicate; nil if there is none and if it has no format string.
    func predicateFormat(_ value: PropertyList?) -> String? {
        var reader = ArchivedPredicate(self)
        guard let text = try? reader.predicate(value).formatString, (try? NSPredicate(parsing: text)) != nil else {
            return nil
        }
        return text
    }

    /// The format string of an expression, with its functions as selectors: `count:(pages)`.
    func expressionText(_ value: PropertyList?) -> String? {
        var reader = ArchivedPredicate(self)
        guard let text = try? reader.expression(value).formatString, (try? NSExpression(parsing: text)) != nil else {
            return nil
        }
        return text
    }
}
