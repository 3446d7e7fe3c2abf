import CoreDataModelEditing
import TestBasics
import Testing

@Suite struct CopyingTests {
    @Test("an entity that is copied into another model has everything but what is not there (TOOL-06)")
    func entityIntoAnotherModel() throws {
        let edits = try EditedSource.document().edits(making: [.entity("Hero"), .property("age", entity: "Hero")])
        let text = edits.map(\.description).joined(separator: "\n")
        let empty = ModelDocument.describing(NSManagedObjectModel()).document
        let pasted = try PastedEdits(text, into: empty)
        #expect(pasted.items == [.entity("Hero")])
        #expect(pasted.notes.count == 3, "\(pasted.notes)")
        var session = ModelEditSession(empty)
        #expect(throws: ModelEditError.self) { try session.perform(pasted.edits) }
        // The relationship has no destination here, so it must find one.
        session = ModelEditSession(try EditedSource.edited("remove Hero --with-references"))
        let whole = try PastedEdits(text, into: session.document)
        try session.perform(whole.edits)
        let hero = try #require(try session.document.makeModel().model.entitiesByName["Hero"])
        #expect(hero.attributesByName.keys.sorted() == ["age", "home", "name", "plain"])
        #expect(hero.relationshipsByName["powers"]?.inverseRelationship == nil)
        #expect(hero.indexes.first?.elements.map(\.isAscending) == [true, false])
        #expect(hero.userInfo?["color"] as? String == "red")
        #expect(hero.uniquenessConstraints.count == 1)
    }

    @Test("what is pasted once more gets a free name, with the links among what was copied (TOOL-06)")
    func copiesOfBothEnds() throws {
        let document = try EditedSource.document()
        let copied = try document.edits(making: [.entity("Power"), .entity("Hero")])
        let pasted = try PastedEdits(copied.map(\.description).joined(separator: "\n"), into: document)
        var session = ModelEditSession(document)
        try session.perform(pasted.edits)
        let model = try session.document.makeModel().model
        let (hero, power) = (try #require(model.entitiesByName["Hero2"]), try #require(model.entitiesByName["Power2"]))
        #expect(hero.managedObjectClassName == "Hero2")
        #expect(power.relationshipsByName["hero"]?.inverseRelationship === hero.relationshipsByName["powers"])
        #expect(model.entitiesByName["Hero"]?.relationshipsByName["powers"]?.destinationEntity?.name == "Power")
        #expect(pasted.notes.count == 2)
        session.undo()
        #expect(session.document == document)
    }

    @Test func propertiesGoToTheTarget() throws {
        let document = try EditedSource.document()
        let text = try document.edits(making: [.property("age", entity: "Hero"), .property("name", entity: "Hero")])
            .map(\.description).joined(separator: "\n")
        var session = ModelEditSession(document)
        let pasted = try PastedEdits(text, into: document, target: .entity("Power"))
        try session.perform(pasted.edits)
        #expect(pasted.items == [.property("age", entity: "Power"), .property("name2", entity: "Power")])
        #expect(try session.document.makeModel().model.entitiesByName["Power"]?.attributesByName.count == 3)
    }

    @Test func onlyCopiedItemsArePasted() throws {
        let document = try EditedSource.document()
        for text in ["remove Hero", "rename Hero X", "nonsense", "add entity 'A"] {
            #expect(throws: ModelEditError.self, "\(text)") { try PastedEdits(text, into: document) }
        }
        #expect(throws: ModelEditError.self) { try document.edits(making: [.entity("Nobody")]) }
    }

    @Test(
        "every model among the fixtures is made again from nothing by copying all its items (TOOL-06)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func fixturesAreMadeAgain() throws {
        var (made, left): (Int, [String]) = (0, [])
        for path in FixtureSources.paths {
            let document = try ModelDocument(at: Fixtures.url(path))
            guard let model = try? document.makeModel().model else { continue }
            let items = document.items.filter { $0.owner == .model }
            let text = try document.edits(making: items).map(\.description).joined(separator: "\n")
            let empty = ModelDocument.describing(NSManagedObjectModel()).document
            var session = ModelEditSession(empty)
            do {
                try session.perform(PastedEdits(text, into: empty).edits)
            } catch {
                left.append("\(path): \(error)")
                continue
            }
            let copy = try session.document.makeModel().model
            let difference = ModelDifference(from: model, to: copy)
            // The header is not copied, an empty text as a default cannot be set, indexes of several properties from
            // before Xcode 9 are no items, and a count of -1 is none.
            let changes = difference.changes.filter { $0.item.kind != .model }.flatMap { change in
                change.aspects.filter {
                    !["compound indexes", "notes"].contains($0.name) && $0.old != "" && $0.old != "-1"
                }.map { "\(change.item.path): \($0)" }
                    + (change.action == .changed ? [] : ["\(change.item.path) \(change.action)"])
            }
            #expect(changes.isEmpty, "\(path): \(changes.joined(separator: "; "))")
            if !document.text.contains("maxCount=\"-1\"") {
                #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName, "\(path)")
            }
            made += 1
        }
        #expect(left.isEmpty, "\(left.joined(separator: "\n"))")
        #expect(made > 150)
    }
}
