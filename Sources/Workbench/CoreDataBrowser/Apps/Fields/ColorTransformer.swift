import CoreData

/// Colours as the books store them: an array of four numbers in memory, `r,g,b,a` as text in the store.
///
/// Used if a model names the books' transformer and the program does not have a class of that name.
final class ColorTransformer: ValueTransformer {
    /// The name of the transformer in the books' models.
    static let name = "UIColorRGBValueTransformer"

    /// Registers the transformer unless the program has one of the same name.
    static func register() {
        let key = NSValueTransformerName(name)
        if ValueTransformer(forName: key) == nil { setValueTransformer(ColorTransformer(), forName: key) }
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }

    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let numbers = value as? [NSNumber] else { return nil }
        return RowColor(.array(numbers.map { .real($0.doubleValue) }))?.stored
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let text = String(data: data, encoding: .utf8) else { return nil }
        return RowColor(text: text).map { NSArray(array: $0.components.map { NSNumber(value: $0) }) }
    }
}
