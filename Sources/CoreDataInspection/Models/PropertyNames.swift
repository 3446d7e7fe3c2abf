import CoreData

extension NSAttributeType {
    /// The type as Xcode's model editor names it.
    package var text: String {
        switch self {
        case .undefinedAttributeType: "Undefined"
        case .integer16AttributeType: "Integer 16"
        case .integer32AttributeType: "Integer 32"
        case .integer64AttributeType: "Integer 64"
        case .decimalAttributeType: "Decimal"
        case .doubleAttributeType: "Double"
        case .floatAttributeType: "Float"
        case .stringAttributeType: "String"
        case .booleanAttributeType: "Boolean"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType: "Binary"
        case .UUIDAttributeType: "UUID"
        case .URIAttributeType: "URI"
        case .transformableAttributeType: "Transformable"
        case .objectIDAttributeType: "ObjectID"
        case .compositeAttributeType: "Composite"
        }
    }
}

extension NSDeleteRule {
    /// The rule as Xcode's model editor names it.
    package var text: String {
        switch self {
        case .noActionDeleteRule: "No Action"
        case .nullifyDeleteRule: "Nullify"
        case .cascadeDeleteRule: "Cascade"
        case .denyDeleteRule: "Deny"
        }
    }
}

extension ValidationRule {
    /// The rule in a few words, such as `length ≤ 20`.
    package var text: String {
        switch check {
        case .minimum(let limit): "≥ \(limit)"
        case .maximum(let limit): "≤ \(limit)"
        case .earliest(let limit): "≥ \(ISODate.text(limit))"
        case .latest(let limit): "≤ \(ISODate.text(limit))"
        case .minimumLength(let limit): "length ≥ \(limit)"
        case .maximumLength(let limit): "length ≤ \(limit)"
        case .pattern(let pattern): "MATCHES \(pattern)"
        case .predicate(let format): format
        }
    }
}
