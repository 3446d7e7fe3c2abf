import CoreDataModeling
import TestBasics
import Testing

@Suite struct DescriptionEqualityTests {
    @Test("models of equal content are equal, and so are their parts (MOD-01)")
    func equalContentIsEqual() {
        let (one, other) = (EditableModel(), EditableModel())
        #expect(one.model == other.model && one.model.hash == other.model.hash)
        #expect(one.person == other.person && one.person.hash == other.person.hash)
        #expect(one.person != one.power)
        for (name, property) in one.person.propertiesByName {
            #expect(property == other.person.propertiesByName[name], "\(name)")
            #expect(property.hash == other.person.propertiesByName[name]?.hash, "\(name)")
        }
        #expect(one.index == other.index && one.element == other.element)
        other.model.freeze()
        #expect(one.model == other.model)
        #expect(!one.model.isEqual("Person"))
    }

    @Test("a change anywhere makes a model another one (MOD-01)", arguments: EditableModel.changes.keys.sorted())
    func changeMakesAnother(setter: String) throws {
        let (one, other) = (EditableModel(), EditableModel())
        let change = try #require(EditableModel.changes[setter])
        change(other)
        #expect(one.model != other.model)
        #expect(other.model != one.model)
    }

    @Test func copiesOfEveryKindAreEqualToTheirOriginal() throws {
        let editable = EditableModel()
        for property in editable.person.properties {
            #expect(property.copy() as? NSPropertyDescription == property)
        }
        #expect(editable.person.copy() as? NSEntityDescription == editable.person)
        #expect(editable.index.copy() as? NSFetchIndexDescription == editable.index)
        #expect(editable.element.copy() as? NSFetchIndexElementDescription == editable.element)
        let column = NSExpressionDescription()
        column.name = "sum"
        column.expression = NSExpression(format: "a + b")
        column.resultType = .double
        #expect(column.copy() as? NSExpressionDescription == column)
        let other = try #require(column.copy() as? NSExpressionDescription)
        other.expression = NSExpression(format: "a + c")
        #expect(other != column)
    }

    @Test("two models of one file are equal; compiled and read again too (MOD-01)", .timeLimit(.minutes(20)))
    func modelsOfOneFileAreEqual() throws {
        for path in FixtureSupport.paths(endingIn: ".mom") where !path.contains("freecoredata") {
            let (one, other) = try (
                NSManagedObjectModel(reading: Fixtures.url(path)), NSManagedObjectModel(reading: Fixtures.url(path))
            )
            #expect(one == other, "\(path)")
            #expect(try NSManagedObjectModel(compiled: one.compiledData()) == one, "\(path)")
        }
    }

    @Test func entitiesThatInheritInACircleAreCompared() {
        func circle() -> NSManagedObjectModel {
            let people = PeopleModel()
            people.sidekick.subentities = [people.person]
            return people.model
        }
        #expect(circle() == circle())
    }
}
