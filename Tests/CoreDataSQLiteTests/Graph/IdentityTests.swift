import CoreData
import CoreDataTestSupport
import Testing

@Suite struct IdentityTests {
    let stack: Stack
    init() throws { stack = try HeroModel.stack() }

    @Test("OBJ-05: two fetches and a relationship give one instance")
    func fetchesAndRelationshipsGiveOneInstance() throws {
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        stack.context.insert("Power", ["name": "Flight", "hero": hero])
        try stack.context.save()
        let context = stack.newContext()
        let first = try #require(try context.all("Hero").first)
        let power = try #require(try context.all("Power").first as? Power)
        #expect(power.hero === first)
        #expect(try context.all("Hero").first === first)
        #expect(context.object(with: first.objectID) === first)
        #expect(try context.existingObject(with: first.objectID) === first)
        #expect(context.registeredObject(for: first.objectID) === first)
        #expect(hero !== first)
    }

    @Test("OBJ-06: a URI leads back to the record in another coordinator")
    func uriLeadsBackInAnotherCoordinator() throws {
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let uri = hero.objectID.uriRepresentation()
        #expect(uri.absoluteString == "x-coredata://\(stack.store.identifier!)/Hero/p1")
        let other = try stack.another()
        let id = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(try other.context.existingObject(with: id).value(forKey: "name") as? String == "Ann")
        #expect(id == hero.objectID)
        #expect(id.hash == hero.objectID.hash)
        #expect(other.context.object(with: hero.objectID).objectID == id)
    }

    @Test(
        "OBJ-06: what is no URI of a record gives nil",
        arguments: [
            "x-coredata://%@/Hero/x1", "x-coredata://%@/Nothing/p1", "x-coredata://%@/Hero", "http://%@/Hero/p1",
            "x-coredata:///Hero/t1", "x-coredata://%@/Hero/p", "x-coredata://%@/Hero/p99999999999999999999",
            "x-coredata://00000000-0000-0000-0000-000000000000/Hero/p1",
        ])
    func strangeURIGivesNil(format: String) throws {
        let text = format.replacing("%@", with: stack.store.identifier)
        let uri = try #require(URL(string: text))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
    }

    @Test("OBJ-07: identifiers are temporary until saved")
    func identifierIsTemporaryUntilSaved() throws {
        let hero = stack.context.insert("Hero")
        let temporary = hero.objectID
        #expect(temporary.isTemporaryID)
        #expect(temporary.persistentStore == nil)
        #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Hero/t"))
        try stack.context.save()
        #expect(!hero.objectID.isTemporaryID)
        #expect(hero.objectID != temporary)
        #expect(hero.objectID.persistentStore === stack.store)
        #expect(stack.context.registeredObject(for: hero.objectID) === hero)
    }

    @Test("OBJ-07: permanent identifiers can be had before the save")
    func permanentIdentifierObtainedEarly() throws {
        let heroes = [stack.context.insert("Hero"), stack.context.insert("SuperHero")]
        try stack.context.obtainPermanentIDs(for: heroes)
        let ids = heroes.map(\.objectID)
        #expect(ids.allSatisfy { !$0.isTemporaryID })
        #expect(Set(ids.map(\.key)) == [1, 2])
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 0)
        #expect(heroes.allSatisfy { $0.isInserted })
        try stack.context.save()
        #expect(heroes.map(\.objectID) == ids)
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 2)
        #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Hero'") == 2)
    }

    @Test("OBJ-08: a temporary identifier of another context throws")
    func temporaryIdentifierOfAnotherContextThrows() throws {
        let hero = stack.context.insert("Hero")
        let other = stack.newContext()
        let error = #expect(throws: NSError.self) { try other.existingObject(with: hero.objectID) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(error?.localizedDescription.contains("Hero") == true)
    }

    @Test("OBJ-09: an identifier carries a record to another context")
    func identifierCarriesRecordOver() throws {
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let other = stack.newContext()
        let fault = other.object(with: hero.objectID)
        #expect(fault.isFault)
        #expect(fault.value(forKey: "name") as? String == "Ann")
        #expect(fault !== hero)
    }

    @Test("OBJ-06: an identifier outlives the coordinator that it came from")
    func identifierOutlivesItsCoordinator() throws {
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        var other: Stack? = try stack.another()
        let id = try #require(try other?.context.all("Hero").first?.objectID)
        other = nil
        #expect(try stack.context.existingObject(with: id).value(forKey: "name") as? String == "Ann")
    }

    @Test("OBJ-09: an identifier that names the parent entity finds the sub-entity's record")
    func identifierOfParentEntityFindsRecordOfChild() throws {
        stack.context.insert("SuperHero", ["name": "Ann", "cape": true])
        try stack.context.save()
        let uri = try #require(URL(string: "x-coredata://\(stack.store.identifier!)/Hero/p1"))
        let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
        let object = try stack.newContext().existingObject(with: id)
        #expect(object.entity.name == "SuperHero")
        #expect(object.value(forKey: "cape") as? Bool == true)
        let fault = stack.newContext().object(with: id)
        #expect(fault.entity.name == "Hero")
        #expect(fault.value(forKey: "name") as? String == "Ann")
    }

    @Test("OBJ-04: an unknown entity stops with the nearest name")
    func unknownEntityStops() async {
        await #expect(processExitsWith: .failure) {
            let stack = try HeroModel.stack()
            _ = NSEntityDescription.insertNewObject(forEntityName: "Heroo", into: stack.context)
        }
    }

    @Test("OBJ-02: three ways of inserting give the same")
    func waysOfInsertingGiveTheSame() throws {
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Power", in: stack.context))
        let loose = Power(entity: entity, insertInto: nil)
        stack.context.insert(loose)
        let all = [
            Power(context: stack.context), Power(entity: entity, insertInto: stack.context), loose,
            NSEntityDescription.insertNewObject(forEntityName: "Power", into: stack.context),
        ]
        #expect(all.allSatisfy { $0.isInserted && $0.managedObjectContext === stack.context && $0 is Power })
        #expect(stack.context.insertedObjects == Set(all))
    }

    @Test("MOD-12: an abstract entity cannot be inserted")
    func abstractEntityStops() async {
        await #expect(processExitsWith: .failure) {
            let draft = ModelDraft()
            draft.entity("Item").isAbstract = true
            draft.entity("Note", in: "Item")
            let stack = try Stack(draft.model)
            stack.context.insert("Note")
            stack.context.insert("Item")
        }
    }
}
