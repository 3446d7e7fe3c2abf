import CoreData
import StoreContract
import TestBasics
import Testing

/// Numbers that are set by key in properties of classes which the build plugin has put into the tables.
@Suite struct ComputedNumberTests {
    private static func stack(_ kind: StoreKind = .inMemory) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Gauge", class: "StoreContractTests.Gauge",
            ["name": .stringAttributeType, "level": .integer16AttributeType])
        return try Stack(builder.model, kind: kind)
    }

    @Test(
        "a number of another type is converted, in accessors before attributes too (KVC-05)", arguments: StoreKind.all)
    func numberOfAnotherTypeIsConverted(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let gauge = try #require(stack.context.insert("Gauge") as? Gauge)
        let numbers: [Any] = [
            5 as Int, NSNumber(value: 5), Int64(5), UInt8(5), 5.5, NSDecimalNumber(string: "5"), Decimal(5),
        ]
        for number in numbers {
            for key in ["mark", "limit", "level"] {
                gauge.setValue(1, forKey: key)
                gauge.setValue(number, forKey: key)
            }
            #expect(gauge.mark == 5 && gauge.limit == 5 && gauge.level == 5, "\(number) as \(type(of: number))")
        }
        gauge.setValue(0.1, forKey: "ratio")
        gauge.setValue(NSNull(), forKey: "limit")
        #expect(gauge.ratio == 0.1 && gauge.limit == nil)
        try stack.context.save()
        #expect((try stack.newContext().all("Gauge").first as? Gauge)?.level == 5)
    }

    @Test("a number out of range and another type are errors that name property and types (KVC-03, KVC-05)")
    func numberOutOfRangeAndAnotherTypeAreErrors() throws {
        let stack = try Self.stack()
        let gauge = try #require(stack.context.insert("Gauge") as? Gauge)
        for (key, value) in [("mark", 40_000), ("limit", 3_000_000_000), ("level", 40_000)] {
            let error = #expect(throws: ValueRejection.self) { try gauge.setCodedValue(value, forKey: key) }
            #expect(error?.code == .outOfRange && error?.key == key && error?.entity == "Gauge")
        }
        for (key, value) in [("mark", "5"), ("limit", "5"), ("mark", nil)] as [(String, Any?)] {
            let error = #expect(throws: ValueRejection.self) { try gauge.setCodedValue(value, forKey: key) }
            #expect(error?.code == .unacceptableType && error?.description.contains("desired type") == true)
        }
        #expect(gauge.mark == 0 && gauge.limit == nil && gauge.level == 0)
    }

    @Test("a number out of range stops the unguarded setter, which says why (KVC-05)")
    func numberOutOfRangeStopsUnguardedSetter() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.stack().context.insert("Gauge").setValue(40_000, forKey: "mark")
        }
        #expect(
            result.standardErrorText.contains(
                "The number given for 'mark' of class Gauge is outside the range of Int16."))
    }
}

/// A class with marked properties of its own, one of which stands before an attribute.
final class Gauge: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable(
        [.stored("name")],
        keyed: [
            .computed("mark", \Gauge.mark), .computed("limit", \Gauge.limit), .computed("ratio", \Gauge.ratio),
            .computed("level", \Gauge.level),
        ])

    var mark: Int16 = 0
    var limit: Int32?
    var ratio: Float = 0
    var level: Int16 {
        get { primitiveValue(forKey: "level") as? Int16 ?? 0 }
        set {
            willChangeValue(forKey: "level")
            setPrimitiveValue(newValue, forKey: "level")
            didChangeValue(forKey: "level")
        }
    }
}
