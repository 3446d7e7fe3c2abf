import CoreDataModeling
import Testing

@Suite struct AssumedHashTests {
    /// A parent with a child, and an entity beside them; the parent says what a test gives it.
    private static func model(_ body: String, head: String = "") throws -> NSManagedObjectModel {
        try SourceText.read(
            """
            <entity name="Parent"\(head)><attribute name="a" attributeType="String"/><attribute name="b" attributeType="String"/>\(body)</entity>
            <entity name="Child" parentEntity="Parent"/>
            <entity name="Other"><attribute name="c" attributeType="String"/></entity>
            """)
    }

    private static func constraints(_ names: String...) -> String {
        let each = names.map { #"<uniquenessConstraint><constraint value="\#($0)"/></uniquenessConstraint>"# }
        return "<uniquenessConstraints>\(each.joined())</uniquenessConstraints>"
    }

    /// What no file of Apple's framework shows.
    private static let assumed: [(body: String, head: String)] = [
        (constraints("a", "b"), ""), (constraints("a"), #" versionHashModifier="2""#),
        (
            #"<attribute name="d" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>"#,
            ""
        ),
        (#"<attribute name="d" attributeType="String" allowsCloudEncryption="YES"/>"#, ""),
        (#"<attribute name="d" attributeType="String" derived="YES" derivationExpression="uppercase:(a)"/>"#, ""),
        (
            #"<attribute name="d" attributeType="Date" derived="YES" derivationExpression="now()" versionHashModifier="2"/>"#,
            ""
        ),
    ]

    /// What files show.
    private static let known: [(body: String, head: String)] = [
        ("", ""), ("", #" versionHashModifier="2""#), (constraints("a"), ""),
        (#"<attribute name="d" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>"#, ""),
        (#"<attribute name="d" attributeType="Binary" preserveAfterDeletion="YES"/>"#, ""),
        (#"<attribute name="d" attributeType="String" derived="YES" derivationExpression="canonical:(a)"/>"#, ""),
        (#"<attribute name="d" attributeType="Date" derived="YES" derivationExpression="now()"/>"#, ""),
    ]

    /// The model's hashes with those of some entities falsified.
    private func forged(_ model: NSManagedObjectModel, _ names: String...) -> [String: Data] {
        model.entityVersionHashesByName.merging(names.map { ($0, Data(repeating: 7, count: 32)) }) { $1 }
    }

    @Test("a hash of an assumed recipe that differs alone is left undecided (MOD-36)", arguments: assumed)
    func assumedHashIsUndecided(body: String, head: String) throws {
        let model = try Self.model(body, head: head)
        let agreement = model.agreement(with: forged(model, "Parent", "Child"))
        #expect(agreement.differing.isEmpty)
        #expect(agreement.undecided == ["Child", "Parent"])
        let metadata = ["NSStoreModelVersionHashes": forged(model, "Parent", "Child")]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: metadata) == model)
    }

    @Test("beside an entity that differs for certain, every difference counts (MOD-36)", arguments: assumed)
    func certainDifferenceDecides(body: String, head: String) throws {
        let model = try Self.model(body, head: head)
        let agreement = model.agreement(with: forged(model, "Parent", "Other"))
        #expect(agreement.differing.map(\.entity) == ["Other", "Parent"])
        #expect(agreement.undecided.isEmpty)
        var hashes = forged(model, "Parent")
        hashes["Child"] = nil
        #expect(model.agreement(with: hashes).differing.map(\.entity) == ["Child", "Parent"])
    }

    @Test("a hash of a known recipe must agree (MOD-36)", arguments: known)
    func knownHashMustAgree(body: String, head: String) throws {
        let model = try Self.model(body, head: head)
        #expect(model.agreement(with: forged(model, "Parent")).differing.map(\.entity) == ["Parent"])
        let metadata = ["NSStoreModelVersionHashes": forged(model, "Parent")]
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("an attribute made of others counts with all of them; only within another its hash is assumed (MOD-36)")
    func compositeCountsWithItsElements() {
        let editable = EditableModel()
        #expect(!editable.person.hasAssumedHash && !editable.power.hasAssumedHash)
        let outer = NSCompositeAttributeDescription()
        outer.elements = [NSCompositeAttributeDescription()]
        #expect(outer.hasAssumedHash)
        let before = editable.model.entityVersionHashesByName
        editable.street.isOptional = false
        #expect(editable.model.entityVersionHashesByName["Person"] != before["Person"])
    }

    @Test("a model that agrees to the byte is chosen before one that may agree (MOD-36)")
    func exactModelComesFirst() throws {
        let likely = try Self.model(Self.constraints("a", "b"))
        let exact = try Self.model(Self.constraints("b", "a") + #"<attribute name="z" attributeType="String"/>"#)
        let metadata = ["NSStoreModelVersionHashes": exact.entityVersionHashesByName]
        let chosen = NSManagedObjectModel(byMerging: [likely, exact], forStoreMetadata: metadata)
        #expect(chosen?.entitiesByName["Parent"]?.attributesByName["z"] != nil)
    }
}
