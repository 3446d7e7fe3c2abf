import CoreDataGraph
import Testing

extension StoreContract {
    static let identifiers = [
        Clause("OBJ-05: two fetches and a relationship give one instance", oneInstance),
        Clause("OBJ-06: a URI leads back to the record, also in a store opened again", uriFindsRecord),
        Clause("OBJ-06: what is no URI of a record gives nil", strangeURIs),
        Clause("OBJ-07: identifiers are temporary until saved", temporaryUntilSaved),
        Clause("OBJ-07: permanent identifiers had before the save are kept by it", obtainedEarly),
        Clause("OBJ-07: a permanent identifier of an object that is not saved names no record", obtainedNeverSaved),
        Clause("OBJ-08: a temporary identifier of another context throws", temporaryElsewhere),
        Clause("OBJ-09: an identifier carries a record to another context", carriedOver),
        Clause("OBJ-09: an identifier that names the parent entity finds the sub-entity's record", ofParentEntity),
        Clause("STO-17: keys are shared by a hierarchy and not used again", keysAreNotUsedAgain),
        Clause("STO-17: keys given out early or to objects never saved are not used again", reservedKeys),
    ]

    private static func uri(_ stack: Stack, _ rest: String) throws -> URL {
        try #require(URL(string: "x-coredata://\(stack.store.identifier ?? "")/\(rest)"))
    }

    @Sendable private static func oneInstance(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        stack.context.insert("Power", ["name": "Flight", "hero": hero])
        try stack.context.save()
        stack = try stack.reopened()
        let context = stack.context
        let first = try #require(try context.all("Hero").first)
        let power = try #require(try context.all("Power").first)
        #expect(power.value(forKey: "hero") as? NSManagedObject === first)
        #expect(try context.all("Hero").first === first)
        #expect(context.object(with: first.objectID) === first)
        #expect(try context.existingObject(with: first.objectID) === first)
        #expect(context.registeredObject(for: first.objectID) === first)
        #expect(stack.newContext().registeredObject(for: first.objectID) == nil)
    }

    @Sendable private static func uriFindsRecord(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        let superHero = stack.context.insert("SuperHero", ["name": "Bob"])
        try stack.context.save()
        let (id, superID) = (hero.objectID, superHero.objectID)
        if !store.kind.capabilities.contains(.namesRecords) {
            #expect(id.uriRepresentation() == (try uri(stack, "Hero/p\(id.key)")))
        }
        let again = try stack.reopened()
        for (id, name) in [(id, "Ann"), (superID, "Bob")] {
            let found = try #require(again.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
            #expect(try again.context.existingObject(with: found).nameValue == name)
            #expect(found == id && found.hash == id.hash)
            #expect(again.newContext().object(with: id).objectID == found)
        }
    }

    @Sendable private static func strangeURIs(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let identifier = stack.store.identifier ?? ""
        let texts = [
            "x-coredata://%@/Hero/x1", "x-coredata://%@/Nothing/p1", "x-coredata://%@/Hero", "http://%@/Hero/p1",
            "x-coredata:///Hero/t1", "x-coredata://%@/Hero/p", "x-coredata://%@/Hero/p1/p1",
            "x-coredata://00000000-0000-0000-0000-000000000000/Hero/p1",
        ]
        for text in texts {
            let uri = try #require(URL(string: text.replacing("%@", with: identifier)))
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil, "\(text)")
        }
        for key in ["0", "7", "-1", "\(Int64.max)", "\(Int64.min)", "99999999999999999999", "x"] {
            guard let id = stack.coordinator.managedObjectID(forURIRepresentation: try uri(stack, "Hero/p\(key)"))
            else {
                continue
            }
            let code = errorCode { _ = try stack.context.existingObject(with: id) }
            #expect(code == NSManagedObjectReferentialIntegrityError, "\(key)")
        }
    }

    @Sendable private static func temporaryUntilSaved(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero")
        let temporary = hero.objectID
        #expect(temporary.isTemporaryID && temporary.persistentStore == nil)
        #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Hero/t"))
        #expect(stack.context.registeredObject(for: temporary) === hero)
        try stack.context.save()
        #expect(!hero.objectID.isTemporaryID && hero.objectID != temporary)
        #expect(hero.objectID.persistentStore === stack.store)
        #expect(stack.context.registeredObject(for: hero.objectID) === hero)
        #expect(stack.context.object(with: hero.objectID) === hero)
    }

    @Sendable private static func obtainedEarly(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        let context = stack.context
        let ann = context.insert("Hero", ["name": "Ann"])
        let bob = context.insert("SuperHero", ["name": "Bob", "nemesis": ann])
        let late = context.insert("Hero", ["name": "Cid", "nemesis": bob])
        try context.obtainPermanentIDs(for: [ann, bob])
        let ids = [ann.objectID, bob.objectID]
        #expect(ids.allSatisfy { !$0.isTemporaryID } && Set(ids).count == 2)
        #expect(ann.isInserted && bob.isInserted && late.objectID.isTemporaryID)
        #expect(try stack.newContext().all("Hero").isEmpty)
        #expect(context.registeredObject(for: ids[0]) === ann)
        #expect(context.object(with: ids[1]) === bob)
        try context.obtainPermanentIDs(for: [ann])
        #expect(ann.objectID == ids[0])
        try context.save()
        #expect([ann.objectID, bob.objectID] == ids && !ids.contains(late.objectID))
        stack = try stack.reopened()
        #expect(try ids.map { try stack.context.existingObject(with: $0).nameValue } == ["Ann", "Bob"])
        #expect(try stack.context.named("Cid", "Hero").value(forKeyPath: "nemesis.nemesis.name") as? String == "Ann")
    }

    @Sendable private static func obtainedNeverSaved(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero")
        try stack.context.obtainPermanentIDs(for: [hero])
        let id = hero.objectID
        let code = errorCode { _ = try stack.newContext().existingObject(with: id) }
        #expect(code == NSManagedObjectReferentialIntegrityError)
        stack.context.delete(hero)
        try stack.context.save()
        #expect(try stack.reopened().context.all("Hero").isEmpty)
    }

    @Sendable private static func temporaryElsewhere(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero")
        let error = #expect(throws: NSError.self) { try stack.newContext().existingObject(with: hero.objectID) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(error?.localizedDescription.contains("Hero") == true)
    }

    @Sendable private static func carriedOver(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let fault = stack.newContext().object(with: hero.objectID)
        #expect(fault.isFault && fault !== hero)
        let id = hero.objectID
        let again = try stack.reopened()
        #expect(again.context.registeredObject(for: id) == nil)
        #expect(again.context.object(with: id).nameValue == "Ann")
        let other = again.newContext()
        #expect(try other.existingObject(with: id).nameValue == "Ann")
    }

    @Sendable private static func ofParentEntity(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let made = stack.context.insert("SuperHero", ["name": "Ann", "cape": true])
        try stack.context.save()
        let name = made.objectID.uriRepresentation().absoluteString
        let uri = try #require(URL(string: name.replacing("/SuperHero/p", with: "/Hero/p")))
        let again = try stack.reopened()
        let id = try #require(again.coordinator.managedObjectID(forURIRepresentation: uri))
        let object = try again.context.existingObject(with: id)
        #expect(object.entity.name == "SuperHero" && object.value(forKey: "cape") as? Bool == true)
        let other = again.newContext()
        #expect(other.object(with: id).nameValue == "Ann")
    }

    @Sendable private static func keysAreNotUsedAgain(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        var used: Set<URL> = []
        for round in 0..<3 {
            let heroes = ["Hero", "SuperHero", "Hero"].map { stack.context.insert($0) }
            try stack.context.save()
            let keys = heroes.map { $0.objectID.uriRepresentation() }
            #expect(Set(keys).count == 3 && used.isDisjoint(with: keys), "round \(round)")
            used.formUnion(keys)
            heroes.forEach(stack.context.delete)
            try stack.context.save()
            if round == 1 { stack = try stack.reopened() }
        }
    }

    @Sendable private static func reservedKeys(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        let early = (0..<3).map { _ in stack.context.insert("Hero") }
        try stack.context.obtainPermanentIDs(for: early)
        var used = Set(early.map { $0.objectID.uriRepresentation() })
        #expect(used.count == 3)
        let other = stack.newContext()
        let theirs = other.insert("Hero")
        try other.save()
        #expect(used.insert(theirs.objectID.uriRepresentation()).inserted)
        stack.context.rollback()
        stack = try stack.reopened()
        let late = stack.context.insert("SuperHero")
        try stack.context.save()
        #expect(used.insert(late.objectID.uriRepresentation()).inserted)
    }
}
