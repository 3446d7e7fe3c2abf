import CoreDataGraph

/// Values of one attribute that a store must return bit for bit.
package struct AttributeSample: @unchecked Sendable {
    /// The values' name in the names of checks, after the identifier of the catalog's row.
    let name: String
    /// The attribute of the entity `Sample`.
    let key: String
    /// At least two values, none of them nil.
    let values: [Any]
    var needs: NSPersistentStore.Capabilities = []

    /// An entity with one attribute for each kind of sample, and a number by which objects are distinguished.
    package static func model() -> NSManagedObjectModel {
        ValueTransformer.setValueTransformer(NumbersTransformer(), forName: .init("ContractNumbersTransformer"))
        ValueTransformer.setValueTransformer(ListsTransformer(), forName: .init("ContractListsTransformer"))
        let builder = ModelBuilder()
        let entity = builder.entity(
            "Sample",
            [
                "number": .integer64AttributeType, "int16": .integer16AttributeType, "int32": .integer32AttributeType,
                "int64": .integer64AttributeType, "decimal": .decimalAttributeType, "double": .doubleAttributeType,
                "float": .floatAttributeType, "string": .stringAttributeType, "flag": .booleanAttributeType,
                "date": .dateAttributeType, "data": .binaryDataAttributeType, "large": .binaryDataAttributeType,
                "uuid": .UUIDAttributeType, "uri": .URIAttributeType, "transformable": .transformableAttributeType,
                "transformedNumbers": .transformableAttributeType, "transformedLists": .transformableAttributeType,
                "scratch": .undefinedAttributeType,
            ])
        entity.properties.append(composite())
        builder.attribute("Sample.large").allowsExternalBinaryDataStorage = true
        builder.attribute("Sample.transformedNumbers").valueTransformerName = "ContractNumbersTransformer"
        builder.attribute("Sample.transformedLists").valueTransformerName = "ContractListsTransformer"
        builder.attribute("Sample.scratch").isTransient = true
        return builder.model
    }

    private static func composite() -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        composite.name = "composite"
        composite.isOptional = true
        composite.elements = [("count", .integer32AttributeType), ("label", .stringAttributeType)].map { name, type in
            let element = NSAttributeDescription()
            element.name = name
            element.attributeType = type
            element.isOptional = true
            return element
        }
        return composite
    }

    /// Whether a value that was read equals the value that was set, bit for bit.
    static func same(_ read: Any?, _ set: Any?) -> Bool {
        switch (read, set) {
        case (nil, nil): true
        // Comparing as `NSObject` would copy the bytes one by one.
        case (let read as Data, let set as Data): read == set
        case (let read as String, let set as String): Data(read.utf8) == Data(set.utf8)
        case (let read as Date, let set as Date):
            read.timeIntervalSinceReferenceDate.bitPattern == set.timeIntervalSinceReferenceDate.bitPattern
        case (let read as NSDecimalNumber, let set as NSDecimalNumber): read == set
        case (let read as NSNumber, let set as Double): read.doubleValue.bitPattern == set.bitPattern
        case (let read as NSNumber, let set as Float): read.floatValue.bitPattern == set.bitPattern
        case (let read as [Double], let set as [Double]): read == set
        case (let read as NSObject, let set as NSObject): read == set
        case (let read?, let set?): sameBridged(read, set)
        default: false
        }
    }

    private static func sameBridged(_ read: Any, _ set: Any) -> Bool {
        if let read = read as? NSNumber, let set = set as? any BinaryInteger { return read.int64Value == Int64(set) }
        guard let read = read as? AnyHashable, let set = set as? AnyHashable else { return false }
        return read == set
    }
}

/// Transforms an array of numbers into bytes in a custom format: a text with commas.
final class NumbersTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [Double]).map { Data($0.map { "\($0)" }.joined(separator: ",").utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self).split(separator: ",").compactMap { Double($0) } }
    }
}

/// Transforms arrays into archives.
final class ListsTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self] }
}
