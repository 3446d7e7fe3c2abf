import CoreDataFoundation

/// An attribute of an entity: a named value of one type.
///
/// ```swift
/// let price = NSAttributeDescription()
/// price.name = "price"
/// price.type = .decimal
/// price.isOptional = false
/// price.defaultValue = NSDecimalNumber(value: 0)
/// ```
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
    /// The type of the values, as the enumeration of old; undefined at first.
    open var attributeType: NSAttributeType = .undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the values.
    ///
    /// A raw value that `NSAttributeType` does not know counts as undefined.
    open var type: AttributeType {
        get { AttributeType(attributeType) }
        set { attributeType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
    }

    /// The value that a new object starts with.
    ///
    /// Differs from Apple's: an entry `defaultValueExpression` of the user info takes its place with a value that is
    /// computed for each new object: `now()` for a date, `UUID()` for a UUID.
    open var defaultValue: Any? {
        willSet { requireMutable() }
        didSet { if !unfitTexts.isEmpty { unfitTexts["defaultValueString"] = nil } }
    }

    /// The default and the limits of the model's source that do not fit the type, by their keys in the source.
    ///
    /// Such a default was read leniently, such a limit not at all; a source that is written says them as they were.
    final package var unfitTexts: [String: String] = [:] { willSet { requireMutable() } }

    /// The name of the value transformer of a transformable attribute.
    open var valueTransformerName: String? { willSet { requireMutable() } }

    /// Whether values of a transformable attribute are the bytes in the store, which no transformer sees: in a migration.
    final package var keepsStoredForm = false { willSet { requireMutable() } }

    /// Whether large values may be kept in files beside the store; false at first.
    open var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }

    /// Whether the value outlives its object in the persistent history; false at first.
    open var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }

    /// Whether the value is encrypted in a cloud; kept for the model's sake and without effect here.
    open var allowsCloudEncryption = false { willSet { requireMutable() } }

    /// The name of the values' class: that of the type unless the model names one, nil for an undefined type.
    open var attributeValueClassName: String? {
        get { declaredValueClassName ?? attributeType.valueClassName }
        set { declaredValueClassName = newValue }
    }

    /// The name of the values' class as the model gives it.
    final package var declaredValueClassName: String? { willSet { requireMutable() } }

    /// Whether the generated class exposes a plain number rather than an object; nil where the model is silent.
    final package var usesScalarValueType: Bool? { willSet { requireMutable() } }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.attributeType = attributeType
        copy.defaultValue = defaultValue
        copy.unfitTexts = unfitTexts
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
        copy.declaredValueClassName = declaredValueClassName
        copy.usesScalarValueType = usesScalarValueType
    }

    override func hasSameContent(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSAttributeDescription else { return false }
        return super.hasSameContent(as: other) && attributeType == other.attributeType
            && valueTransformerName == other.valueTransformerName
            && attributeValueClassName == other.attributeValueClassName
            && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
            && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
            && allowsCloudEncryption == other.allowsCloudEncryption && haveSameContent(defaultValue, other.defaultValue)
    }
}

extension NSAttributeType {
    /// The class that Core Data names for values of the type.
    var valueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .objectIDAttributeType: "NSManagedObjectID"
        case .compositeAttributeType: "NSDictionary"
        case .undefinedAttributeType, .transformableAttributeType: nil
        }
    }
}
