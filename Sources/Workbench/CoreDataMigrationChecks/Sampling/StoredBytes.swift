import CoreDataGraph

/// Replaces a value transformer that this program lacks: the attribute's values are the stored bytes as `Data`.
package final class StoredBytes: ValueTransformer {
    override public class func allowsReverseTransformation() -> Bool { true }

    override public func transformedValue(_ value: Any?) -> Any? { value as? Data }

    override public func reverseTransformedValue(_ value: Any?) -> Any? { value }

    /// Whether the registered transformer of an attribute is a `StoredBytes`, so that its values are the stored bytes.
    package static func standsIn(for attribute: NSAttributeDescription) -> Bool {
        attribute.valueTransformerName.flatMap { ValueTransformer(forName: NSValueTransformerName($0)) } is StoredBytes
    }

    /// Registers a `StoredBytes` for each transformer name in a model that has no transformer registered.
    package static func standIn(for model: NSManagedObjectModel) {
        let names = model.entities.flatMap(\.ownProperties).compactMap {
            ($0 as? NSAttributeDescription)?.valueTransformerName
        }
        for name in Set(names).map({ NSValueTransformerName($0) }) where ValueTransformer(forName: name) == nil {
            ValueTransformer.setValueTransformer(StoredBytes(), forName: name)
        }
    }
}
