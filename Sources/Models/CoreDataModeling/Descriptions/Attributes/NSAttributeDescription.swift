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
    /// The type of the values, as the older enumeration; undefined by default.
    open var attributeType: NSAttributeType = .undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the values.
    ///
    /// A raw value that `NSAttributeType` does not have becomes undefined.
    open var type: AttributeType {
        get { AttributeType(attributeType) }
        set { attributeType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
    }

    /// The initial value of a new object.
    ///
    /// Differs from Apple's: an entry `defaultValueExpression` of the user info replaces the default value by one that
    /// is computed for each new object: `now()` for a date, `UUID()` for a UUID.
    open var defaultValue: Any? {
        willSet { requireMutable() }
        didSet { if !unfitTexts.isEmpty { unfitTexts["defaultValueString"] = nil } }
    }

    /// The texts of a default and of limits in the model's source that do not fit the type, by their keys in the
    /// source.
    ///
    /// The reader converted such a default leniently and ignored such a limit; a writer of sources writes these texts.
    final package var unfitTexts: [String: String] = [:] { willSet { requireMutable() } }

    /// The name of the value transformer of a transformable attribute.
    open var valueTransformerName: String? { willSet { requireMutable() } }

    /// Whether values of a transformable attribute are the stored bytes, without the transformer; for migrations.
    final package var keepsStoredForm = false { willSet { requireMutable() } }

    /// Whether large values may be kept in files beside the store; false by default.
    open var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }

    /// Whether persistent history keeps the value as a tombstone when the object is deleted; false by default.
    open var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }

    /// Whether CloudKit encrypts the value; part of the model, without effect here.
    open var allowsCloudEncryption = false { willSet { requireMutable() } }

    /// The name of the values' class; by default that of the type, nil for an undefined type.
    open var attributeValueClassName: String? {
        get { declaredValueClassName ?? attributeType.valueClassName }
        set { declaredValueClassName = newValue }
    }

    /// The name of the values' class in the model; nil if the model does not have one.
    final package var declaredValueClassName: String? { willSet { requireMutable() } }

    /// Whether the generated class has a property of a scalar type rather than an object; nil if the model does not
    /// say.
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
    /// The name of Core Data's class for values of the type.
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
