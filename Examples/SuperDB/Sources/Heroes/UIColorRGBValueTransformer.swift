import CoreData

/// Colours as the store keeps them: four numbers from 0 to 1 in memory, `r,g,b,a` as text in the store.
final class UIColorRGBValueTransformer: ValueTransformer {
    /// Makes the transformer known by the name that the model gives.
    static func register() {
        setValueTransformer(
            UIColorRGBValueTransformer(), forName: NSValueTransformerName("UIColorRGBValueTransformer"))
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }

    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let numbers = value as? [NSNumber], numbers.count == 4 else { return nil }
        return Data(numbers.map { String(format: "%f", $0.doubleValue) }.joined(separator: ",").utf8)
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let text = String(data: data, encoding: .utf8) else { return nil }
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        return numbers.count == 4 ? NSArray(array: numbers.map { NSNumber(value: $0) }) : nil
    }
}
