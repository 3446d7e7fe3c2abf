import CoreDataModeling
import Testing

@Suite struct FrozenDescriptionTests {
    /// What the message must name, by the first word of the setter's name.
    private static let named = [
        "model": "model", "entity": "entity 'Person'", "property": "property 'Person.name'",
        "attribute": "property 'Person.name'", "derived": "property 'Person.count'", "composite": "property '",
        "relationship": "property 'Person.powers'", "fetched": "property 'Person.peers'",
        "index": "fetch index 'byName'", "element": "fetch index element 'name'",
    ]

    @Test(
        "every setter of a model in use stops and names what was changed (MOD-01)",
        .timeLimit(.minutes(10)), arguments: EditableModel.changes.keys.sorted())
    func setterStops(setter: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [setter = setter as String] in
            let editable = EditableModel()
            editable.model.freeze()
            EditableModel.changes[setter]?(editable)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let subject = try #require(Self.named[String(setter.prefix { $0 != "." })])
        #expect(text.contains("Can't modify an immutable model"))
        #expect(text.contains(subject))
    }

    @Test("a copy of a model in use takes every change (MOD-01)", arguments: EditableModel.changes.keys.sorted())
    func copyTakesEveryChange(setter: String) throws {
        let change = try #require(EditableModel.changes[setter])
        let used = EditableModel()
        used.model.freeze()
        let copy = try EditableModel(copyOf: used)
        #expect(copy.model == used.model)
        change(copy)
        #expect(copy.model != used.model)
        #expect(used.model == EditableModel().model)
    }

    @Test("a model in use can still be read (MOD-39)")
    func frozenModelIsRead() {
        let editable = EditableModel()
        editable.model.freeze()
        #expect(editable.person.propertiesByName.count == 5)
        #expect(editable.person.managedObjectModel.entitiesByName["Power"] === editable.power)
        #expect(editable.name.entity.name == "Person")
        #expect(editable.model.entityVersionHashesByName.count == 2)
    }

    @Test func entityOfAModelInUseCannotMoveToAnother() async {
        await #expect(processExitsWith: .failure) {
            let editable = EditableModel()
            editable.model.freeze()
            NSManagedObjectModel().entities = [editable.person]
        }
    }
}
