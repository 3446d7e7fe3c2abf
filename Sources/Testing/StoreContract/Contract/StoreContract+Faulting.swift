import CoreDataGraph
import Testing

extension StoreContract {
    static let faulting = [
        Clause("OBJ-12: a fetched object is a fault that is filled when it is asked", faultIsFilled),
        Clause("OBJ-12: objects fetched without being faults have their values", fetchWithoutFaults),
        Clause("OBJ-13: related objects are faults until they are read", relatedFaults),
        Clause("OBJ-16: a refreshed object shows what another context saved", refreshShowsNewValues),
        Clause("OBJ-17: refreshing with merging keeps changes over the new values", refreshKeepsChanges),
        Clause("OBJ-26: a fault whose record is gone reads as nil, counts as deleted and is reported", goneRecord),
        Clause("OBJ-24: an object that is a fault can be deleted", deletedFault),
        Clause("OBJ-13: to-many relationships of many objects are filled", manyRelationships),
    ]

    /// Saves a hero with two powers and reopens the store.
    private static func heroes(_ store: ContractStore) throws -> Stack {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann", "strength": 7])
        for name in ["Flight", "Sight"] { stack.context.insert("Power", ["name": name, "hero": hero]) }
        try stack.context.save()
        return try stack.reopened()
    }

    @Sendable private static func faultIsFilled(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let hero = try #require(try stack.context.all("Hero").first)
        #expect(hero.isFault && !hero.hasChanges)
        #expect(hero.nameValue == "Ann" && !hero.isFault)
        let context = stack.newContext()
        let other = context.object(with: hero.objectID)
        #expect(other.isFault)
        #expect(other.value(forKey: "strength") as? Int == 7 && !other.isFault)
    }

    @Sendable private static func fetchWithoutFaults(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.returnsObjectsAsFaults = false
        let hero = try #require(try stack.context.fetch(request).first)
        #expect(!hero.isFault && hero.nameValue == "Ann")
    }

    @Sendable private static func relatedFaults(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let power = try stack.context.named("Flight", "Power")
        _ = power.nameValue
        #expect(power.hasFault(forRelationshipNamed: "hero"))
        let hero = try #require(power.value(forKey: "hero") as? NSManagedObject)
        #expect(hero.isFault)
        #expect(hero.nameValue == "Ann" && !power.hasFault(forRelationshipNamed: "hero"))
        #expect(hero.hasFault(forRelationshipNamed: "powers"))
        #expect(Set(hero.related("powers").map(\.nameValue)) == ["Flight", "Sight"])
        #expect(!hero.hasFault(forRelationshipNamed: "powers"))
    }

    @Sendable private static func refreshShowsNewValues(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let hero = try stack.context.named("Ann", "Hero")
        #expect(hero.nameValue == "Ann")
        let other = stack.newContext()
        let theirs = try other.named("Ann", "Hero")
        theirs.setValue("Cid", forKey: "name")
        theirs.setValue(NSSet(array: [try other.named("Flight", "Power")]), forKey: "powers")
        try other.save()
        #expect(hero.nameValue == "Ann")
        stack.context.refresh(hero, mergeChanges: false)
        #expect(hero.isFault)
        #expect(hero.nameValue == "Cid" && hero.related("powers").count == 1)
    }

    @Sendable private static func refreshKeepsChanges(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let hero = try stack.context.named("Ann", "Hero")
        hero.setValue(99, forKey: "strength")
        let other = stack.newContext()
        let theirs = try other.named("Ann", "Hero")
        theirs.setValuesForKeys(["name": "Cid", "strength": 1])
        try other.save()
        stack.context.refresh(hero, mergeChanges: true)
        #expect(hero.nameValue == "Cid" && hero.value(forKey: "strength") as? Int == 99)
        try stack.context.save()
        let again = try stack.reopened().context.named("Cid", "Hero")
        #expect(again.value(forKey: "strength") as? Int == 99)
    }

    @Sendable private static func goneRecord(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let hero = try #require(try stack.context.all("Hero").first)
        let id = hero.objectID
        stack.context.refresh(hero, mergeChanges: false)
        let other = stack.newContext()
        other.delete(try other.named("Ann", "Hero"))
        try other.save()
        var reported: [NSError] = []
        stack.context.dataErrorHandler = { error, _ in reported.append(error as NSError) }
        #expect(hero.nameValue == nil && (hero as? Hero)?.strength == 0 && hero.isDeleted)
        #expect(reported.map(\.code) == [NSManagedObjectReferentialIntegrityError])
        #expect(reported.first?.localizedDescription.contains("could not fulfill a fault") == true)
        for context in [stack.context, stack.newContext()] {
            #expect(
                errorCode { _ = try context.existingObject(with: id) } == NSManagedObjectReferentialIntegrityError)
        }
        hero.setValue("x", forKey: "name")
        #expect(!stack.context.hasChanges)
        stack.context.delete(hero)
        try stack.context.save()
    }

    @Sendable private static func deletedFault(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        for name in ["Hero", "Note", "Lone"] { builder.entity(name) }
        builder.relationships("Hero.notes*", "Note.hero")
        let stack = try store.open(builder.model)
        for entity in ["Hero", "Note", "Lone"] {
            let object = stack.context.insert(entity)
            try stack.context.save()
            stack.context.refresh(object, mergeChanges: false)
            #expect(object.isFault)
            stack.context.delete(object)
            try stack.context.save()
            #expect(try stack.context.all(entity).isEmpty && stack.newContext().all(entity).isEmpty)
        }
    }

    @Sendable private static func manyRelationships(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        for number in 0..<60 {
            let hero = stack.context.insert("Hero", ["name": "H\(number)", "strength": number])
            for power in 0..<(number % 4) {
                stack.context.insert("Power", ["name": "\(number).\(power)", "hero": hero])
            }
        }
        try stack.context.save()
        stack = try stack.reopened()
        for hero in try stack.context.all("Hero") {
            let number = try #require(hero.value(forKey: "strength") as? Int)
            let names = hero.related("powers").compactMap(\.nameValue).sorted()
            #expect(names == (0..<(number % 4)).map { "\(number).\($0)" })
        }
    }
}
