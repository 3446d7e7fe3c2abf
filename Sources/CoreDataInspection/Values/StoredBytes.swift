import CoreData

/// Stands in for a value transformer of another program: its values are shown as the bytes that are stored.
final class StoredBytes: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? { value as? Data }

    override func reverseTransformedValue(_ value: Any?) -> Any? { value }

    /// Whether an attribute's values are the bytes that are stored.
    static func standsIn(for attribute: NSAttributeDescription) -> Bool {
        attribute.valueTransformerName.flatMap { ValueTransformer(forName: NSValueTransformerName($0)) } is StoredBytes
    }

    /// Stands in for each transformer that a model names and the program does not have.
    static func standIn(for model: NSManagedObjectModel) {
        let names = model.entities.flatMap(\.ownProperties).compactMap {
            ($0 as? NSAttributeDescription)?.valueTransformerName
        }
        for name in Set(names).map({ NSValueTransformerName($0) }) where ValueTransformer(forName: name) == nil {
            ValueTransformer.setValueTransformer(StoredBytes(), forName: name)
        }
    }
}
