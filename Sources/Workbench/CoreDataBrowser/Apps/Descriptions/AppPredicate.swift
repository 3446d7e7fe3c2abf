import CoreData

/// Makes the predicates of an application's lists: from the text of a predicate, and from the words in a search field.
enum AppPredicate {
    /// Parses the text of a predicate in a list; `$NOW` in it stands for `now`.
    ///
    /// - Throws: `InspectionError` for a text that does not parse or names what the model does not have.
    static func parsed(_ text: String, of entity: NSEntityDescription, now: Date) throws -> NSPredicate {
        do {
            let predicate = try NSPredicate(parsing: text).withSubstitutionVariables(["NOW": now as NSDate])
            try PredicateCheck(entity).check(predicate)
            return predicate
        } catch let error as InspectionError {
            throw error
        } catch {
            throw InspectionError(.badPredicate, subject: "predicate", cause: ErrorText.line(for: error))
        }
    }

    /// The predicate of a search. One word: any key contains it. Several words and one key: the key contains the first
    /// and the last word. Several words and keys: one key begins with the first word and another key with the last.
    ///
    /// Words between the first and the last are ignored. Nil for a blank text, and without keys.
    static func search(_ text: String, in keys: [String]) -> NSPredicate? {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, let last = words.last, !keys.isEmpty else { return nil }
        guard words.count > 1, keys.count > 1 else {
            let words = keys.count > 1 ? [first] : [first, last]
            return any(keys) { key in all(words) { comparison(key, operation: .contains, text: $0) } }
        }
        let pairs = keys.flatMap { left in keys.filter { $0 != left }.map { (left, $0) } }
        return any(pairs) { pair in
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                comparison(pair.0, operation: .beginsWith, text: first),
                comparison(pair.1, operation: .beginsWith, text: last),
            ])
        }
    }

    private static func comparison(
        _ key: String, operation: NSComparisonPredicate.Operator, text: String
    ) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: text),
            modifier: .direct, type: operation, options: [.caseInsensitive, .diacriticInsensitive])
    }

    private static func any<Part>(_ parts: [Part], _ make: (Part) -> NSPredicate) -> NSPredicate {
        NSCompoundPredicate(orPredicateWithSubpredicates: parts.map(make))
    }

    private static func all(_ words: [String], _ make: (String) -> NSPredicate) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: words.map(make))
    }
}
