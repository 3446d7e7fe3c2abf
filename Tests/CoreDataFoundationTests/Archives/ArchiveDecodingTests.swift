import CoreDataFoundation
import TestBasics
import Testing

@Suite struct ArchiveDecodingTests {
    private func code(_ data: Data, allowing names: Set<String> = []) -> ArchiveError.Code? {
        do {
            _ = try decodeArchive(data, allowing: names)
            return nil
        } catch {
            return (error as? ArchiveError)?.code
        }
    }

    private func archived(_ value: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    }

    @Test("an archive of Foundation's plain values gives them back (MOD-22)")
    func plainValuesComeBack() throws {
        let uuid = UUID()
        let value: NSDictionary = [
            "text": "hello" as NSString, "number": NSNumber(value: 7), "real": NSNumber(value: 2.5),
            "date": NSDate(timeIntervalSinceReferenceDate: 5), "data": NSData(data: Data([1, 2])),
            "url": NSURL(string: "https://example.org/a?b=c")!, "uuid": NSUUID(uuidString: uuid.uuidString)!,
            "list": NSArray(array: [NSNumber(value: 1), NSNull()]), "set": NSSet(array: ["x" as NSString]),
        ]
        let decoded = try #require(try decodeArchive(try archived(value), allowing: []) as? NSDictionary)
        #expect(decoded["text"] as? String == "hello")
        #expect(decoded["number"] as? Int == 7)
        #expect(decoded["real"] as? Double == 2.5)
        #expect(decoded["date"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(decoded["data"] as? Data == Data([1, 2]))
        #expect((decoded["url"] as? NSURL)?.absoluteString == "https://example.org/a?b=c")
        #expect((decoded["uuid"] as? NSUUID)?.uuidString == uuid.uuidString)
        #expect((decoded["list"] as? NSArray)?.count == 2)
        #expect((decoded["set"] as? NSSet)?.contains("x") == true)
        #expect(isAcyclicArchive(try archived(value)))
    }

    @Test func archivedNilIsNil() throws {
        let data = PlistBytes.archive { plist in [plist.add([0x00])] }
        #expect(try decodeArchive(data, allowing: []) == nil)
    }

    @Test("an archive of a class that is not listed is refused (HAZ-13)")
    func unlistedClassIsRefused() throws {
        let data = PlistBytes.archive { plist in
            [plist.instance(ofClassAt: 2, elements: []), plist.classNamed("Payload")]
        }
        #expect(code(data) == .unexpectedClass)
        #expect(!isAcyclicArchive(data))
        #expect(isAcyclicArchive(data, allowing: ["Payload"]))
    }

    @Test("an archived array that contains itself is refused (HAZ-13)")
    func selfContainingArrayIsRefused() {
        let data = PlistBytes.archive { plist in
            [plist.instance(ofClassAt: 2, elements: [1]), plist.classNamed("NSArray")]
        }
        #expect(code(data) == .cycle)
        #expect(!isAcyclicArchive(data, allowing: ["NSArray"]))
    }

    @Test("archived arrays nest at most 256 deep (HAZ-13)")
    func archivedDepthIsBounded() {
        func nested(_ depth: Int) -> Data {
            PlistBytes.archive { plist in
                (0..<depth).map { level in
                    plist.instance(ofClassAt: depth + 1, elements: level + 1 < depth ? [level + 2] : [])
                } + [plist.classNamed("NSArray")]
            }
        }
        #expect(code(nested(250)) == nil)
        #expect(code(nested(300)) == .limitExceeded)
        #expect(code(nested(20_000)) == .limitExceeded)
    }

    @Test("archived arrays of the same arrays do not expand without bound (HAZ-13)")
    func sharedArraysAreBounded() {
        let data = PlistBytes.archive { plist in
            (0..<40).map { level in
                plist.instance(ofClassAt: 41, elements: level < 39 ? Array(repeating: level + 2, count: 8) : [])
            } + [plist.classNamed("NSArray")]
        }
        #expect(code(data) == .limitExceeded)
    }

    @Test("references outside the archive are refused, and data that are not an archive (HAZ-13)")
    func danglingReferencesAreRefused() throws {
        let dangling = PlistBytes.archive { plist in
            [plist.instance(ofClassAt: 2, elements: [99]), plist.classNamed("NSArray")]
        }
        #expect(code(dangling) == .malformed)
        let plain = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        #expect(code(plain) == .malformed)
    }

    @Test("a byte changed anywhere in an archive never traps (HAZ-13)")
    func changedBytesNeverTrap() throws {
        let data = try archived(NSArray(array: ["a" as NSString, NSDate(), NSUUID(), NSURL(string: "http://a.b")!]))
        var refused = 0
        for index in data.indices {
            for value in [0x00, 0xFF, data[index] ^ 0x01] as [UInt8] {
                var changed = data
                changed[index] = value
                if (try? decodeArchive(changed, allowing: [])) == nil { refused += 1 }
            }
        }
        #expect(refused > data.count / 2)
    }
}
