import CoreData
import CoreDataMigrationChecks
import StoreContract
import Testing

/// Generated data.
@Suite struct SampleObjectsTests {
    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
        <entity name="Thing" isAbstract="YES"><attribute name="code" attributeType="String" regularExpressionString="[A-Z]{2}[0-9]{6}"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Part" parentEntity="Thing"><attribute name="weight" attributeType="Double" minValueString="0.5" maxValueString="2"/>
        <attribute name="grade" attributeType="Integer 16" minValueString="-3" maxValueString="3"/>
        <attribute name="note" optional="YES" attributeType="String"/><attribute name="image" optional="YES" attributeType="Binary"/>
        <attribute name="made" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/><attribute name="id" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
        <attribute name="link" optional="YES" attributeType="URI"/><attribute name="isUsed" optional="YES" attributeType="Boolean" usesScalarValueType="NO"/>
        <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
        <attribute name="big" optional="YES" attributeType="Integer 64" usesScalarValueType="NO"/>
        <relationship name="box" maxCount="1" destinationEntity="Box" inverseName="parts" inverseEntity="Box"/></entity>
        <entity name="Box" parentEntity="Thing"><attribute name="label" attributeType="String" minValueString="3" maxValueString="5"/>
        <relationship name="parts" toMany="YES" minCount="1" maxCount="3" optional="NO" destinationEntity="Part" inverseName="box" inverseEntity="Part"/>
        <relationship name="next" optional="YES" toMany="YES" ordered="YES" destinationEntity="Box" inverseName="previous" inverseEntity="Box"/>
        <relationship name="previous" optional="YES" toMany="YES" destinationEntity="Box" inverseName="next" inverseEntity="Box"/></entity>
        </model>
        """

    private static func filled(seed: UInt64 = 1) throws -> Stack {
        let model = try NSManagedObjectModel(source: Data(source.utf8))
        let stack = try Stack(model)
        _ = SampleObjects.fill(stack.context, of: model, objects: 400, seed: seed)
        // A save validates all objects and looks at the constraints.
        try stack.context.save()
        return try stack.reopened()
    }

    @Test("generated data obey the model's rules and fill most of what can be filled (MIG-21)")
    func dataObeyTheRules() throws {
        let stack = try Self.filled()
        let (parts, boxes) = (try stack.context.all("Part"), try stack.context.all("Box"))
        #expect(parts.count > 100)
        #expect(boxes.count > 50)
        let names = ["note", "image", "made", "price", "id", "link", "isUsed", "tags", "big"]
        for name in names {
            let values = parts.count { $0.value(forKey: name) != nil }
            #expect(values > parts.count / 2, "\(name)")
            #expect(values < parts.count, "\(name) is never nil")
        }
        let grades = Set(parts.compactMap { $0.value(forKey: "grade") as? Int })
        #expect(grades == Set(-3...3))
        for box in boxes { #expect((1...3).contains((box.value(forKey: "parts") as? NSSet)?.count ?? 0)) }
        #expect(boxes.contains { ($0.value(forKey: "next") as? NSOrderedSet)?.count ?? 0 > 1 })
    }

    @Test func oddValuesAreAmongThem() throws {
        let stack = try Self.filled()
        let parts = try stack.context.all("Part")
        let notes = Set(parts.compactMap { $0.value(forKey: "note") as? String })
        #expect(notes.isSuperset(of: ["", "nul\u{0}byte", "\u{10FFFF}"]))
        let images = Set(parts.compactMap { ($0.value(forKey: "image") as? Data)?.count })
        #expect(images.isSuperset(of: [0, 200_000]))
        let dates = Set(parts.compactMap { $0.value(forKey: "made") as? Date })
        #expect(dates.isSuperset(of: [.distantPast, .distantFuture]))
        let numbers = Set(parts.compactMap { $0.value(forKey: "big") as? Int })
        #expect(numbers.isSuperset(of: [.min, .max]))
    }

    @Test func equalSeedsMakeEqualData() throws {
        func codes(_ seed: UInt64) throws -> [String?] {
            let stack = try Self.filled(seed: seed)
            return try stack.context.all("Part", sortedBy: "code").map { $0.value(forKey: "code") as? String }
        }
        #expect(try codes(3) == codes(3))
        #expect(try codes(3) != codes(4))
    }
}
