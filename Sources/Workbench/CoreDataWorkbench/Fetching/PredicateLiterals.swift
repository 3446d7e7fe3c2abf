import CoreData

/// Converts the literals of a predicate to the types of the properties that they are compared with.
///
/// | compared with | literal |
/// |---|---|
/// | a date | ISO 8601, a day alone included; or a number of seconds since 2001-01-01 |
/// | a number | a text with a number in it |
/// | a Boolean | YES or NO, true or false, 1 or 0, also as text |
/// | a UUID, a URI, data | a text; data in base64 |
/// | an object | its address as a text: `x-coredata://STORE/Book/p7`, or `Book/p7` |
package enum PredicateLiterals {
    /// The predicate with converted literals; parts without such literals stay the same objects.
    ///
    /// `objectID` returns the identifier of an address; if it returns nil, the text stays as it is.
    /// - Throws: `InspectionError` of code `badPredicate` for a literal that is not a value of the type, with the name
    ///   of the attribute, and errors of `objectID`.
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

    /// The converted value of a literal; nil if the literal needs no conversion.
    private static func value(of literal: Any, for attribute: NSAttributeDescription, _ path: String) throws -> Any? {
        let kind = AttributeKind(attribute)
        guard let text = literal as? String else {
            guard kind == .date, !(literal is Bool), let number = ExactNumber(literal) else { return nil }
            return Date(timeIntervalSinceReferenceDate: number.double)
        }
        let value: Any?
        switch kind {
        case .string, .undefined, .transformable, .composite, .objectID: return nil
        // A bound need not be a value of the attribute, so a number with a fraction is accepted.
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
