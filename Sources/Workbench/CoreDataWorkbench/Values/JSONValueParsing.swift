import CoreData

/// Parses values of attributes from JSON, in the forms that `ValueCoding` writes.
///
/// | type | JSON |
/// |---|---|
/// | integers | an integer; of 64 bits also a text of its digits, since the numbers of some programs cannot represent them |
/// | Double, Float | a number, or the texts `NaN`, `Infinity`, `-Infinity`, `∞`, `-∞` |
/// | Decimal | a text of digits or `NaN`, or a number |
/// | Boolean | true or false |
/// | Date, Binary, UUID, URI, String | a text, as `ValueParsing` reads it; in a String no text stands for nil |
/// | Composite | an object with the elements |
/// | Transformable | a list, an object, a text, a number; base64 where the program does not have the transformer |
package enum JSONValueParsing {
    /// Converts JSON to a value of an attribute; nil for null.
    ///
    /// - Throws: `InspectionError` of code `badValue` saying what was expected.
    package static func value(_ json: JSONValue, for attribute: NSAttributeDescription) throws -> Any? {
        let kind = AttributeKind(attribute)
        return NSManagedObject.foundationValue(try held(json, for: attribute, kind), kind)
    }

    /// The same in the form in which an object stores values; numbers may exceed the range of the type.
    package static func held(
        _ json: JSONValue, for attribute: NSAttributeDescription, _ kind: AttributeKind
    ) throws -> HeldValue {
        if case .null = json { return .null }
        if let value = held(json, kind: kind, attribute: attribute) { return value }
        if let composite = attribute as? NSCompositeAttributeDescription {
            return .reference(try elements(json, of: composite))
        }
        let reason: String? =
            if case .string(let text) = json, kind == .date { ISODate.impossibility(text) } else { nil }
        throw InspectionError(
            .badValue, subject: attribute.name,
            cause: "the JSON is not a value of type \(attribute.attributeType.text)",
            hint: (reason.map { $0 + "; " } ?? "") + expectation(kind))
    }

    private static func held(
        _ json: JSONValue, kind: AttributeKind, attribute: NSAttributeDescription
    ) -> HeldValue? {
        switch (kind, json) {
        case (.integer16, .number(let text)), (.integer32, .number(let text)), (.integer64, .number(let text)),
            (.double, .number(let text)), (.float, .number(let text)), (.decimal, .number(let text)),
            (.integer64, .string(let text)), (.decimal, .string(let text)), (.date, .string(let text)),
            (.binary, .string(let text)),
            (.uuid, .string(let text)), (.uri, .string(let text)):
            ValueParsing.held(text, kind)
        case (.double, .string(let text)), (.float, .string(let text)): ValueParsing.special(text).map { .real($0) }
        case (.boolean, .bool(let flag)): .integer(flag ? 1 : 0)
        case (.string, .string(let text)): .reference(text)
        case (.transformable, .string(let text)) where isBytes(attribute):
            Data(base64Encoded: text).map { .reference($0) }
        case (.transformable, _) where !isBytes(attribute): object(json).map { .reference($0) }
        default: nil
        }
    }

    /// Whether the values of a transformable attribute are their stored bytes.
    private static func isBytes(_ attribute: NSAttributeDescription) -> Bool {
        attribute.keepsStoredForm || StoredBytes.standsIn(for: attribute)
    }

    private static func elements(_ json: JSONValue, of composite: NSCompositeAttributeDescription) throws -> Any {
        guard case .members(let members) = json else {
            throw InspectionError(
                .badValue, subject: composite.name, cause: "the JSON is not a value of type Composite",
                hint: "an object with the elements of the composite")
        }
        let known = Dictionary(composite.elements.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var values: [String: Any] = [:]
        for member in members {
            guard let element = known[member.key] else {
                let near = NameSuggestion(for: member.key, in: known.keys)
                let name = PrintableText.escaped(member.key, limit: 80)
                throw InspectionError(
                    .unknownKey, subject: composite.name, cause: "the composite has no element '\(name)'",
                    hint: near?.question)
            }
            values[member.key] = try value(member.value, for: element) ?? NSNull()
        }
        return values
    }

    /// Converts JSON to Foundation objects that can be archived; nil for a number that is not finite.
    private static func object(_ json: JSONValue) -> Any? {
        switch json {
        case .null: return NSNull()
        case .bool(let flag): return NSNumber(value: flag)
        case .integer(let number): return NSNumber(value: number)
        case .number(let text):
            if let whole = Int64(text) { return NSNumber(value: whole) }
            return Double(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        case .string(let text): return NSString(string: text)
        case .array(let elements):
            let objects = elements.compactMap(object)
            return objects.count == elements.count ? NSArray(array: objects) : nil
        case .members(let members):
            let pairs = members.compactMap { member in object(member.value).map { (member.key, $0) } }
            guard pairs.count == members.count else { return nil }
            return NSDictionary(dictionary: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        }
    }

    private static func expectation(_ kind: AttributeKind) -> String {
        switch kind {
        case .boolean: "true or false"
        case .string: "a text in quotes"
        case .date, .binary, .uuid, .uri: ValueParsing.expectation(kind) + ", in quotes"
        case .transformable: "a list, an object, a text or a number; base64 where the transformer is not known"
        default: ValueParsing.expectation(kind)
        }
    }
}
