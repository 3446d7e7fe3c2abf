import CoreData
import StoreContract

/// An entity with one attribute of each type, by the names of the types.
enum SampleModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Sample", class: "StoreContractTests.Sample",
            [
                "int16": .integer16AttributeType, "int32": .integer32AttributeType, "int64": .integer64AttributeType,
                "decimal": .decimalAttributeType, "double": .doubleAttributeType, "float": .floatAttributeType,
                "string": .stringAttributeType, "flag": .booleanAttributeType, "date": .dateAttributeType,
                "data": .binaryDataAttributeType, "uuid": .UUIDAttributeType, "uri": .URIAttributeType,
                "archived": .transformableAttributeType,
            ])
        return builder.model
    }
}

final class Sample: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable(
        [
            "int16", "int32", "int64", "decimal", "double", "float", "string", "flag", "date", "data", "uuid", "uri",
        ].map { .stored($0) })

    var int16: Int16 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var int32: Int32 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var int64: Int64 {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var int: Int {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var wrongInt: Int {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var number: NSNumber? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var decimal: NSDecimalNumber? {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var plainDecimal: Decimal? {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var double: Double {
        get { attribute(4) }
        set { setAttribute(4, newValue) }
    }
    var float: Float {
        get { attribute(5) }
        set { setAttribute(5, newValue) }
    }
    var string: String? {
        get { attribute(6) }
        set { setAttribute(6, newValue) }
    }
    var flag: Bool {
        get { attribute(7) }
        set { setAttribute(7, newValue) }
    }
    var date: Date? {
        get { attribute(8) }
        set { setAttribute(8, newValue) }
    }
    var data: Data? {
        get { attribute(9) }
        set { setAttribute(9, newValue) }
    }
    var uuid: UUID? {
        get { attribute(10) }
        set { setAttribute(10, newValue) }
    }
    var uri: URL? {
        get { attribute(11) }
        set { setAttribute(11, newValue) }
    }
}
