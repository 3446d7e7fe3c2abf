import CoreDataModeling
import Testing

/// What descriptions say after they have been compiled and loaded.
@Suite struct CompiledDescriptionTests {
    @Test("name, class, parent, abstract flag, user info and properties of an entity survive (MOD-07, MOD-33)")
    func entitySurvives() throws {
        let people = PeopleModel()
        people.person.isAbstract = true
        people.person.userInfo = ["author": "Ann", "year": 2009]
        people.hero.managedObjectClassName = "App.Hero"
        people.power.managedObjectClassName = "App.Hero"
        let loaded = try NSManagedObjectModel(compiled: people.model.compiledData())
        #expect(loaded == people.model)
        let hero = try #require(loaded.entitiesByName["Hero"])
        #expect(hero.superentity?.name == "Person" && hero.managedObjectClassName == "App.Hero")
        #expect(hero.superentity?.isAbstract == true && !hero.isAbstract)
        #expect(hero.superentity?.userInfo?["author"] as? String == "Ann")
        #expect(Set(hero.propertiesByName.keys) == ["name", "birthday", "powers"])
    }

    @Test(
        "destination, inverse, counts, rule and order of a relationship survive (MOD-27)",
        arguments: [NSDeleteRule.noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule])
    func relationshipSurvives(rule: NSDeleteRule) throws {
        let people = PeopleModel()
        let (mentor, students) = (NSRelationshipDescription(), NSRelationshipDescription())
        mentor.name = "mentor"
        students.name = "students"
        // Leads from the entity to itself, and to an abstract one.
        people.hero.isAbstract = true
        for relationship in [mentor, students] { relationship.destinationEntity = people.hero }
        students.maxCount = 5
        students.minCount = 2
        students.isOrdered = true
        students.isOptional = false
        students.deleteRule = rule
        mentor.inverseRelationship = students
        people.hero.properties += [mentor, students]
        let loaded = try NSManagedObjectModel(compiled: people.model.compiledData())
        #expect(loaded == people.model)
        let read = try #require(loaded.entitiesByName["Hero"]?.relationshipsByName["students"])
        #expect(read.destinationEntity === loaded.entitiesByName["Hero"] && read.inverseRelationship?.name == "mentor")
        #expect(read.inverseRelationship?.inverseRelationship === read)
        #expect(read.minCount == 2 && read.maxCount == 5 && read.isOrdered && !read.isOptional && read.isToMany)
        #expect(read.deleteRule == rule && read.inverseRelationship?.isToMany == false)
    }

    @Test("one entity may be in several configurations, and all are in the one of all (MOD-32)")
    func configurationsSurvive() throws {
        let people = PeopleModel()
        people.model.setEntities([people.hero, people.power], forConfigurationName: "Cloud")
        people.model.setEntities([people.hero], forConfigurationName: "Local")
        let loaded = try NSManagedObjectModel(compiled: people.model.compiledData())
        #expect(loaded.configurations == ["PF_DEFAULT_CONFIGURATION_NAME", "Cloud", "Local"])
        #expect(Set(loaded.entities(forConfigurationName: "Cloud")?.compactMap(\.name) ?? []) == ["Hero", "Power"])
        #expect(loaded.entities(forConfigurationName: "Local")?.compactMap(\.name) == ["Hero"])
        #expect(loaded.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")?.count == 4)
    }

    @Test func configurationOfAForeignEntityStops() async {
        await #expect(processExitsWith: .failure) {
            PeopleModel().model.setEntities([PeopleModel().hero], forConfigurationName: "Cloud")
        }
    }

    @Test("an entity leaves the model that it is taken from (MOD-01)")
    func entityMovesBetweenModels() {
        let people = PeopleModel()
        let other = NSManagedObjectModel()
        other.entities = [people.power]
        #expect(people.power.managedObjectModel === other)
        #expect(people.model.entitiesByName["Power"] == nil && people.model.entities.count == 3)
        other.entities = []
        #expect(people.power.managedObjectModel == nil)
    }
}
