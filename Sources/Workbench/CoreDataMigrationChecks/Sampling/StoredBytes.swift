import CoreDataGraph

/// Stands in for a value transformer of another program: its values are shown as the bytes that are stored.
package final class StoredBytes: ValueTransformer {
    override public class func allowsReverseTransformation() -> Bool { true }

    override public func transformedValue(_ value: Any?) -> Any? { value as? Data }

    override public func reverseTransformedValue(_ value: Any?) -> Any? { value }

    /// Whether an attribute's values are the bytes that are stored.
    package static func standsIn(for attribute: NSAttributeDescription) -> Bool {
        attribute.valueTransformerName.flatMap { ValueTransformer(forName: NSValueTransformerName($0)) } is StoredBytes
    }

    /// Stands in for each transformer that a model names and the program does not have.
    package static func standIn(for model: NSManagedObjectModel) {
        let names = model.entities.flatMap(\.ownProperties).compactMap {
            ($0 as? NSAttributeDescription)?.valueTransformerName
        }
        for name in Set(names).map({ NSValueTransformerName($0) }) where ValueTransformer(forName: name) == nil {
            ValueTransformer.setValueTransformer(StoredBytes(), forName: name)
        }
    }
}
