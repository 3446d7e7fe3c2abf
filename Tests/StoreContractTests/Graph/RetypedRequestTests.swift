import CoreData
import StoreContract
import Testing

/// Requests with another type of results: what code for Apple's systems does by a cast.
@Suite struct RetypedRequestTests {
    private static func filled() -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Power")
        request.predicate = NSPredicate(format: "level > %d", 1)
        request.sortDescriptors = [NSSortDescriptor(key: "level", ascending: false)]
        request.fetchLimit = 2
        request.fetchOffset = 1
        return request
    }

    @Test("a request takes its settings along to another type of results (FET-01)", arguments: StoreKind.all)
    func settingsAreTakenAlong(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        for level in 0..<6 { stack.context.insert("Power", ["level": level]) }
        try stack.context.save()
        let powers = try stack.context.fetch(Self.filled().retyped(as: Power.self))
        #expect(powers.map(\.level) == [4, 3])
        let objects: NSFetchRequest<NSManagedObject> = Self.filled().retyped()
        #expect(try stack.context.fetch(objects).count == 2)
        let request = Self.filled()
        request.resultType = .dictionaryResultType
        let dictionaries = try stack.context.fetch(request.retyped(as: NSDictionary.self))
        #expect(dictionaries.map { $0["level"] as? Int } == [4, 3])
        request.resultType = .managedObjectIDResultType
        #expect(try stack.context.fetch(request.retyped(as: NSManagedObjectID.self)).count == 2)
        let back = Self.filled().retyped(as: Power.self).retyped(as: NSFetchRequestResult.self)
        #expect(try stack.context.fetch(back).compactMap { ($0 as? Power)?.level } == [4, 3])
    }

    @Test("a request that has the type already is the same one, another is a copy (FET-01)")
    func requestThatHasTypeAlreadyIsSame() {
        let powers = NSFetchRequest<Power>(entityName: "Power")
        #expect(powers.retyped(as: Power.self) === powers)
        #expect((powers as UntypedFetchRequest).retyped(as: Power.self) === powers)
        let general = Self.filled()
        #expect(general.retyped(as: NSFetchRequestResult.self) === general)
        let own = OwnRequest()
        #expect(own.retyped(as: Power.self) === own)
        let copy = general.retyped(as: Power.self)
        copy.fetchLimit = 9
        #expect(general.fetchLimit == 2 && copy.entityName == "Power" && copy.predicate == general.predicate)
    }

    @Test("objects of another class than the request's type are an error of the fetch (FET-01)")
    func otherClass() throws {
        let stack = try HeroModel.stack(.inMemory)
        stack.context.insert("Power")
        let request = NSFetchRequest<Power>(entityName: "Power").retyped(as: Hero.self)
        let error = #expect(throws: NSError.self) { try stack.context.fetch(request) }
        #expect(error?.localizedDescription.contains("is a Power, not a Hero") == true)
    }
}

private final class OwnRequest: NSFetchRequest<Power> {}
