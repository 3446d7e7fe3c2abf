import CoreDataModeling
import TestBasics
import Testing

@Suite struct ModelDifferenceTests {
    /// Each change as a line: what became of what, and `#` if a version hash changes.
    private func changes(_ old: String, _ new: String) throws -> [String] {
        ModelDifference(from: try SourceText.read(old), to: try SourceText.read(new)).changes.map(line)
    }

    private func line(_ change: ModelChange) -> String {
        let action =
            switch change.action {
            case .added: "added"
            case .removed: "removed"
            case .changed: "changed"
            case .renamed(let name): "renamed from \(name)"
            case .moved(let owners): "moved from \(owners.joined(separator: "+"))"
            }
        let aspects = change.aspects.map { "\($0.name) \($0.old ?? "-")>\($0.new ?? "-")" }.joined(separator: ", ")
        let hash = change.changesVersionHash ? " #" : ""
        return
            "\(change.item.kind.rawValue) \(change.item.path) \(action)\(hash)\(aspects.isEmpty ? "" : " (\(aspects))")"
    }

    @Test(
        "additions, removals, renames and changes are listed, and whether a version hash changes (MIG-22)",
        arguments: [
            (#"<entity name="A"/>"#, #"<entity name="A"/><entity name="B"/>"#, ["entity B added #"]),
            (#"<entity name="A"/><entity name="B"/>"#, #"<entity name="A"/>"#, ["entity B removed #"]),
            (
                #"<entity name="A"/>"#, #"<entity name="B" elementID="A"/>"#,
                ["entity B renamed from A # (renaming identifier ->A)"]
            ),
            (
                #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
                #"<entity name="A"><attribute name="y" attributeType="String" elementID="x"/></entity>"#,
                ["attribute A.y renamed from x # (renaming identifier ->x)"]
            ),
            (
                #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
                #"<entity name="A"><attribute name="x" optional="YES" attributeType="Date"/></entity>"#,
                ["attribute A.x changed # (type String>Date, optional no>yes)"]
            ),
            (
                #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
                #"<entity name="A"><attribute name="x" attributeType="String" defaultValueString="v"/></entity>"#,
                ["attribute A.x changed (default ->v)"]
            ),
            (
                #"<entity name="A"><attribute name="x" transient="YES" attributeType="String"/></entity>"#,
                #"<entity name="A"><attribute name="x" transient="YES" attributeType="Date"/></entity>"#,
                ["attribute A.x changed (type String>Date)"]
            ),
            (
                #"<entity name="A"/>"#, #"<entity name="A" isAbstract="YES" versionHashModifier="2"/>"#,
                ["entity A changed # (abstract no>yes, hash modifier ->2)"]
            ),
            (
                #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
                #"<entity name="A"><attribute name="x" attributeType="String"/><fetchIndex name="i"><fetchIndexElement property="x" type="Binary" order="descending"/></fetchIndex></entity>"#,
                ["index A.i added"]
            ),
            (
                #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
                #"<entity name="A"><attribute name="x" attributeType="String"/><uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints></entity>"#,
                ["constraint A.x added #"]
            ),
            (
                #"<entity name="A"/><configuration name="c"><memberEntity name="A"/></configuration>"#,
                #"<entity name="A"/><entity name="B"/><configuration name="c"><memberEntity name="A"/><memberEntity name="B"/></configuration>"#,
                ["entity B added #", "configuration c changed (entities A>A, B)"]
            ),
            (
                #"<entity name="A"/><fetchRequest name="f" entity="A" predicateString="TRUEPREDICATE"/>"#,
                #"<entity name="A"/><fetchRequest name="g" entity="A" predicateString="TRUEPREDICATE"/>"#,
                ["fetch request f removed", "fetch request g added"]
            ),
        ])
    func changesAreListed(old: String, new: String, expected: [String]) throws {
        #expect(try changes(old, new) == expected)
    }

    @Test("attributes that move up to an added parent, and down again, are moved and not lost (MIG-22)")
    func movesWithinALineAreSeen() throws {
        let low = """
            <entity name="Car"><attribute name="maker" optional="YES" attributeType="String"/></entity>
            <entity name="Van"><attribute name="maker" optional="YES" attributeType="String"/></entity>
            """
        let high = """
            <entity name="Vehicle"><attribute name="maker" optional="YES" attributeType="String"/></entity>
            <entity name="Car" parentEntity="Vehicle"/><entity name="Van" parentEntity="Vehicle"/>
            """
        #expect(
            try changes(low, high) == [
                "entity Car changed # (parent ->Vehicle)", "entity Van changed # (parent ->Vehicle)",
                "entity Vehicle added #", "attribute Vehicle.maker moved from Car+Van #",
            ])
        #expect(
            try changes(high, low) == [
                "entity Car changed # (parent Vehicle>-)", "attribute Car.maker moved from Vehicle #",
                "entity Van changed # (parent Vehicle>-)", "attribute Van.maker moved from Vehicle #",
                "entity Vehicle removed #",
            ])
    }

    @Test("an identifier is a canonical name, by which the third version knows the first and the second (MIG-22)")
    func identifiersChain() throws {
        let versions = [
            #"<entity name="Event"/>"#, #"<entity name="Occurrence" elementID="Event"/>"#,
            #"<entity name="Happening" elementID="Event"/>"#,
        ]
        #expect(
            try changes(versions[0], versions[2]) == [
                "entity Happening renamed from Event # (renaming identifier ->Event)"
            ])
        #expect(try changes(versions[1], versions[2]) == ["entity Happening renamed from Occurrence #"])
    }

    @Test("a relationship that becomes an attribute is removed and added, not changed (MIG-22)")
    func kindsAreNotMixed() throws {
        let old =
            #"<entity name="A"><relationship name="x" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A"/></entity>"#
        let new = #"<entity name="A"><attribute name="x" optional="YES" attributeType="String"/></entity>"#
        #expect(try changes(old, new) == ["attribute A.x added #", "relationship A.x removed #"])
    }

    @Test("every change of hashes among the versions of a large model comes with a change that says so (MIG-22)")
    func hashChangesAreExplained() throws {
        guard Fixtures.areAvailable else { return }
        var pairs = 0
        for package in FixtureSupport.paths(endingIn: ".xcdatamodeld") {
            let versions = ModelLocation.versions(in: Fixtures.url(package))
                .compactMap { try? NSManagedObjectModel(reading: $0) }
            for (old, new) in zip(versions, versions.dropFirst()) {
                let difference = ModelDifference(from: old, to: new)
                let isHashed = difference.changes.contains(where: \.changesVersionHash)
                #expect(isHashed == (old.entityVersionHashesByName != new.entityVersionHashesByName), "\(package)")
                #expect(isHashed == !difference.entitiesWithOtherHash.isEmpty, "\(package)")
                pairs += 1
            }
        }
        #expect(pairs > 30)
    }

    @Test("a model compared with itself in compiled form has no difference but what only sources say (MIG-22)")
    func formsSayTheSame() throws {
        guard Fixtures.areAvailable else { return }
        var count = 0
        for path in FixtureSupport.paths(endingIn: ".xcdatamodel") {
            guard let model = try? NSManagedObjectModel(reading: Fixtures.url(path)) else { continue }
            let compiled = try NSManagedObjectModel(compiled: model.compiledData())
            let difference = ModelDifference(from: model, to: compiled)
            #expect(difference.ofCompiledForms.changes.map(line) == [], "\(path)")
            #expect(ModelDifference(from: model, to: model).isEmpty)
            count += 1
        }
        #expect(count > 100)
    }
}
