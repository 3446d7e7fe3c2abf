import CoreDataModeling
import Testing

@Suite struct VersionHashTests {
    private static let body = """
        <entity name="Hero"><attribute name="name" attributeType="String"/><relationship name="power" maxCount="1" destinationEntity="Power" inverseName="owner"/></entity>
        <entity name="Power"><attribute name="source" attributeType="String"/><relationship name="owner" toMany="YES" destinationEntity="Hero" inverseName="power"/></entity>
        """

    private func changed(_ from: String, _ to: String) throws -> [String] {
        let before = try SourceText.read(Self.body)
        let after = try SourceText.read(Self.body.replacingOccurrences(of: from, with: to))
        return after.entitiesDiffering(from: before.entityVersionHashesByName).map(\.entity)
    }

    @Test(
        "an edit that changes the stored form changes the hash of its entity alone (MOD-36, MOD-37)",
        arguments: [
            (#"name="name" attributeType="String""#, #"name="name" attributeType="Date""#),
            (#"name="name" attributeType="String""#, #"name="title" attributeType="String""#),
            (#"name="name" attributeType="String""#, #"name="name" optional="YES" attributeType="String""#),
            (#"name="name" attributeType="String""#, #"name="name" versionHashModifier="2" attributeType="String""#),
            (#"name="power" maxCount="1""#, #"name="power" toMany="YES""#),
            (#"name="Hero""#, #"name="Hero" isAbstract="YES""#),
            (#"name="Hero""#, #"name="Hero" versionHashModifier="x""#),
        ])
    func storedFormChangesTheHash(from: String, to: String) throws {
        #expect(try changed(from, to) == ["Hero"])
    }

    @Test(
        "an edit that leaves the stored form leaves every hash (MOD-33, MOD-36)",
        arguments: [
            (
                #"attributeType="String"/>"#,
                #"attributeType="String" defaultValueString="x" maxValueString="9" indexed="YES"/>"#
            ),
            (
                #"attributeType="String"/>"#,
                #"attributeType="String"><userInfo><entry key="a" value="b"/></userInfo></attribute>"#
            ),
            (#"name="Hero""#, #"name="Hero" representedClassName="H" elementID="Champion""#),
            (#"name="power""#, #"name="power" deletionRule="Cascade""#),
            (#"<entity name="Power">"#, #"<entity name="Power"><attribute name="mood" transient="YES"/>"#),
        ])
    func otherEditsLeaveTheHash(from: String, to: String) throws {
        #expect(try changed(from, to) == [])
    }

    @Test("a model built in code has the hashes of the same model in a file (MOD-01)")
    func modelInCodeHashesAsItsFile() throws {
        let source = try SourceText.read(
            """
            <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="birthday" optional="YES" attributeType="Date"/></entity>
            <entity name="Hero" parentEntity="Person"><relationship name="powers" optional="YES" toMany="YES"
                destinationEntity="Power" inverseName="owner"/></entity>
            <entity name="Sidekick" parentEntity="Hero"><attribute name="rank" optional="YES" attributeType="Integer 16"/></entity>
            <entity name="Power"><relationship name="owner" optional="YES" maxCount="1" destinationEntity="Hero" inverseName="powers"/></entity>
            """)
        let people = PeopleModel()
        #expect(people.model.entityVersionHashesByName == source.entityVersionHashesByName)
        #expect(people.model.versionChecksum == source.versionChecksum)
        #expect(people.sidekick.versionHash == source.entityVersionHashesByName["Sidekick"])
        people.model.freeze()
        #expect(people.model.entityVersionHashesByName == source.entityVersionHashesByName)
    }

    @Test(
        "a derivation set in code hashes as the one of a source (MOD-42)",
        arguments: [
            "pages.@count", "canonical:(title)", "now()", "count:(pages)",
        ])
    func derivationInCodeHashesAsItsText(text: String) {
        let fromText = NSDerivedAttributeDescription()
        fromText.derivationText = text
        let fromCode = NSDerivedAttributeDescription()
        fromCode.name = "other"
        fromCode.derivationExpression = NSExpression(format: text)
        #expect(fromCode.versionHash == fromText.versionHash)
        #expect(fromText.versionHash == Data(SHA2.sha256(DerivationText.canonical(text).utf8)))
    }

    @Test("a relationship that is its own inverse hashes as in stores of Apple's framework (MOD-36)")
    func relationshipOfItsOwnInverseHashesWithoutItsName() throws {
        let model = try SourceText.read(
            """
            <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends"/></entity>
            """)
        let hash = model.entityVersionHashesByName["Person"]?.base64EncodedString()
        #expect(hash == "DJacK/WVF5rUojSlZ7lrWgl7SSZQuyOKsm2TA2jx9uI=")
        // A relationship of the same name at the other end is another one, and its name counts.
        let pair = try SourceText.read(
            """
            <entity name="A"><relationship name="friends" optional="YES" toMany="YES" destinationEntity="B" inverseName="friends"/></entity>
            <entity name="B"><relationship name="friends" optional="YES" toMany="YES" destinationEntity="A" inverseName="friends"/></entity>
            """)
        let alone = try SourceText.read(
            """
            <entity name="A"><relationship name="friends" optional="YES" toMany="YES" destinationEntity="B"/></entity>
            <entity name="B"><relationship name="friends" optional="YES" toMany="YES" destinationEntity="A"/></entity>
            """)
        #expect(pair.entityVersionHashesByName["A"] != alone.entityVersionHashesByName["A"])
    }

    @Test("a changed parent changes the hashes of its children (MOD-36)")
    func parentsHashIsPartOfTheChildren() throws {
        let people = PeopleModel()
        let before = people.model.entityVersionHashesByName
        people.person.attributesByName["name"]?.isOptional = false
        let differences = people.model.entitiesDiffering(from: before)
        #expect(differences.map(\.entity) == ["Hero", "Person", "Sidekick"])
        #expect(differences.allSatisfy { $0.difference == .changed })
    }

    @Test func metadataOfAnotherModelIsNotCompatible() {
        let people = PeopleModel()
        people.model.setEntities([people.power], forConfigurationName: "Powers")
        let hashes = people.model.entityVersionHashesByName
        func isCompatible(_ name: String?, _ hashes: [String: Data]) -> Bool {
            people.model.isConfiguration(
                withName: name, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": hashes])
        }
        #expect(isCompatible(nil, hashes))
        #expect(!isCompatible("Powers", hashes))
        #expect(isCompatible("Powers", hashes.filter { $0.key == "Power" }))
        #expect(!isCompatible("Unknown", hashes))
        #expect(!isCompatible(nil, hashes.filter { $0.key != "Power" }))
        #expect(!people.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        let differences = people.model.entitiesDiffering(from: ["Power": Data(count: 32), "Old": Data()])
        #expect(differences.first { $0.entity == "Old" }?.difference == .missingInModel)
        #expect(differences.first { $0.entity == "Power" }?.difference == .changed)
        #expect(differences.first { $0.entity == "Hero" }?.difference == .missingInStore)
    }
}
