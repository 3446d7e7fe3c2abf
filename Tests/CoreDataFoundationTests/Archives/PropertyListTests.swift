import CoreDataFoundation
import TestBasics
import Testing

@Suite struct PropertyListTests {
    private func code(_ data: Data, _ limits: PropertyListLimits = PropertyListLimits()) -> ArchiveError.Code? {
        do {
            _ = try PropertyList(binary: data, limits: limits)
            return nil
        } catch {
            return (error as? ArchiveError)?.code
        }
    }

    private var sample: Data {
        get throws {
            let value: [String: Any] = [
                "text": "plain", "unicode": "שלום 🦸", "number": -3, "big": Int64.max, "real": 1.5, "flag": true,
                "date": Date(timeIntervalSinceReferenceDate: 12.25), "data": Data([0, 1, 255]), "list": [1, 2, 3],
                "long": String(repeating: "x", count: 300),
            ]
            return try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        }
    }

    @Test func everyKindOfValueIsRead() throws {
        let values = try #require(try PropertyList(binary: sample).dictionary)
        #expect(values["text"] == .string("plain"))
        #expect(values["unicode"] == .string("שלום 🦸"))
        #expect(values["number"] == .integer(-3))
        #expect(values["big"] == .integer(.max))
        #expect(values["real"] == .real(1.5))
        #expect(values["flag"] == .boolean(true))
        #expect(values["date"] == .date(Date(timeIntervalSinceReferenceDate: 12.25)))
        #expect(values["data"] == .data(Data([0, 1, 255])))
        #expect(values["list"] == .array([.integer(1), .integer(2), .integer(3)]))
        #expect(values["long"]?.string?.count == 300)
        #expect((PropertyList.dictionary(values).foundationValue as? [String: Any])?["number"] as? Int == -3)
    }

    @Test("data that are not a binary property list are refused by name (HAZ-13)")
    func otherFormsAreRefused() throws {
        let xml = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0)
        #expect(code(xml) == .unsupportedForm)
        #expect(code(Data()) == .unsupportedForm)
        #expect(code(Data("bplist00".utf8)) == .malformed)
        #expect(code(Data(repeating: 0, count: 4096)) == .unsupportedForm)
    }

    @Test("a property list cut off anywhere is refused (HAZ-13)")
    func truncationIsRefused() throws {
        let data = try sample
        for count in 0..<data.count { #expect(code(data.prefix(count)) != nil, "\(count) bytes") }
    }

    @Test("a byte changed anywhere gives a value or an error (HAZ-13)")
    func changedBytesNeverTrap() throws {
        let data = try sample
        var refused = 0
        for index in data.indices {
            for value in [0x00, 0xFF, data[index] ^ 0x10, data[index] &+ 1] as [UInt8] {
                var changed = data
                changed[index] = value
                if code(changed) != nil { refused += 1 }
            }
        }
        #expect(refused > 0)
    }

    @Test("nesting of 256 is read, deeper and very much deeper is refused (HAZ-13)")
    func depthIsBounded() {
        func nested(_ depth: Int) -> Data {
            var plist = PlistBytes()
            for level in 0..<depth { _ = plist.add(PlistBytes.array([level + 1])) }
            _ = plist.add([0x08])
            return plist.data()
        }
        #expect(code(nested(256)) == nil)
        #expect(code(nested(257)) == .limitExceeded)
        #expect(code(nested(100_000)) == .limitExceeded)
    }

    @Test("a list that contains itself is refused (HAZ-13)")
    func cyclesAreRefused() {
        var own = PlistBytes()
        _ = own.add(PlistBytes.array([0]))
        #expect(code(own.data()) == .cycle)
        var circle = PlistBytes()
        _ = circle.add(PlistBytes.array([1]))
        _ = circle.add(PlistBytes.array([2]))
        _ = circle.add(PlistBytes.array([0]))
        #expect(code(circle.data()) == .cycle)
    }

    @Test("lists of lists of the same list do not expand without bound (HAZ-13)")
    func sharedObjectsAreBounded() {
        var plist = PlistBytes()
        for level in 0..<100 { _ = plist.add(PlistBytes.array(Array(repeating: level + 1, count: 10))) }
        _ = plist.add([0x08])
        #expect(code(plist.data()) == .limitExceeded)
    }

    @Test("objects that claim the same bytes do not multiply them (HAZ-13)")
    func overlappingObjectsAreRefused() {
        var bytes = Array("bplist00".utf8)
        let list = bytes.count
        bytes += PlistBytes.length(0xA0, 200) + (0..<200).flatMap { _ in PlistBytes.reference(1) }
        let text = bytes.count
        bytes += PlistBytes.text(String(repeating: "x", count: 2000))
        let table = bytes.count
        // Two hundred objects, all the same text at the same place.
        bytes.replaceSubrange(
            list..<text, with: PlistBytes.length(0xA0, 200) + (0..<200).flatMap { PlistBytes.reference($0 + 1) })
        bytes += PlistBytes.reference(list) + (0..<200).flatMap { _ in PlistBytes.reference(text) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 4]
        for number in [201, 0, table] { bytes += withUnsafeBytes(of: UInt64(number).bigEndian, Array.init) }
        #expect(code(Data(bytes)) == .malformed)
    }

    @Test("counts beyond the file and sizes beyond the limit are refused (HAZ-13)")
    func lyingCountsAreRefused() {
        var plist = PlistBytes()
        _ = plist.add([0xAF, 0x13] + [UInt8](repeating: 0x7F, count: 8))
        #expect(code(plist.data()) == .malformed)
        var trailer = plist.data()
        trailer.replaceSubrange((trailer.count - 24)..<(trailer.count - 16), with: [UInt8](repeating: 0xFF, count: 8))
        #expect(code(trailer) == .malformed)
        var limits = PropertyListLimits()
        limits.bytes = 10
        #expect(code(plist.data(), limits) == .limitExceeded)
        #expect(code(Data(count: 65 << 20)) == .limitExceeded)
    }

    @Test func wrongTopAndReferencesAreRefused() {
        var plist = PlistBytes()
        _ = plist.add(PlistBytes.array([7]))
        #expect(code(plist.data()) == .malformed)
        #expect(code(plist.data(top: 1)) == .malformed)
        var keyed = PlistBytes()
        _ = keyed.add(PlistBytes.dictionary([(1, 1)]))
        _ = keyed.add([0x10, 5])
        #expect(code(keyed.data()) == .malformed)
    }
}
