import CoreData
import CoreDataInspection
import Testing

@Suite("Stored bytes as trees")
struct DecodedValueTests {
    private func archive(_ value: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    }

    /// A keyed archive of hand-made objects, of which the first one is the root.
    private func archive(objects: [PropertyList]) -> Data {
        PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array([.string("$null")] + objects),
        ]).binaryData
    }

    @Test("BRW-41: arrays, dictionaries, texts, dates, data and identifiers of an archive are plain values")
    func plainValues() throws {
        let uuid = UUID()
        let value: NSDictionary = [
            "list": NSArray(array: ["a", NSNumber(value: 2)]), "date": NSDate(timeIntervalSinceReferenceDate: 0),
            "data": NSData(data: Data([7])), "id": uuid as NSUUID,
        ]
        let decoded = DecodedValue(try archive(value))
        let text = JSONWriter.line(decoded.json)
        #expect(decoded.kind == .keyedArchive && decoded.isComplete)
        #expect(text.contains("\"list\":[\"a\",2]") && text.contains("2001-01-01T00:00:00"), "\(text)")
        #expect(text.contains("\"hex\":\"07\"") && text.contains(uuid.uuidString), "\(text)")
    }

    @Test("BRW-41: an object of any class is its name and its fields, and is never made")
    func unknownClass() {
        let decoded = DecodedValue(
            archive(objects: [
                .dictionary(["$class": .uid(2), "command": .string("rm"), "self": .uid(1)]),
                .dictionary(["$classname": .string("Evil.Task"), "$classes": .array([.string("Evil.Task")])]),
            ]))
        let text = JSONWriter.line(decoded.value)
        #expect(text == "{\"$class\":\"Evil.Task\",\"command\":\"rm\",\"self\":{\"$ref\":1}}")
    }

    @Test("BRW-41, HAZ: archives that nest deeply or widen without end are cut")
    func bounds() {
        // Each array has the next one twice: 2 to the 60th values.
        var objects: [PropertyList] = []
        let count = 60
        for number in 1...count {
            let next = PropertyList.uid(number + 1)
            objects.append(
                .dictionary([
                    "$class": .uid(count + 2), "NS.objects": .array(number == count ? [.integer(1)] : [next, next]),
                ]))
        }
        objects.append(.null)
        objects.append(.dictionary(["$classname": .string("NSArray"), "$classes": .array([.string("NSArray")])]))
        let decoded = DecodedValue(archive(objects: objects))
        #expect(decoded.kind == .keyedArchive && !decoded.isComplete)
        #expect(JSONWriter.line(decoded.value).utf8.count < 1 << 20)
        for data in [Data(), Data("bplist00".utf8), Data("bplist00\u{1}\u{2}".utf8), Data("{\"a\":".utf8)] {
            #expect(DecodedValue(data).kind == .unknown)
        }
    }
}
