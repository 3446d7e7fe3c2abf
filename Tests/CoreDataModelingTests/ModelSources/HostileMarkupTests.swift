import CoreDataModeling
import Testing

@Suite struct HostileMarkupTests {
    @Test(
        "malformed XML is refused with line and column (HAZ-47)",
        arguments: [
            ("<model", "1:1"), ("<model>\n  <a", "2:3"), ("<model>\n</mode>", "2:1"), ("<model a=1/>", "1:10"),
            ("<model a/>", "1:9"), ("<model a=\"1\"b=\"2\"/>", "1:13"), ("<model>\n <e a='1'\n a='2'/></model>", "2:2"),
            ("<model a=\"<\"/>", "1:11"), ("<model>&nbsp;</model>", "1:8"), ("<model>\n&\n</model>", "2:1"),
            ("<model a=\"&#0;\"/>", "1:11"), ("<model a=\"&#x110000;\"/>", "1:11"), ("<model a=\"&#xD800;\"/>", "1:11"),
            ("<model a=\"&#-1;\"/>", "1:11"), ("<model a=\"&#x;\"/>", "1:11"), ("<model a=\"&;\"/>", "1:11"),
            ("<model a=\"\u{1}\"/>", "1:11"), ("<model>\u{FFFE}</model>", "1:8"), ("<model><!-- </model>", "1:8"),
            ("<model><![CDATA[ </model>", "1:8"), ("<model><?x </model>", "1:8"), ("<model/>x", "1:9"),
            ("<model/><model/>", "1:9"), ("<model></model", "1:15"), ("< model/>", "1:2"), ("<1/>", "1:2"),
            ("", "1:1"), ("<?xml version='1.0'", "1:1"), ("<model><!foo></model>", "1:9"), ("<plist/>", "1:1"),
        ])
    func malformedMarkup(text: String, place: String) throws {
        let error = try #require(SourceText.error(Data(text.utf8)))
        #expect(error.code == .malformed)
        #expect("\(error.line ?? 0):\(error.column ?? 0)" == place)
    }

    @Test(
        "declarations of types and entities are refused wherever they stand (HAZ-47)",
        arguments: [
            "<!DOCTYPE model><model/>", "<model><!DOCTYPE model></model>", "<model><!ENTITY a 'b'></model>",
            "<!-- --><!DOCTYPE model SYSTEM 'file:///etc/passwd'><model/>", "<model/><!DOCTYPE model>",
        ])
    func declarationsOfTypesAndEntitiesAreRefusedWhereverTheyStand(text: String) {
        #expect(SourceText.error(Data(text.utf8))?.code == .forbiddenConstruct)
    }

    @Test func notUTF8HasAPlace() throws {
        let error = try #require(SourceText.error(Data("<model>\n é".utf8) + [0xC0] + Data("</model>".utf8)))
        #expect(error.code == .forbiddenConstruct)
        #expect(error.line == 2)
        #expect(error.column == 4)
    }

    @Test("a number in a source that claims a gigabyte costs nothing (HAZ-47)", .timeLimit(.minutes(20)))
    func claimedSizes() {
        let claim =
            "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" minValueString=\"1073741824\"/></entity>"
        #expect(SourceText.error(claim) == nil)
        #expect(
            SourceText.error("<entity name=\"A\" elementID=\"" + String(repeating: "9", count: 1 << 22) + "\"/>") == nil
        )
        #expect(SourceText.error("<entity name=\"A\" elementID=\"" + String(repeating: "9", count: 1 << 22)) != nil)
    }

    private static let small = Data(
        "\u{FEFF}<?xml version='1.0' encoding=\"UTF-8\"?>\r\n<!-- é -->\n<model a='&#10;'>\n\t<entity  name = \"A\"><![CDATA[x]]>\n</entity >&amp;<?p q?></model>"
            .utf8)

    @Test("a document that is cut off at any byte is refused with a place (HAZ-47)")
    func everyTruncation() throws {
        #expect(SourceText.error(Self.small) == nil)
        for count in 0..<Self.small.count {
            let error = try #require(SourceText.error(Self.small.prefix(count)), "\(count)")
            #expect(error.line != nil && error.column != nil, "\(count): \(error)")
        }
    }

    @Test(
        "every change of one byte gives an error with a place or a document that is kept (HAZ-47)",
        .timeLimit(.minutes(20)))
    func everyChangedByte() throws {
        var refused = 0
        for index in Self.small.indices {
            for value in UInt8.min...UInt8.max where value != Self.small[index] && (value % 7 == 0 || value < 0x40) {
                var changed = Self.small
                changed[index] = value
                do {
                    #expect(try ModelDocument(changed).data == changed, "\(index) \(value)")
                } catch {
                    refused += 1
                    let error = try #require(error as? ModelingError)
                    #expect(error.line != nil && error.column != nil, "\(index) \(value): \(error)")
                }
            }
        }
        #expect(refused > 3000)
    }
}
