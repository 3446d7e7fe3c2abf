import CoreDataFoundation

/// Predicates of models are kept as texts, so that what is not understood can be distinguished from what is not there.
extension KeyedArchive {
    /// The predicate in the format language; nil for none and for one that cannot be written so.
    func predicateFormat(_ value: PropertyList?) -> String? {
        var reader = ArchivedPredicate(self)
        guard let text = try? reader.predicate(value).formatString, (try? NSPredicate(parsing: text)) != nil else {
            return nil
        }
        return text
    }

    /// The expression in the format language, with its functions as selectors: `count:(pages)`.
    func expressionText(_ value: PropertyList?) -> String? {
        var reader = ArchivedPredicate(self)
        guard let text = try? reader.expression(value).formatString, (try? NSExpression(parsing: text)) != nil else {
            return nil
        }
        return text
    }
}
