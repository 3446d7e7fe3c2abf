import CoreDataModeling
import Testing

@Suite struct EntityDescriptionTests {
    let model = PeopleModel()

    @Test("a model built in code lists its entities and their properties (MOD-01)")
    func modelInCodeListsItsEntities() {
        #expect(Set(model.model.entitiesByName.keys) == ["Person", "Hero", "Sidekick", "Power"])
        #expect(model.hero.managedObjectModel === model.model)
        #expect(model.hero.properties.map(\.name) == ["name", "birthday", "powers"])
        #expect(Set(model.hero.attributesByName.keys) == ["name", "birthday"])
        #expect(Set(model.hero.relationshipsByName.keys) == ["powers"])
    }

    @Test("a child has the properties of its parent and its own (MOD-13)", arguments: [false, true])
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

    @Test("relationships are found by their destination, inherited ones too (MOD-39)")
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

    @Test("configurations list their entities beside the one of all (MOD-32)")
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

@Suite struct PropertyDescriptionTests {
    @Test("predicates set in code replace the model's limits (VAL-03)")
    func predicatesInCodeReplaceLimits() throws {
        let attribute = NSAttributeDescription()
        attribute.validationRules = [ValidationRule(.minimum(1))]
        attribute.setValidationPredicates([NSPredicate(format: "SELF > 3")], withValidationWarnings: ["too small"])
        #expect(attribute.validationPredicates.map(\.formatString) == ["SELF > 3"])
        #expect(attribute.validationWarnings as? [String] == ["too small"])
        #expect(attribute.validationRules.map(\.check) == [.predicate(format: "SELF > 3")])
        let copy = try #require(attribute.copy() as? NSAttributeDescription)
        #expect(copy.validationWarnings as? [String] == ["too small"])
    }

    @Test func copiesOfAnEntityAndItsIndexesAreTheirOwn() throws {
        let people = PeopleModel()
        let name = try #require(people.person.attributesByName["name"])
        let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
        people.person.indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]
        people.model.freeze()
        let copy = try #require(people.person.copy() as? NSEntityDescription)
        #expect(copy.managedObjectModel == nil)
        #expect(copy.indexes.first?.elements.first?.property === copy.propertiesByName["name"])
        let hero = try #require(copy.subentitiesByName["Hero"])
        #expect(hero.superentity === copy)
        #expect(hero.relationshipsByName["powers"]?.destinationEntity === people.power)
        copy.indexes = []
        #expect(people.person.indexes.count == 1)
    }

    @Test func movedSubentityLeavesItsFormerParent() {
        let people = PeopleModel()
        people.power.subentities = [people.sidekick]
        #expect(people.hero.subentities.isEmpty)
        #expect(people.sidekick.superentity === people.power)
        #expect(people.sidekick.propertiesByName["name"] == nil)
    }

    @Test func circleMadeInCodeDoesNotHang() {
        let people = PeopleModel()
        people.sidekick.subentities = [people.person]
        #expect(people.person.properties.count > 0)
        people.model.freeze()
        #expect(people.model.isFrozen)
    }

    @Test func compositesAndIndexesAreFrozenWithTheirModel() async {
        await #expect(processExitsWith: .failure) {
            let composite = NSCompositeAttributeDescription()
            let element = NSAttributeDescription()
            composite.elements = [element]
            let entity = NSEntityDescription()
            entity.properties = [composite]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            model.freeze()
            element.name = "x"
        }
        await #expect(processExitsWith: .failure) {
            let index = NSFetchIndexDescription(name: "i", elements: [])
            let entity = NSEntityDescription()
            entity.indexes = [index]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            model.freeze()
            index.name = "j"
        }
    }
}
