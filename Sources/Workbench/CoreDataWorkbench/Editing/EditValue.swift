import CoreData

/// A value for a property in the form in which it was given, not yet checked against a model.
package enum EditValue: Sendable {
    case null
    case json(JSONValue)
    /// A text that was typed on a command line.
    case text(String)
    /// A field of a CSV table.
    case field(String)
    /// Values for some elements of a composite attribute; the others are unchanged.
    case elements([Element])

    package struct Element: Sendable {
        /// The names on the path to the element, or to a composite within the attribute.
        let path: [String]
        let value: EditValue

        package init(path: [String], value: EditValue) {
            self.path = path
            self.value = value
        }
    }
}

// MARK: Attributes

extension EditValue {
    /// The value for an attribute; nil for null. For `elements` it is a dictionary of the named elements only.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    package func value(for attribute: NSAttributeDescription) throws -> Any? {
        if case .text(let text) = self { return try ValueParsing.value(text, for: attribute) }
        let kind = AttributeKind(attribute)
        return NSManagedObject.foundationValue(try held(for: attribute, kind), kind)
    }

    /// The same in the form in which an object stores values; numbers may exceed the range of the type.
    package func held(for attribute: NSAttributeDescription, _ kind: AttributeKind) throws -> HeldValue {
        switch self {
        case .null: .null
        case .json(let json): try JSONValueParsing.held(json, for: attribute, kind)
        case .text(let text): try ValueParsing.value(text, for: attribute).map { .reference($0) } ?? .null
        case .field(let text): try Self.held(field: text, for: attribute, kind)
        case .elements(let elements): try Self.dictionary(elements, of: attribute).map { .reference($0) } ?? .null
        }
    }

    private static func held(
        field text: String, for attribute: NSAttributeDescription, _ kind: AttributeKind
    ) throws -> HeldValue {
        switch kind {
        case .string, .undefined: return .reference(text)
        case .transformable: return try JSONValueParsing.held(.string(text), for: attribute, kind)
        case .composite:
            let values = try JSONReader.values(in: Array(text.utf8), of: attribute.name)
            return try JSONValueParsing.held(values.count == 1 ? values[0] : .null, for: attribute, kind)
        case .double, .float:
            if ["NaN", "Infinity", "-Infinity"].contains(text) {
                return try JSONValueParsing.held(.string(text), for: attribute, kind)
            }
        default: break
        }
        if text != ValueParsing.null, let value = ValueParsing.held(text, kind) { return value }
        // Null and errors are the same for a field as for typed text.
        return try EditValue.text(text).held(for: attribute, kind)
    }

    /// The dictionary of a composite attribute with values for elements; elements that are not named keep their values
    /// in `before`.
    ///
    /// - Throws: `InspectionError` naming the element whose value does not have its type.
    static func dictionary(
        _ elements: [Element], of attribute: NSAttributeDescription, over before: [String: Any] = [:]
    ) throws -> [String: Any]? {
        var values = before
        for element in elements {
            let end = element.path.reduce(attribute as NSAttributeDescription?) { outer, name in
                (outer as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
            }
            guard let end else { continue }
            do {
                CompositeCoding.set(try element.value.value(for: end) ?? NSNull(), at: element.path[...], in: &values)
            } catch var error as InspectionError {
                if error.subject == end.name {
                    error.subject = ([attribute.name] + element.path).joined(separator: ".")
                }
                throw error
            }
        }
        values = CompositeCoding.compacted(values, of: attribute)
        return values.isEmpty && attribute.isOptional ? nil : values
    }
}

// MARK: Relationships

extension EditValue {
    /// The names of the objects to which a relationship is set; empty for null.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    package func names(for relationship: NSRelationshipDescription) throws -> [String] {
        switch (self, relationship.isToMany) {
        case (.null, _), (.json(.null), _), (.text(ValueParsing.null), _): return []
        case (.text(let text), false), (.json(.string(let text)), false): return [text]
        case (.text(let text), true):
            let hasBrackets = text.hasPrefix("[") && text.hasSuffix("]")
            return ObjectQuery.list(hasBrackets ? String(text.dropFirst().dropLast()) : text)
        case (.field(let text), false): return text.isEmpty ? [] : [text]
        case (.field(let text), true): return text.split(separator: " ").map(String.init)
        case (.json(.array(let elements)), true):
            return try elements.map { element in
                guard case .string(let text) = element else { throw Self.wrong(relationship) }
                return text
            }
        case (.json, _), (.elements, _): throw Self.wrong(relationship)
        }
    }

    private static func wrong(_ relationship: NSRelationshipDescription) -> InspectionError {
        InspectionError(
            .badValue, subject: relationship.name,
            cause: relationship.isToMany ? "the JSON is not a list of addresses" : "the JSON is not an address",
            hint: relationship.isToMany ? "such as [\"Entity/p1\"]" : "a text such as \"Entity/p1\", or null")
    }
}
