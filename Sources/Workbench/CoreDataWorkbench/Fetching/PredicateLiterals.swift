import CoreData

/// Reads the literals of a predicate by the types of the properties that they are compared with, as people type them.
///
/// | compared with | literal |
/// |---|---|
/// | a date | ISO 8601, a day alone included; or a number of seconds since 2001-01-01 |
/// | a number | a text with a number in it |
/// | a truth value | YES or NO, true or false, 1 or 0, as a text too |
/// | a UUID, a URI, data | a text; data in base64 |
/// | an object | its address as a text: `x-coredata://STORE/Book/p7`, or `Book/p7` |
package enum PredicateLiterals {
    /// The predicate with literals of the types that they are compared with; parts without such stay the same objects.
    ///
    /// `objectID` gives the identifier of an address; nil leaves the text as it is.
    /// - Throws: `InspectionError` of code `badPredicate` for a literal that is not a value of the type, naming the attribute,
    ///   and what `objectID` throws.
    package static func typed(
        _ predicate: NSPredicate, of entity: NSEntityDescription,
        objectID: @escaping (String) throws -> NSManagedObjectID? = { _ in nil }
    ) throws -> NSPredicate {
        try ComparedConstants(of: entity) { literal, property, _ in
            switch property.content {
            case .record: try (literal as? String).flatMap { try objectID($0) }
            case .attribute(let attribute): try value(of: literal, for: attribute, property.path)
            }
        }.applied(to: predicate)
    }

    /// The value that a literal stands for; nil where it stands for itself.
    private static func value(of literal: Any, for attribute: NSAttributeDescription, _ path: String) throws -> Any? {
        let kind = AttributeKind(attribute)
        guard let text = literal as? String else {
            guard kind == .date, !(literal is Bool), let number = ExactNumber(literal) else { return nil }
            return Date(timeIntervalSinceReferenceDate: number.double)
        }
        let value: Any?
        switch kind {
        case .string, .undefined, .transformable, .composite, .objectID: return nil
        // A bound may lie between the numbers that the attribute can have.
        case .integer16, .integer32, .integer64:
            value = ValueParsing.value(text, .integer64) ?? ValueParsing.value(text, .decimal)
        default: value = ValueParsing.value(text, kind)
        }
        guard let value else {
            throw InspectionError(
                .badPredicate, subject: path, cause: "the text is not a value of type \(attribute.attributeType.text)",
                hint: "expected is \(ValueParsing.expectation(kind, of: text))")
        }
        return value
    }
}
