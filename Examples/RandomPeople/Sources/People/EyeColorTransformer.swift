import CoreData

/// Colours to the bytes that a store keeps, and back.
final class EyeColorTransformer: ValueTransformer {
    /// Makes the transformer known by the name that the model gives.
    static func register() {
        setValueTransformer(EyeColorTransformer(), forName: NSValueTransformerName("EyeColorTransformer"))
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }

    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? { (value as? EyeColor)?.data }

    override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data).flatMap(EyeColor.init(data:)) }
}
