import CoreDataModeling
import TestBasics
import Testing

@Suite struct HostileSourceTests {
    private func refusal(_ body: String) -> ModelingError? { SourceText.error(body) }

    // MARK: Models that contradict themselves

    @Test("an entity that inherits from itself is refused, however long the circle (HAZ-46)")
    func inheritanceCycleIsRefused() throws {
        let own = try #require(refusal(#"<entity name="A" parentEntity="A"/>"#))
        #expect(own.cause == "'A' inherits from itself")
        #expect(own.line == 3)
        let circle = (0..<1000).map { "<entity name=\"E\($0)\" parentEntity=\"E\(($0 + 1) % 1000)\"/>" }
        #expect(refusal(circle.joined(separator: "\n"))?.cause.contains("inherits from itself") == true)
    }

    @Test("a line of inheritance beyond 128 entities is refused (HAZ-46)")
    func deepInheritanceIsRefused() {
        func chain(_ count: Int) -> String {
            (0..<count).map { "<entity name=\"E\($0)\"" + ($0 == 0 ? "" : " parentEntity=\"E\($0 - 1)\"") + "/>" }
                .joined()
        }
        #expect(refusal(chain(128)) == nil)
        #expect(refusal(chain(129))?.cause.contains("more than 127 entities above it") == true)
    }

    @Test("names that stand twice are refused with the second's line (HAZ-46)")
    func duplicateNamesAreRefused() throws {
        let entities = try #require(refusal("<entity name=\"A\"/>\n<entity name=\"A\"/>"))
        #expect(entities.cause == "'A' is the name of two entities")
        #expect(entities.line == 4)
        let properties = try #require(
            refusal(
                """
                <entity name="A"><attribute name="x" attributeType="String"/>
                <attribute name="x" attributeType="Date"/></entity>
                """))
        #expect(properties.cause == "'A.x' is the name of two properties")
        #expect(properties.line == 4)
        let inherited = try #require(
            refusal(
                """
                <entity name="A"><attribute name="x" attributeType="String"/></entity>
                <entity name="B" parentEntity="A"><attribute name="x" attributeType="String"/></entity>
                """))
        #expect(inherited.cause == "'B.x' has the name of a property that is inherited from 'A'")
        #expect(inherited.line == 4)
    }

    @Test("unknown parents, destinations and inverses are refused (HAZ-46)")
    func unknownNamesAreRefused() throws {
        #expect(refusal(#"<entity name="A" parentEntity="Z"/>"#)?.cause == "'A' has the unknown parent 'Z'")
        let destination = refusal(#"<entity name="A"><relationship name="r" destinationEntity="Z"/></entity>"#)
        #expect(destination?.cause == "'A.r' leads to the unknown entity 'Z'")
        #expect(destination?.line == 3)
        let inverse = refusal(
            #"<entity name="A"><relationship name="r" destinationEntity="A" inverseName="s"/></entity>"#)
        #expect(inverse?.cause == "'A.r' has the inverse 'A.s', which does not exist")
    }

    @Test("an inverse that leads elsewhere is refused (HAZ-46)")
    func wrongInverseIsRefused() throws {
        let elsewhere = refusal(
            """
            <entity name="A"><relationship name="r" destinationEntity="B" inverseName="s"/></entity>
            <entity name="B"><relationship name="s" destinationEntity="C"/></entity>
            <entity name="C"/>
            """)
        #expect(elsewhere?.cause == "'A.r' has the inverse 'B.s', which leads to 'C'")
        #expect(elsewhere?.line == 3)
    }

    @Test("a property with a reserved name is refused (HAZ-46, MOD-09)")
    func reservedNamesAreRefused() {
        for name in ["description", "objectID", "hash", "self", "managedObjectContext"] {
            let refused = refusal("<entity name=\"A\"><attribute name=\"\(name)\" attributeType=\"String\"/></entity>")
            #expect(refused?.cause == "'A.\(name)' has a name that managed objects need themselves")
        }
        #expect(refusal(#"<entity name="A"><attribute name="details" attributeType="String"/></entity>"#) == nil)
    }

    @Test("names that are not words are refused (HAZ-46)", arguments: ["a b", "1a", "a\"b", "a-b", ""])
    func strangeNamesAreRefused(name: String) {
        let written = name.replacingOccurrences(of: "\"", with: "&quot;")
        #expect(refusal("<entity name=\"A\"><attribute name=\"\(written)\" attributeType=\"String\"/></entity>") != nil)
        #expect(refusal("<entity name=\"\(written)\"/>") != nil)
    }

    @Test("constraints, indexes, configurations and composites over what is not there are refused (HAZ-46)")
    func groupsOverUnknownNamesAreRefused() {
        let constraint =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"z\"/></uniquenessConstraint></uniquenessConstraints>"
        #expect(refusal("<entity name=\"A\">\(constraint)</entity>")?.cause.contains("unknown property 'z'") == true)
        let index = "<fetchIndex name=\"i\"><fetchIndexElement property=\"z\" type=\"Binary\"/></fetchIndex>"
        #expect(refusal("<entity name=\"A\">\(index)</entity>")?.cause.contains("unknown property 'z'") == true)
        let configuration = "<configuration name=\"c\"><memberEntity name=\"Z\"/></configuration>"
        #expect(refusal(configuration)?.cause == "configuration 'c' names the unknown entity 'Z'")
        let use = "<entity name=\"A\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/></entity>"
        #expect(refusal(use)?.cause == "'A.c' names the unknown composite 'C'")
        let own =
            "<composite name=\"C\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/></composite>"
        #expect(refusal(use + own)?.cause == "the composite 'C' contains itself")
    }

    @Test("ten thousand entities with relationships are read and hashed (HAZ-46)", .timeLimit(.minutes(20)))
    func tenThousandEntitiesAreRead() throws {
        let entities = (0..<10_000).map { index in
            """
            <entity name="E\(index)"\(index % 10 == 0 ? "" : " parentEntity=\"E\(index / 10 * 10)\"")>
            <attribute name="a\(index)" attributeType="String"/>
            <relationship name="next\(index)" maxCount="1" destinationEntity="E\((index + 1) % 10_000)" inverseName="back\((index + 1) % 10_000)"/>
            <relationship name="back\(index)" maxCount="1" destinationEntity="E\((index + 9_999) % 10_000)" inverseName="next\((index + 9_999) % 10_000)"/>
            </entity>
            """
        }
        let model = try SourceText.read(entities.joined(separator: "\n"))
        model.freeze()
        #expect(model.entities.count == 10_000)
        #expect(model.entitiesByName["E9"]?.properties.count == 6)
        #expect(model.entityVersionHashesByName.count == 10_000)
        #expect(Set(model.entities.map(\.number)) == Set(1...10_000))
    }

    // MARK: Documents that are meant to harm

    @Test("document types, entities and other encodings are refused before they are read (HAZ-47)")
    func forbiddenConstructsAreRefused() throws {
        let external = Data(#"<?xml version="1.0"?><!DOCTYPE model SYSTEM "file:///etc/passwd"><model/>"#.utf8)
        #expect(SourceText.error(external)?.code == .forbiddenConstruct)
        let laughs = """
            <?xml version="1.0"?>
            <!DOCTYPE model [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
            <model><entity name="&c;"/></model>
            """
        #expect(SourceText.error(Data(laughs.utf8))?.code == .forbiddenConstruct)
        #expect(SourceText.error(Data(laughs.utf8))?.line == 2)
        #expect(SourceText.error(try #require("<model/>".data(using: .utf16)))?.code == .forbiddenConstruct)
        #expect(SourceText.error(Data("<model name=\"".utf8) + [0xE9] + Data("\"/>".utf8))?.code == .forbiddenConstruct)
        let declared = Data(#"<?xml version="1.0" encoding="ISO-8859-1"?><model/>"#.utf8)
        #expect(SourceText.error(declared)?.code == .forbiddenConstruct)
        let hidden = "<?xml version=\"1.0\"\(String(repeating: " ", count: 2000))encoding=\"UTF-7\"?><model/>"
        #expect(SourceText.error(Data(hidden.utf8))?.code == .forbiddenConstruct)
        #expect(SourceText.error(Data("\u{FEFF}<?xml version='1.0' encoding='UTF-8'?><model/>".utf8)) == nil)
        #expect(SourceText.error(Data(#"<?xml version="1.0" encoding="utf-8"?><model/>"#.utf8)) == nil)
    }

    @Test("nesting beyond 64 and very much beyond is refused (HAZ-47)")
    func depthIsBounded() {
        func nested(_ depth: Int) -> Data {
            SourceText.model(String(repeating: "<x>", count: depth) + String(repeating: "</x>", count: depth))
        }
        #expect(SourceText.error(nested(60)) == nil)
        #expect(SourceText.error(nested(64))?.code == .limitExceeded)
        #expect(SourceText.error(nested(100_000))?.code == .limitExceeded)
    }

    @Test("more than 64 MB is refused (HAZ-47)")
    func sizeIsBounded() {
        #expect(SourceText.error(Data(repeating: 0x20, count: (64 << 20) + 1))?.code == .limitExceeded)
    }

    @Test("an element of a million attributes is refused at once (HAZ-47)", .timeLimit(.minutes(20)))
    func attributesAreBounded() {
        let many = (0..<1_000_000).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(SourceText.error("<entity \(many)/>")?.code == .limitExceeded)
        let some = (0..<200).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(SourceText.error("<entity name=\"A\" \(some)/>") == nil)
    }

    @Test(
        "thousands of entities below a parent with many properties do not multiply (HAZ-47)", .timeLimit(.minutes(20)))
    func inheritedPropertiesAreBounded() {
        let attributes = (0..<1000).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }.joined()
        let children = (0..<3000).map { "<entity name=\"E\($0)\" parentEntity=\"P\"/>" }.joined()
        let error = SourceText.error("<entity name=\"P\">\(attributes)</entity>\(children)")
        #expect(error?.code == .limitExceeded)
    }

    @Test("what is not XML or no model is refused (HAZ-47)")
    func otherDocumentsAreRefused() {
        #expect(SourceText.error(Data())?.code == .malformed)
        #expect(SourceText.error(Data("hello".utf8))?.code == .malformed)
        #expect(SourceText.error(Data("<plist/>".utf8))?.cause == "the file is not a model: it begins with <plist>")
        #expect(SourceText.error(Data("<model><entity name=\"A\"></model>".utf8))?.code == .malformed)
        #expect(SourceText.error(Data("<model/><model/>".utf8))?.code == .malformed)
    }

    @Test("a byte changed in a source gives a model or an error (HAZ-47)", .enabled(if: Fixtures.areAvailable))
    func changedBytesNeverTrap() throws {
        let path =
            "models/swiftgen-fixture/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld/Model 2.xcdatamodel/contents"
        let data = try Data(contentsOf: Fixtures.url(path))
        var refused = 0
        for index in stride(from: 0, to: data.count, by: 13) {
            for value in [0x00, 0x3C, 0x22, data[index] ^ 0x02] as [UInt8] {
                var changed = data
                changed[index] = value
                if SourceText.error(changed) != nil { refused += 1 }
            }
        }
        #expect(refused > 500)
    }

    @Test("a source cut off anywhere is refused (HAZ-47)", .enabled(if: Fixtures.areAvailable))
    func truncationIsRefused() throws {
        let path =
            "models/swiftgen-fixture/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld/Model 2.xcdatamodel/contents"
        let data = try Data(contentsOf: Fixtures.url(path))
        let end = try #require(data.range(of: Data("</model>".utf8))).upperBound
        for count in stride(from: 0, to: end, by: 7) { #expect(SourceText.error(data.prefix(count)) != nil) }
        #expect(SourceText.error(data.prefix(end)) == nil)
    }
}
