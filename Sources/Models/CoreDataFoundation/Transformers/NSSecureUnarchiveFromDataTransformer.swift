/// Decodes keyed archives of listed classes; the reverse transformation encodes.
///
/// As an attribute's transformer it is used in reverse, as Apple's is: `reverseTransformedValue(_:)` makes the bytes
/// that are stored, `transformedValue(_:)` decodes them. Bytes are checked before they are decoded; bytes that are
/// refused, and objects of other classes, give nil.
///
/// ```swift
/// final class MeasureTransformer: NSSecureUnarchiveFromDataTransformer {
///     override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSNumber.self] }
/// }
/// ValueTransformer.setValueTransformer(MeasureTransformer(), forName: NSValueTransformerName("Measures"))
/// ```
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes of objects that `transformedValue(_:)` may return; a subclass may narrow or widen the list.
    open class var allowedTopLevelClasses: [AnyClass] { ArchiveDecoding.plainClasses }

    /// The class of the decoded values.
    open override class func transformedValueClass() -> AnyClass { NSObject.self }

    /// True: archives are decoded and encoded.
    open override class func allowsReverseTransformation() -> Bool { true }

    /// Decodes the object in an archive; nil for nil, for bytes that are refused and for an object of another class.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = flattened(value) as? Data else { return nil }
        return try? ArchiveDecoding.object(in: data, topLevelClasses: Self.allowedTopLevelClasses)
    }

    /// The archive of an object; nil for nil and for an object that cannot be archived.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value = ValueOrder.present(flattened(value)) else { return nil }
        return try? ArchiveDecoding.archive(of: value)
    }
}
