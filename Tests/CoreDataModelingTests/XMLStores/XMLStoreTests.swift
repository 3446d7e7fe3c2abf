import TestBasics
import Testing

@testable import CoreDataModeling

/// Stores in XML, as Apple's framework lays them out.
@Suite struct XMLStoreTests {
    private func read(_ text: String) throws -> (XMLStoreInformation, [XMLStoreRecord]) {
        var records: [XMLStoreRecord] = []
        let information = try XMLStoreReader(MarkupEventReader(Data(text.utf8))).read { records.append($0) }
        return (information, records)
    }

    private let head = """
        <?xml version="1.0" standalone="no"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
        """

    @Test("information, metadata, values and references of a store are read (STO-04)")
    func storeIsRead() throws {
        let (information, records) = try read(
            head + """
                <databaseInfo><version>134481920</version><UUID>0E82-AA</UUID><nextObjectID>103</nextObjectID>
                <metadata><plist version="1.0"><dict><key>n</key><integer>3</integer><key>l</key><array><string>a&amp;b</string>
                <true/></array><key>d</key><data>AQID</data></dict></plist></metadata></databaseInfo>
                <object type="HERO" id="z101"><attribute name="name" type="string">A &lt;b&gt; &#228;<![CDATA[<c>]]></attribute>
                <attribute name="age" type="int16">7</attribute><attribute name="born" type="date">445103622.25000</attribute>
                <attribute name="flag" type="bool">1</attribute><attribute name="data" type="binary">AQID
                </attribute><relationship name="powers" type="0/0" destination="POWER" idrefs="z102 z103"></relationship>
                <relationship name="home" type="1/1" destination="TOWN"/></object><!-- end --></database>
                """)
        #expect(information.version == 134_481_920 && information.identifier == "0E82-AA")
        #expect(information.nextObjectNumber == 103 && information.metadata["n"]?.integer == 3)
        #expect(information.metadata["l"]?.array == [.string("a&b"), .boolean(true)])
        #expect(information.metadata["d"]?.data == Data([1, 2, 3]))
        let hero = try #require(records.first)
        #expect(records.count == 1 && hero.entity == "HERO" && hero.number == 101)
        #expect(hero.attribute("name")?.value as? String == "A <b> ä<c>")
        #expect(hero.attribute("age")?.value as? Int16 == 7 && hero.attribute("flag")?.value as? Bool == true)
        #expect(hero.attribute("born")?.value as? Date == Date(timeIntervalSinceReferenceDate: 445_103_622.25))
        #expect(hero.attribute("data")?.value as? Data == Data([1, 2, 3]))
        #expect(hero.members("powers") == [102, 103] && hero.members("home").isEmpty)
        #expect(hero.relationships.map(\.type) == ["0/0", "1/1"])
    }

    @Test(
        "every store in XML at hand is read, also in pieces of a few bytes (STO-04)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func fixturesAreRead() throws {
        for path in FixtureSupport.paths(endingIn: "xcmapping.xml") {
            let bytes = [UInt8](try Data(contentsOf: Fixtures.url(path)))
            var whole: [XMLStoreRecord] = []
            let information = try XMLStoreReader(MarkupEventReader(Data(bytes))).read { whole.append($0) }
            #expect(information.version == 134_481_920 && !information.metadata.isEmpty && !whole.isEmpty)
            var (pieces, place) = ([XMLStoreRecord](), 0)
            let events = MarkupEventReader {
                defer { place = min(place + 7, bytes.count) }
                return Array(bytes[place..<min(place + 7, bytes.count)])
            }
            _ = try XMLStoreReader(events).read { pieces.append($0) }
            #expect(pieces == whole)
        }
    }

    @Test(
        "entities, declarations, deep nesting, other encodings and damage are refused (HAZ-46)",
        arguments: [
            ("<!DOCTYPE d [<!ENTITY a \"aaaa\">]><database>&a;</database>", ModelingError.Code.forbiddenConstruct),
            ("<database>&lol;</database>", .forbiddenConstruct),
            ("<database><!ENTITY a SYSTEM \"file:///etc/passwd\"></database>", .forbiddenConstruct),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><database/>", .forbiddenConstruct),
            ("<database><object type=\"A\" id=\"z1\">" + String(repeating: "<a>", count: 70), .malformed),
            (
                "<database><databaseInfo><metadata><plist>" + String(repeating: "<array>", count: 100_000),
                .limitExceeded
            ),
            ("<database><object type=\"A\" id=\"1\"/></database>", .malformed),
            ("<database><object type=\"A\" id=\"z-1\"/></database>", .malformed),
            ("<database><object type=\"A\" id=\"z99999999999999999999\"/></database>", .malformed),
            ("<database><object type=\"A\"/></database>", .malformed),
            ("<database><object id=\"z1\" type=\"A\" type=\"B\"/></database>", .malformed),
            ("<database><object id=\"z1\" type=\"A\"><attribute name=\"a\"/></object></database>", .malformed),
            ("<database><thing/></database>", .malformed), ("<database>text</database>", .malformed),
            ("<other/>", .malformed), ("", .malformed), ("<database>", .malformed),
            ("<database></databas>", .malformed),
            ("<database/><database/>", .malformed), ("<database>\u{1}</database>", .malformed),
            ("<database a=\"<\"/>", .malformed), ("<database", .malformed), ("<!DOCTYPE database", .malformed),
            ("<database><databaseInfo><metadata><plist><dict><integer>1</integer></dict></plist>", .malformed),
            ("<database><databaseInfo><metadata><plist><dict><key>a</key><integer>x</integer>", .malformed),
        ])
    func hostileTextIsRefused(text: String, code: ModelingError.Code) {
        let error = #expect(throws: ModelingError.self, "\(text.prefix(80))") { try read(text) }
        #expect(error?.code == code, "\(text.prefix(80)): \(error?.description ?? "")")
    }

    @Test("texts, names and lists of properties beyond the limits are refused (HAZ-46)")
    func limitsHold() throws {
        var rules = MarkupRules()
        rules.text = 1_000
        func refusal(_ text: String) -> ModelingError.Code? {
            let error = #expect(throws: ModelingError.self) {
                _ = try XMLStoreReader(MarkupEventReader(Data(text.utf8), rules: rules)).read { _ in }
            }
            return error?.code
        }
        let long = String(repeating: "a", count: 1_001)
        #expect(
            refusal("<database><object type=\"A\" id=\"z1\"><attribute name=\"a\" type=\"string\">\(long)")
                == .limitExceeded)
        #expect(refusal("<database a=\"\(long)\"/>") == .limitExceeded)
        #expect(refusal("<database><![CDATA[\(long)]]></database>") == .limitExceeded)
        #expect(refusal("<database><\(long)\(long)/></database>") == .limitExceeded)
        let many = String(repeating: "<relationship name=\"a\" type=\"0/0\"/>", count: 10_001)
        #expect(refusal("<database><object type=\"A\" id=\"z1\">\(many)") == .limitExceeded)
        #expect(throws: ModelingError.self) { try MarkupEventReader(Data([0x3C, 0xFF, 0x3E])).next() }
    }

    @Test("the sources of mapping models that say what none can are refused with their line (HAZ-46)")
    func hostileSourcesAreRefused() {
        func refusal(_ objects: String) -> ModelingError? {
            #expect(throws: ModelingError.self) {
                try NSMappingModel(source: Data((head + objects + "</database>").utf8))
            }
        }
        let model =
            "<object type=\"XDDEVMAPPINGMODEL\" id=\"z1\"><relationship name=\"entitymappings\" type=\"0/0\" idrefs=\"z2\"/></object>"
        func entity(_ attributes: String, _ rest: String = "") -> String {
            model + "\n<object type=\"XDDEVENTITYMAPPING\" id=\"z2\">\(attributes)</object>\n" + rest
        }
        let name =
            "<attribute name=\"sourcename\" type=\"string\">A</attribute><attribute name=\"destinationname\" type=\"string\">A</attribute>"
        #expect(refusal("")?.cause == "the file holds no mapping model")
        #expect(refusal("<object type=\"HERO\" id=\"z1\"/>")?.line == 4)
        #expect(refusal(entity(""))?.cause == "a mapping names no entity")
        let filter = "<attribute name=\"sourcefilterpredicatestring\" type=\"string\">a ==</attribute>"
        #expect(refusal(entity(name + filter))?.cause.contains("filter of the mapping 'AToA'") == true)
        func property(_ data: String) -> String {
            entity(
                name,
                "<object type=\"XDDEVATTRIBUTEMAPPING\" id=\"z3\"><attribute name=\"name\" type=\"string\">x</attribute>"
                    + "<attribute name=\"valueexpressiondata\" type=\"binary\">\(data)</attribute>"
                    + "<relationship name=\"entitymapping\" type=\"1/1\" idrefs=\"z2\"/></object>")
        }
        for data in ["AAAA", "?", Data("bplist00".utf8).base64EncodedString()] {
            let error = refusal(property(data))
            #expect(error?.cause.contains("the expression of 'x' cannot be used") == true && error?.line == 6)
        }
        #expect(
            refusal(model + model + entity(name) + "<object type=\"XDDEVENTITYMAPPING\" id=\"z2\"/>")?.cause
                == "two objects are z2")
    }
}
