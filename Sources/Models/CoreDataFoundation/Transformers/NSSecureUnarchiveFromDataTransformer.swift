/// Decodes keyed archives of a closed list of classes; the reverse encodes.
///
/// As an attribute's transformer it is used in reverse, as Apple's: `reverseTransformedValue(_:)` makes the bytes that
/// are stored, `transformedValue(_:)` reads them. Bytes are decoded only when they have been proved harmless; bytes that it refuses, and objects of other classes, give nil.
///
/// ```swift
/// final class MeasureTransformer: NSSecureUnarchiveFromDataTransformer {
///     override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSNumber.self] }
/// }
/// ValueTransformer.setValueTransformer(MeasureTransformer(), forName: NSValueTransformerName("Measures"))
/// ```
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that may stand at the top of an archive; a subclass may narrow or widen the list.
    open class var allowedTopLevelClasses: [AnyClass] { ArchiveDecoding.plainClasses }

    /// The class of the values that archives are made of.
    open override class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Archives are read and written.
    open override class func allowsReverseTransformation() -> Bool { true }

    /// The object in an archive; nil for nil, for bytes that are not a harmless archive and for other classes.
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
