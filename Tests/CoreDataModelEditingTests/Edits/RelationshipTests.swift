import CoreDataModelEditing
import Testing

@Suite struct RelationshipTests {
    @Test("both ends of a relationship name each other, and old ends let go (TOOL-06)")
    func inversesAreKeptOnBothSides() throws {
        let edits = [
            "add relationship Hero.gifts destination=Power to-many=YES", "set Hero.gifts inverse=hero",
        ]
        let document = try EditedSource.edited(edits[0], edits[1])
        let model = try document.makeModel().model
        let hero = try #require(model.entitiesByName["Hero"])
        let back = try #require(model.entitiesByName["Power"]?.relationshipsByName["hero"])
        #expect(hero.relationshipsByName["gifts"]?.inverseRelationship === back)
        #expect(back.inverseRelationship?.name == "gifts")
        #expect(hero.relationshipsByName["powers"]?.inverseRelationship == nil)
    }

    @Test("a relationship that leads elsewhere, loses its inverse or goes leaves no name behind (TOOL-06)")
    func lostInverses() throws {
        for edit in ["set Hero.powers destination=Sidekick", "set Hero.powers inverse=", "remove Hero.powers"] {
            let text = try EditedSource.edited(edit, "set requests/strong predicate=").text
            #expect(!text.contains("inverseName"), "\(edit)")
            #expect(!text.contains("inverseEntity"), "\(edit)")
        }
    }

    @Test func relationshipCanBeItsOwnInverse() throws {
        let document = try EditedSource.edited("add relationship Hero.spouse destination=Hero inverse=spouse")
        let spouse = try document.makeModel().model.entitiesByName["Hero"]?.relationshipsByName["spouse"]
        #expect(spouse != nil && spouse?.inverseRelationship === spouse)
        let alone = try EditedSource.edited(
            "set Hero.spouse inverse=", from: document.text)
        #expect(!alone.text.contains(#"inverseName="spouse""#))
    }

    @Test func inverseThatLeadsElsewhereIsRefused() {
        let error = EditedSource.refusal(
            of: "add entity Lair", "add relationship Lair.owner destination=Power inverse=hero")
        #expect(error?.code == .invalidValue)
        #expect(error?.hint?.contains("destination=Lair") == true)
    }

    @Test("a property moves to another entity with its inverse, and an entity under another parent (TOOL-06)")
    func propertyMovesToAnotherEntityWithItsInverse() throws {
        let down = try EditedSource.edited("move Hero.powers Sidekick", "set requests/strong predicate=")
        let model = try down.makeModel().model
        let moved = try #require(model.entitiesByName["Sidekick"]?.relationshipsByName["powers"])
        #expect(moved.inverseRelationship?.name == "hero")
        #expect(moved.inverseRelationship?.destinationEntity?.name == "Sidekick")
        #expect(model.entitiesByName["Hero"]?.relationshipsByName["powers"] == nil)
        let away = try EditedSource.edited("move Sidekick .")
        #expect(try away.makeModel().model.entitiesByName["Sidekick"]?.superentity == nil)
        let up = try EditedSource.edited(
            "move Sidekick.age Hero",
            from: EditedSource.edited("move Hero.age Sidekick", "set Hero.peers predicate=").text)
        #expect(try up.makeModel().model.entitiesByName["Hero"]?.attributesByName["age"] != nil)
        #expect(EditedSource.refusal(of: "move Hero.name Power")?.code == .nameTaken)
        #expect(EditedSource.refusal(of: "move requests/strong Hero")?.code == .notApplicable)
    }

    @Test("what others name is not taken away, unless they go too (TOOL-06)")
    func whatOthersNameIsNotTakenAway() throws {
        #expect(EditedSource.refusal(of: "remove Hero")?.code == .inUse)
        #expect(EditedSource.refusal(of: "remove composites/Address")?.code == .inUse)
        #expect(EditedSource.refusal(of: "remove .")?.code == .notApplicable)
        #expect(EditedSource.refusal(of: "remove Nobody")?.code == .unknownItem)
        let document = try EditedSource.edited("remove Hero --with-references")
        let model = try document.makeModel().model
        #expect(model.entitiesByName.keys.sorted() == ["Power", "Sidekick"])
        #expect(model.entitiesByName["Sidekick"]?.superentity == nil)
        #expect(model.entitiesByName["Power"]?.relationshipsByName.isEmpty == true)
        #expect(!document.text.contains("strong"))
        #expect(!document.text.contains(#"memberEntity name="Hero""#))
        let plain = try EditedSource.edited("remove composites/Address --with-references")
        #expect(!plain.text.contains("home") && !plain.text.contains("composite"))
        #expect(
            try EditedSource.changes("remove Hero.age", "set Hero.peers predicate=").filter { $0.hasPrefix("-") }.count
                == 3)
        #expect(
            try EditedSource.changes("remove Hero/constraints/name") == [
                "-<uniquenessConstraints>", "-<uniquenessConstraint>", #"-<constraint value="name"/>"#,
                "-</uniquenessConstraint>", "-</uniquenessConstraints>",
            ])
    }

    @Test func removingAPropertyTellsWhoNamesIt() throws {
        var editor = ModelEditor(try EditedSource.document())
        try editor.apply(ModelEdit("remove Hero.age"))
        #expect(editor.notes.contains { $0.contains("the predicate of 'Hero.peers'") })
        #expect(editor.notes.contains { $0.contains("Hero/indexes/byName") })
    }
}
