import CoreDataModeling
import Testing

@Suite struct EntityDescriptionTests {
    let model = PeopleModel()

    @Test("MOD-01: a model built in code lists its entities and their properties")
    func modelInCodeListsItsEntities() {
        #expect(Set(model.model.entitiesByName.keys) == ["Person", "Hero", "Sidekick", "Power"])
        #expect(model.hero.managedObjectModel === model.model)
        #expect(model.hero.properties.map(\.name) == ["name", "birthday", "powers"])
        #expect(Set(model.hero.attributesByName.keys) == ["name", "birthday"])
        #expect(Set(model.hero.relationshipsByName.keys) == ["powers"])
    }

    @Test("MOD-13: a child has the properties of its parent and its own", arguments: [false, true])
    func childHasItsParentsProperties(frozen: Bool) {
        if frozen { model.model.freeze() }
        #expect(model.sidekick.propertiesByName["name"] === model.person.propertiesByName["name"])
        #expect(model.sidekick.properties.map(\.name) == ["name", "birthday", "powers", "rank"])
        #expect(model.sidekick.ownProperties.map(\.name) == ["rank"])
        #expect(model.sidekick.isKindOf(entity: model.person))
        #expect(model.sidekick.isKindOf(entity: model.sidekick))
        #expect(!model.person.isKindOf(entity: model.sidekick))
        #expect(!model.power.isKindOf(entity: model.person))
        #expect(model.person.subentitiesByName["Hero"] === model.hero)
    }

    @Test func assigningAllPropertiesKeepsTheInheritedOnesWithTheParent() {
        let extra = NSAttributeDescription()
        extra.name = "cape"
        model.hero.properties += [extra]
        #expect(model.hero.ownProperties.map(\.name) == ["powers", "cape"])
        #expect(model.person.ownProperties.map(\.name) == ["name", "birthday"])
    }

    @Test func numbersFollowTheHierarchyOnceFrozen() {
        model.model.freeze()
        let numbered = model.model.entities.sorted { $0.number < $1.number }.map(\.name)
        #expect(numbered == ["Person", "Hero", "Sidekick", "Power"])
        #expect(model.person.descendantNumbers == 1...3)
        #expect(model.power.descendantNumbers == 4...4)
    }

    @Test("MOD-39: relationships are found by their destination, inherited ones too")
    func relationshipsAreFoundByDestination() {
        #expect(model.sidekick.relationships(forDestination: model.power).map(\.name) == ["powers"])
        #expect(model.power.relationships(forDestination: model.person).isEmpty)
    }

    @Test func frozenDescriptionRefusesAChange() async {
        await #expect(processExitsWith: .failure) {
            let people = PeopleModel()
            people.model.freeze()
            people.hero.name = "Villain"
        }
        await #expect(processExitsWith: .failure) {
            let people = PeopleModel()
            people.model.freeze()
            people.hero.attributesByName["name"]?.isOptional = false
        }
    }

    @Test func copyOfAFrozenModelMayBeChanged() throws {
        model.model.freeze()
        let copy = try #require(model.model.copy() as? NSManagedObjectModel)
        let hero = try #require(copy.entitiesByName["Hero"])
        #expect(hero !== model.hero)
        #expect(hero.superentity === copy.entitiesByName["Person"])
        let powers = try #require(hero.relationshipsByName["powers"])
        #expect(powers.destinationEntity === copy.entitiesByName["Power"])
        #expect(powers.inverseRelationship === copy.entitiesByName["Power"]?.relationshipsByName["owner"])
        hero.name = "Champion"
        #expect(model.hero.name == "Hero")
    }

    @Test("MOD-32: configurations list their entities beside the one of all")
    func configurationsListTheirEntities() {
        model.model.setEntities([model.hero, model.power], forConfigurationName: "Cloud")
        #expect(model.model.configurations == ["PF_DEFAULT_CONFIGURATION_NAME", "Cloud"])
        #expect(model.model.entities(forConfigurationName: "Cloud")?.map(\.name) == ["Hero", "Power"])
        #expect(model.model.entities(forConfigurationName: nil)?.count == 4)
        #expect(model.model.entities(forConfigurationName: "Local") == nil)
    }

    @Test func modelIsReleasedWithItsEntities() {
        weak var released: NSEntityDescription?
        do {
            let people = PeopleModel()
            people.model.freeze()
            released = people.hero
            #expect(released != nil)
        }
        #expect(released == nil)
    }
}
