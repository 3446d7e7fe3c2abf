import CoreData
import StoreContract
import Testing

extension NSManagedObject {
    /// A property of people without a class of their own.
    fileprivate var firstName: String? {
        get { keyedValues.firstName }
        set { keyedValues.firstName = newValue }
    }
}

@Suite struct KeyedValuesTests {
    private func person(_ kind: StoreKind) throws -> (Stack, NSManagedObject) {
        let builder = ModelBuilder()
        builder.entity(
            "Person",
            ["firstName": .stringAttributeType, "age": .integer16AttributeType, "born": .dateAttributeType])
        builder.relationships("Person.children*", "Person.parent")
        builder.relationships("Person.friends*!", "Person.friendOf*")
        let stack = try Stack(builder.model, kind: kind)
        return (stack, stack.context.insert("Person"))
    }

    @Test("typed access to an object of no class of its own (KVC-06)", arguments: StoreKind.all)
    func typedAccessWithoutClass(kind: StoreKind) throws {
        let (stack, person) = try person(kind)
        #expect(type(of: person) == NSManagedObject.self)
        person.firstName = "Ann"
        #expect(person.firstName == "Ann" && person.value(forKey: "firstName") as? String == "Ann")
        let values = person.keyedValues
        values.age = Int16(30)
        values.born = Optional(Date(timeIntervalSinceReferenceDate: 5))
        let age: Int = values.age
        let absent: NSNumber? = stack.context.insert("Person").keyedValues.age
        #expect(age == 30 && absent == nil && person.value(forKey: "age") as? Int == 30)
        let child = stack.context.insert("Person")
        child.keyedValues.parent = person
        values.friends = [child, stack.context.insert("Person")]
        let children: Set<NSManagedObject> = values.children
        let friends: [NSManagedObject] = values.friends
        let parent: NSManagedObject? = child.keyedValues.parent
        #expect(children == [child] && friends.first === child && friends.count == 2 && parent === person)
        try stack.context.save()
        let other = stack.newContext()
        let again = try other.existingObject(with: person.objectID)
        #expect(again.firstName == "Ann" && again.keyedValues.born == Date(timeIntervalSinceReferenceDate: 5))
    }

    @Test("a class's own accessors are called, also of computed properties (KVC-06)", arguments: StoreKind.all)
    func ownAccessorsAreCalled(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        hero.keyedValues.secretIdentity = Optional("clark")
        let identity: String? = hero.keyedValues.secretIdentity
        let title: String? = hero.keyedValues.title
        #expect(identity == "CLARK")
        #expect(title == "Ann (CLARK)")
    }

    @Test("a key that the object does not have stops with a suggestion (KVC-06)")
    func unknownKeyStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let hero = try HeroModel.stack(.inMemory).context.insert("Hero")
            let text: String? = hero.keyedValues.nmae
            print(text ?? "")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("did you mean \"name\""))
    }

    @Test("scalar and optional forms, where nil of an optional number is not zero (KVC-07)", arguments: StoreKind.all)
    func scalarsAndOptionals(kind: StoreKind) throws {
        let (_, person) = try person(kind)
        let values = person.keyedValues
        let (none, zero): (NSNumber?, Int16) = (values.age, values.age)
        #expect(none == nil && zero == 0)
        values.age = Int16(0)
        let some: NSNumber? = values.age
        #expect(some == 0)
        values.age = NSNumber?.none
        #expect(person.value(forKey: "age") == nil)
    }

    @Test("collection operators and keys of members over relationships (KVC-04)", arguments: StoreKind.all)
    func operatorsOverRelationships(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 4)
        songs[3].setValue(2, forKey: "length")
        list.songList = [songs[3], songs[1], songs[2]]
        list.favourites = NSSet(array: [songs[1], songs[2], songs[3]])
        for key in ["songs", "favourites"] {
            #expect(list.value(forKeyPath: "\(key).@count") as? Int == 3)
            #expect((list.value(forKeyPath: "\(key).@sum.length") as? NSNumber)?.intValue == 5)
            #expect((list.value(forKeyPath: "\(key).@max.length") as? NSNumber)?.intValue == 2)
            #expect((list.value(forKeyPath: "\(key).@min.length") as? NSNumber)?.intValue == 1)
            #expect((list.value(forKeyPath: "\(key).@distinctUnionOfObjects.length") as? [Any])?.count == 2)
        }
        #expect(list.value(forKeyPath: "songs.length") as? NSOrderedSet == NSOrderedSet(array: [2, 1]))
        #expect(list.value(forKeyPath: "favourites.length") as? NSSet == NSSet(array: [1, 2]))
        #expect(try list.codedValue(forKeyPath: "favourites.playlist.name") as? NSSet == NSSet())
        let lengths = try #require((list.value(forKey: "songs") as? NSOrderedSet)?.value(forKey: "length"))
        #expect((lengths as? NSOrderedSet)?.array as? [Int] == [2, 1])
        #expect(
            NSArray(array: songs).value(forKeyPath: "playlist.name") as? [NSNull] == [
                .init(), .init(), .init(), .init(),
            ])
        NSSet(array: songs).setValue(7, forKey: "length")
        #expect((NSArray(array: songs).value(forKeyPath: "@avg.length") as? NSNumber)?.intValue == 7)
        let error = #expect(throws: UnknownKeyError.self) { try list.codedValue(forKeyPath: "songs.@max.lenght") }
        #expect(error?.key == "lenght" && error?.suggestion == "length")
        let step = #expect(throws: UnknownKeyError.self) { try list.setCodedValue(1, forKeyPath: "sogns.length") }
        #expect(step?.key == "sogns" && step?.suggestion == "songs")
    }

    // MARK: Plain values

    struct PowerCard: Codable, Equatable {
        enum Level: Int32, Codable {
            case low = 1
            case high = 2
        }
        var name: String?
        var level: Level
    }

    struct HeroCard: Codable, Equatable {
        var name: String?
        var strength: Int16
        var birthDate: Date?
        var nemesis: Rival?
        var powers: [PowerCard]
        struct Rival: Codable, Equatable { var name: String }
    }

    @Test("an object and what it is related to become a plain value (KVC-20)", arguments: StoreKind.all)
    func plainValueOfObject(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = try #require(stack.context.insert("Hero", ["name": "Ann", "strength": 4]) as? Hero)
        hero.birthDate = Date(timeIntervalSinceReferenceDate: 1.5)
        hero.nemesis = stack.context.insert("Hero", ["name": "Bob"]) as? Hero
        stack.context.insert("Power", ["name": "flight", "level": 2, "hero": hero])
        let card = HeroCard(
            name: "Ann", strength: 4, birthDate: hero.birthDate, nemesis: .init(name: "Bob"),
            powers: [.init(name: "flight", level: .high)])
        #expect(try hero.decoded() == card)
        #expect(throws: DecodingError.self) { try hero.decoded(as: [String: Int].self) }
        struct Wrong: Decodable { var nmae: String }
        let error = #expect(throws: DecodingError.self) { try hero.decoded(as: Wrong.self) }
        #expect("\(try #require(error))".contains("nmae"))
    }

    @Test("a plain value's properties are set on an object, all or none (KVC-20)", arguments: StoreKind.all)
    func objectFromPlainValue(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let power = try #require(stack.context.insert("Power") as? Power)
        try power.update(from: PowerCard(name: "flight", level: .high))
        #expect(power.name == "flight" && power.level == 2)
        struct Wrong: Encodable {
            var name = "other"
            var level = "high"
        }
        let wrong = #expect(throws: ValuesError.self) { try power.update(from: Wrong()) }
        #expect(wrong?.errors.count == 1 && (wrong?.errors["level"] as? ValueRejection)?.code == .unacceptableType)
        struct Unknown: Encodable {
            var name = "other"
            var levle = 1
        }
        let unknown = #expect(throws: ValuesError.self) { try power.update(from: Unknown()) }
        #expect((unknown?.errors["levle"] as? UnknownKeyError)?.suggestion == "level" && power.name == "flight")
        let related = #expect(throws: ValuesError.self) {
            try stack.context.insert("Hero").update(from: ["powers": "x"])
        }
        #expect(related.map { Set($0.errors.keys) } == ["powers"])
    }

    /// A plain value that encodes itself as a test says.
    private struct Encoded: Encodable {
        enum Key: String, CodingKey {
            case name
            case level
        }
        let body: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    @Test("a property that is encoded as a list or as parts is refused by its key, with all others (KVC-20)")
    func nestedContainersAreRefused() throws {
        let stack = try HeroModel.stack(.inMemory)
        let power = try #require(stack.context.insert("Power", ["name": "flight"]) as? Power)
        let nested = Encoded { encoder in
            var container = encoder.container(keyedBy: Encoded.Key.self)
            var parts = container.nestedContainer(keyedBy: Encoded.Key.self, forKey: .name)
            try parts.encode("x", forKey: .name)
            try parts.encodeNil(forKey: .level)
            var list = parts.nestedUnkeyedContainer(forKey: .level)
            try list.encode(1)
            var levels = container.nestedUnkeyedContainer(forKey: .level)
            try levels.encodeNil()
            _ = levels.nestedContainer(keyedBy: Encoded.Key.self)
            _ = levels.nestedUnkeyedContainer()
            try "x".encode(to: levels.superEncoder())
        }
        let error = #expect(throws: ValuesError.self) { try power.update(from: nested) }
        #expect(error.map { Set($0.errors.keys) } == ["name", "level"])
        let rejection = error?.errors["level"] as? ValueRejection
        #expect(rejection?.code == .unacceptableType && rejection?.description.contains("list") == true)
        #expect(power.name == "flight")
    }

    @Test("a superclass that encodes itself into an encoder of its own sets its properties too (KVC-20)")
    func superclassIsEncoded() throws {
        let stack = try HeroModel.stack(.inMemory)
        let power = try #require(stack.context.insert("Power") as? Power)
        let inherited = Encoded { encoder in
            var container = encoder.container(keyedBy: Encoded.Key.self)
            try container.encode("flight", forKey: .name)
            var other = container.superEncoder().container(keyedBy: Encoded.Key.self)
            try other.encode(2, forKey: .level)
        }
        try power.update(from: inherited)
        #expect(power.name == "flight" && power.level == 2)
    }

    @Test("a list and a single value, which have no properties, are refused (KVC-20)")
    func valuesWithoutPropertiesAreRefused() throws {
        let stack = try HeroModel.stack(.inMemory)
        let power = try #require(stack.context.insert("Power", ["name": "flight"]) as? Power)
        let list = #expect(throws: EncodingError.self) { try power.update(from: ["a", "b"]) }
        #expect(list.map { "\($0)".contains("A list") } == true)
        #expect(throws: EncodingError.self) { try power.update(from: [String]()) }
        #expect(throws: EncodingError.self) { try power.update(from: "name") }
        #expect(throws: EncodingError.self) { try power.update(from: Int?.none) }
        #expect(power.name == "flight")
    }

    @Test("values are set in bulk, all or none, and each bad key is named (KVC-20)", arguments: StoreKind.all)
    func valuesInBulk(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let (hero, team) = (stack.context.insert("Hero"), stack.context.insert("Team"))
        try hero.setValues(["name": "Ann", "strength": 7, "birthDate": nil, "teams": NSSet(object: team)])
        #expect(hero.value(forKey: "name") as? String == "Ann" && hero.value(forKey: "strength") as? Int == 7)
        #expect(team.value(forKey: "members") as? NSSet == NSSet(object: hero))
        let error = #expect(throws: ValuesError.self) {
            try hero.setValues([
                "nmae": "Bob", "strength": 40_000, "birthDate": "yesterday", "teams": [hero], "title": "none",
                "nemesis": 5, "name": "Bob",
            ])
        }
        let errors = try #require(error).errors
        #expect(Set(errors.keys) == ["nmae", "strength", "birthDate", "teams", "title", "nemesis"])
        #expect((errors["nmae"] as? UnknownKeyError)?.suggestion == "name")
        #expect((errors["strength"] as? ValueRejection)?.code == .outOfRange)
        #expect((errors["birthDate"] as? ValueRejection)?.code == .unacceptableType)
        #expect((errors["title"] as? ValueRejection)?.code == .readOnly)
        #expect(hero.value(forKey: "name") as? String == "Ann" && hero.value(forKey: "strength") as? Int == 7)
        let bridged = try #require(error) as NSError
        #expect(bridged.domain == NSCocoaErrorDomain && bridged.code == NSValidationMultipleErrorsError)
        #expect((bridged.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 6)
        // Which keys there are may be told, values may not.
        #expect(!bridged.localizedDescription.contains("yesterday"))
        try hero.setValues(["name": NSNull(), "teams": NSNull()])
        #expect(hero.value(forKey: "name") == nil && (hero.value(forKey: "teams") as? NSSet)?.count == 0)
    }

    // MARK: Making objects

    @Test("an object made without an entity is reported when it is made, and the process goes on (OBJ-03)")
    func objectWithoutEntity() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let unclaimed = Power()
            #expect(unclaimed.managedObjectContext == nil && unclaimed.entity.name == "Power")
            #expect(Power.entity() === unclaimed.entity && Power.fetchRequest().entityName == "Power")
            let stack = try HeroModel.stack(.inMemory)
            let power = Power()
            power.name = "flight"
            stack.context.insert(power)
            try stack.context.save()
            #expect(try stack.context.all("Power").count == 1 && Power.entity() === stack.model.entitiesByName["Power"])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let creation = "Failed to call designated initializer on NSManagedObject class 'Power'"
        #expect(text.components(separatedBy: creation).count == 3)
        let claim = "No NSEntityDescriptions in any model claim the NSManagedObject subclass 'Power'"
        #expect(text.components(separatedBy: claim).count == 3)
    }

    @Test("a property of an object without an entity stops (OBJ-03)")
    func propertyWithoutEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Power().name
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Entity 'Power' has no property"))
    }

    @Test("without a coordinator the message names the entity (OBJ-04)", arguments: [true, false])
    func contextWithoutModel(byName: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [byName] in
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            if !byName { _ = Power(context: context) }
            _ = NSEntityDescription.insertNewObject(forEntityName: "Power", into: context)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("could not locate an NSManagedObjectModel for entity name 'Power'"))
    }

    @Test("a class of several entities is made for one by its entity, and not by its context alone (OBJ-02)")
    func classOfSeveralEntities() async throws {
        let builder = ModelBuilder()
        builder.entity("Single", class: "StoreContractTests.Song", ["name": .stringAttributeType])
        builder.entity("Track", class: "StoreContractTests.Song", ["name": .stringAttributeType])
        let stack = try Stack(builder.model, kind: .inMemory)
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Track", in: stack.context))
        #expect(Song(entity: entity, insertInto: stack.context).entity.name == "Track")
        #expect(stack.context.insert("Single") is Song)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let builder = ModelBuilder()
            builder.entity("Single", class: "StoreContractTests.Song", ["name": .stringAttributeType])
            builder.entity("Track", class: "StoreContractTests.Song", ["name": .stringAttributeType])
            _ = Song(context: try Stack(builder.model, kind: .inMemory).context)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(": Single, Track."))
    }
}
