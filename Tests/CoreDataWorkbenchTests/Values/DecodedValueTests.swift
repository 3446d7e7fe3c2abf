import CoreData
import CoreDataWorkbench
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

    @Test("arrays, dictionaries, texts, dates, data and identifiers of an archive are plain values (BRW-41)")
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

    @Test("an object of any class is its name and its fields, and is never made (BRW-41)")
    func unknownClass() {
        let decoded = DecodedValue(
            archive(objects: [
                .dictionary(["$class": .uid(2), "command": .string("rm"), "self": .uid(1)]),
                .dictionary(["$classname": .string("Evil.Task"), "$classes": .array([.string("Evil.Task")])]),
            ]))
        let text = JSONWriter.line(decoded.value)
        #expect(text == "{\"$class\":\"Evil.Task\",\"command\":\"rm\",\"self\":{\"$ref\":1}}")
    }

    @Test("property lists in XML are the same tree as in binary form (BRW-41)")
    func propertyListsInXMLAreSameTreeAsInBinaryForm() throws {
        let list: [String: Any] = [
            "list": ["a & <b>", 2, 1.5, true, Int64.min, UInt64.max] as [Any], "empty": [String: Any](),
            "date": Date(timeIntervalSinceReferenceDate: 0), "data": Data([1, 255]), "text": "ü\u{1F600}",
        ]
        let forms: [PropertyListSerialization.PropertyListFormat] = [.binary, .xml]
        let decoded = try forms.map {
            DecodedValue(try PropertyListSerialization.data(fromPropertyList: list, format: $0, options: 0))
        }
        #expect(decoded.allSatisfy { $0.kind == .propertyList && $0.isComplete })
        #expect(JSONWriter.line(decoded[0].value) == JSONWriter.line(decoded[1].value))
        let marked = DecodedValue(Data([0xEF, 0xBB, 0xBF]) + Data(" <plist><string>x</string></plist>".utf8))
        #expect(JSONWriter.line(marked.json) == "{\"kind\":\"propertyList\",\"value\":\"x\",\"complete\":true}")
    }

    @Test("a keyed archive in XML is the same tree as in binary form (BRW-41)")
    func archiveInMarkup() throws {
        let value: NSDictionary = ["list": NSArray(array: ["a", NSNumber(value: 2)]), "none": NSNull()]
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = .xml
        archiver.encode(value, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        #expect(archiver.encodedData.starts(with: Data("<?xml".utf8)))
        let decoded = DecodedValue(archiver.encodedData)
        #expect(decoded.kind == .keyedArchive)
        #expect(JSONWriter.line(decoded.value) == JSONWriter.line(DecodedValue(try archive(value)).value))
    }

    @Test("property lists in XML that are hostile, broken or of another encoding are not read (BRW-41, HAZ-47)")
    func hostileMarkup() throws {
        func list(_ body: String, head: String = "") -> Data {
            Data("\(head)<plist version=\"1.0\">\(body)</plist>".utf8)
        }
        let whole = list("<dict><key>a</key><array><integer>1</integer><string>b</string></array></dict>")
        #expect(DecodedValue(whole).kind == .propertyList)
        for end in 0..<whole.count { #expect(DecodedValue(whole.prefix(end)).kind == .unknown) }
        let bomb = "<!DOCTYPE plist [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>"
        let deep = String(repeating: "<array>", count: 100_000) + String(repeating: "</array>", count: 100_000)
        let refused = [
            list("<string>&b;</string>", head: bomb), list("<string>&x;</string>"), list(deep),
            list("<string>x</string>", head: "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"),
            list("<integer>99999999999999999999</integer>"), list("<data>===</data>"), list("<date>now</date>"),
            list("<dict><string>a</string></dict>"), list("<dict><key>a</key></dict>"), list("<thing/>"), list(""),
            list("<true/><true/>"), list("<true/>") + Data("<true/>".utf8), Data("<html></html>".utf8), Data("<".utf8),
            list("<true/>", head: "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"), list("<string>\u{1}</string>"),
            Data("<plist><string>".utf8) + Data([0xFF, 0xFE]) + Data("</string></plist>".utf8),
            list(String(repeating: " ", count: 17 << 20) + "<true/>"),
        ]
        for (number, data) in refused.enumerated() {
            #expect(DecodedValue(data).kind == .unknown, "\(number)")
        }
        // More values than are shown are cut, more than are read refused.
        let many = DecodedValue(list("<array>" + String(repeating: "<true/>", count: 20_000) + "</array>"))
        #expect(many.kind == .propertyList && !many.isComplete)
        var rules = XMLPropertyList.documentRules
        rules.elements = 4
        #expect(throws: Never.self) { try XMLPropertyList.list(list("<array><true/><true/></array>"), rules: rules) }
        let error = #expect(throws: ModelingError.self) {
            try XMLPropertyList.list(list("<array><true/><true/><true/></array>"), rules: rules)
        }
        #expect(error?.code == .limitExceeded)
        let nested = String(repeating: "<array>", count: 90) + String(repeating: "</array>", count: 90)
        #expect(DecodedValue(list(nested)).kind == .propertyList && !DecodedValue(list(nested)).isComplete)
    }

    @Test("archives that nest deeply or widen without end are cut (BRW-41, HAZ)")
    func brw41HAZArchivesThatNestDeeplyOrWidenWithoutEndAreCut() {
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

    @Test("what gzip packed is unpacked, and a bomb or a damaged stream stays bytes (BRW-41)")
    func whatGzipPackedIsUnpacked() throws {
        let text = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA3NJTSxSKEpNTEkt0uEqycgsVihPLFYoSEzOTk3R4wIAsgNzIB4AAAA="))
        let decoded = DecodedValue(text)
        #expect(decoded.kind == .text && decoded.unpacked == 30 && decoded.isComplete)
        #expect(JSONWriter.line(decoded.value) == "\"Dear reader,\\nthis was packed.\\n\"")
        let json = try #require(Data(base64Encoded: "H4sIAAAAAAACA6tWKkhMzk5NUbKKNtQxiq0FAK2l1csQAAAA"))
        let line = JSONWriter.line(DecodedValue(json).json)
        #expect(line == "{\"kind\":\"json\",\"value\":{\"packed\":[1,2]},\"complete\":true,\"unpacked\":16}")
        for end in 0..<text.count { #expect(DecodedValue(text.prefix(end)).unpacked == nil, "\(end)") }
        var damaged = text
        damaged[20] ^= 0xFF
        #expect(DecodedValue(damaged).unpacked == nil)
    }
}
