/// Negates a Boolean; nil counts as false.
final class NegateBooleanTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        ExactNumber(value).map { $0.double == 0 } ?? true
    }
}

/// Whether a value is nil.
final class IsNilTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? {
        ValueOrder.present(flattened(value)) == nil
    }
}

/// Whether a value is not nil.
final class IsNotNilTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? {
        ValueOrder.present(flattened(value)) != nil
    }
}
