import CoreData

/// Values that fit attributes, for objects that nobody cares about.
enum Filling {
    /// Transformers of the programs that some of the stores come from; here they keep bytes as they are.
    private static let ownTransformers = ["CoverTransformer", "ContentTransformer"]

    private final class KeepingTransformer: ValueTransformer {
        override class func allowsReverseTransformation() -> Bool { true }
    }

    static func registerTransformers() {
        for name in ownTransformers {
            ValueTransformer.setValueTransformer(KeepingTransformer(), forName: NSValueTransformerName(name))
        }
    }

    static func fill(_ object: NSManagedObject, seed: Int) {
        for (name, attribute) in object.entity.attributesByName
        where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
            if let value = value(for: attribute, seed) { object.setValue(value, forKey: name) }
        }
    }

    private static func value(for attribute: NSAttributeDescription, _ seed: Int) -> Any? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: NSNumber(value: seed % 50 + 1)
        case .booleanAttributeType: true
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: Double(seed % 50) + 0.5)
        case .decimalAttributeType: NSDecimalNumber(string: "12.34")
        case .stringAttributeType: "Größe \(attribute.name) \(UUID().uuidString)"
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 700_000_000.25 + Double(seed))
        case .binaryDataAttributeType: Data([0, 1, 2, UInt8(truncatingIfNeeded: seed)])
        case .UUIDAttributeType: UUID()
        case .URIAttributeType: URL(string: "https://example.org/\(seed)?q=1")
        case .transformableAttributeType where attribute.valueTransformerName.map(ownTransformers.contains) == true:
            Data("any bytes".utf8)
        default: nil
        }
    }
}
