import CoreDataSQL
import SQLiteKit
import Testing

struct HostileModelTests {
    @Test("entities that inherit in a circle do not hang (HAZ-46)", arguments: [1, 2, 3, 7])
    func inheritanceCycleEnds(length: Int) {
        let entities = (0..<length).map { number in
            let entity = NSEntityDescription()
            entity.name = "E\(number)"
            return entity
        }
        for (number, entity) in entities.enumerated() { entity.subentities = [entities[(number + 1) % length]] }
        let model = NSManagedObjectModel()
        model.entities = entities
        let schema = StoreSchema(model: model)
        #expect(schema.entities.count == length)
    }

    @Test("equal names of entities and properties get tables and columns of their own (HAZ-46)")
    func equalNamesGetTheirOwn() throws {
        let entities = (0..<3).map { _ in
            let entity = NSEntityDescription()
            entity.name = "Same"
            entity.properties = (0..<2).map { _ in
                let attribute = NSAttributeDescription()
                attribute.name = "same"
                attribute.attributeType = .stringAttributeType
                return attribute
            }
            return entity
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        let schema = StoreSchema(model: model)
        #expect(schema.tables.map(\.name) == ["ZSAME", "ZSAME1", "ZSAME2"])
        #expect(schema.tables[0].columns.map(\.name).suffix(2) == ["ZSAME", "ZSAME1"])
        #expect(try Connection.made(of: schema).catalog().tables.count == 6)
    }

    @Test("a composite that contains itself ends (HAZ-46)") func compositeThatContainsItselfEnds() {
        let composite = NSCompositeAttributeDescription()
        composite.name = "c"
        composite.elements = (0..<10).map { _ in composite }
        let entity = NSEntityDescription()
        entity.name = "A"
        entity.properties = [composite]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        #expect(StoreSchema(model: model).tables[0].columns.count == 3)
        composite.elements = []
    }

    @Test("ten thousand entities are laid out (HAZ-46)") func manyEntitiesAreLaidOut() {
        let entities = (0..<10_000).map { number in
            let entity = NSEntityDescription()
            entity.name = "Entity\(number)"
            let toOne = NSRelationshipDescription()
            toOne.name = "next"
            entity.properties = [toOne]
            return entity
        }
        for (number, entity) in entities.enumerated() {
            entity.relationshipsByName["next"]?.destinationEntity = entities[(number + 1) % entities.count]
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        let schema = StoreSchema(model: model)
        #expect(schema.tables.count == 10_000)
        #expect(schema.indexes.count == 10_000)
        #expect(schema.resolved(against: schema.catalog).isUsable)
    }
}
