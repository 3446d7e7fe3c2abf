import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct KeyedAccessTests {
    @Test("keys and typed properties agree for attributes and relationships (KVC-01)", arguments: StoreKind.all)
    func keysAgreeWithProperties(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = try #require(stack.context.insert("Hero") as? Hero)
        let powers = [Power(context: stack.context), Power(context: stack.context)]
        hero.setValue("Ann", forKey: "name")
        hero.setValue(Int16(5), forKey: "strength")
        hero.setValue(NSSet(array: powers), forKey: "powers")
        hero.setValue(stack.context.insert("Hero"), forKey: "nemesis")
        #expect(hero.name == "Ann" && hero.strength == 5 && hero.powers == Set(powers))
        #expect(hero.nemesis === hero.value(forKey: "nemesis") as? Hero)
        #expect((hero.value(forKey: "powers") as? NSSet) == NSSet(array: powers))
        hero.setValue(Set([powers[0]]), forKey: "powers")
        #expect(hero.powers == [powers[0]])
        hero.setValue([powers[1]], forKey: "powers")
        #expect(hero.powers == [powers[1]])
        hero.setValue(nil, forKey: "powers")
        #expect(hero.powers.isEmpty)
        hero.setValue(NSNull(), forKey: "name")
        #expect(hero.name == nil)
    }

    @Test("an unknown key is an error that suggests the near one (KVC-02)", arguments: StoreKind.all)
    func unknownKeyThrowsWithSuggestion(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero")
        let error = #expect(throws: UnknownKeyError.self) { try hero.codedValue(forKey: "birthdate") }
        #expect(error?.suggestion == "birthDate")
        #expect(error?.description.contains("the entity Hero is not key value coding-compliant") == true)
        #expect(throws: UnknownKeyError.self) { try hero.setCodedValue(1, forKey: "strenght") }
    }

    @Test("an unknown key stops the unguarded accessors (KVC-02)", arguments: [true, false])
    func unknownKeyStops(reads: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [reads] in
            let hero = try HeroModel.stack().context.insert("Hero")
            if reads { _ = hero.value(forKey: "nonsense") } else { hero.setValue(1, forKey: "nonsense") }
        }
        #expect(
            result.standardErrorText.contains(
                "the entity Hero is not key value coding-compliant for the key \"nonsense\""))
    }

    @Test("a value of the wrong type is refused at once and nothing is stored (KVC-03)", arguments: StoreKind.all)
    func wrongTypeIsRefused(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero")
        let wrong: [(String, Any)] = [
            ("birthDate", "1999"), ("strength", "5"), ("name", 5), ("powers", 5), ("nemesis", "x"), ("nemesis", [hero]),
        ]
        for (key, value) in wrong {
            let before = "\(hero.value(forKey: key) ?? "nil")"
            let error = #expect(throws: ValueRejection.self) { try hero.setCodedValue(value, forKey: key) }
            #expect(error?.code == .unacceptableType && error?.entity == "Hero" && error?.key == key)
            #expect("\(hero.value(forKey: key) ?? "nil")" == before)
        }
    }

    @Test("the message names property, types and entity (KVC-03)", arguments: StoreKind.all)
    func wrongTypeMessage(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero")
        let error = #expect(throws: ValueRejection.self) { try hero.setCodedValue("1999", forKey: "birthDate") }
        #expect(
            error?.description
                == "Unacceptable type of value for attribute: property = \"birthDate\"; desired type = Date; "
                + "given type = String; entity = Hero.")
    }

    @Test("an object of another entity or context is refused (KVC-03)", arguments: StoreKind.all)
    func wrongObjectIsRefused(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero")
        let team = stack.context.insert("Team")
        #expect(throws: ValueRejection.self) { try hero.setCodedValue(team, forKey: "nemesis") }
        #expect(throws: ValueRejection.self) { try hero.setCodedValue([team], forKey: "powers") }
        let stranger = stack.newContext()
        #expect(throws: ValueRejection.self) { try hero.setCodedValue(stranger.insert("Hero"), forKey: "nemesis") }
    }

    @Test("a wrong type stops the unguarded setter (KVC-03)")
    func wrongTypeStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try HeroModel.stack().context.insert("Hero").setValue("1999", forKey: "birthDate")
        }
        #expect(result.standardErrorText.contains("birthDate"))
    }

    @Test("key paths read and write over relationships, and nil ends them (KVC-04)", arguments: StoreKind.all)
    func keyPathsCrossRelationships(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        let power = stack.context.insert("Power", ["hero": hero])
        #expect(power.value(forKeyPath: "hero.name") as? String == "Ann")
        power.setValue("Bob", forKeyPath: "hero.name")
        #expect(hero.value(forKey: "name") as? String == "Bob")
        #expect(power.value(forKeyPath: "hero.nemesis.name") == nil)
        #expect(hero.value(forKeyPath: "powers.@count") as? Int == 1)
        let error = #expect(throws: UnknownKeyError.self) { try power.codedValue(forKeyPath: "hero.nmae") }
        #expect(error?.key == "nmae" && error?.suggestion == "name")
    }

    @Test(
        "primitive values bypass the class's accessor and are saved with the object (KVC-08)",
        arguments: StoreKind.all)
    func primitiveValuesBypassAccessor(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = try #require(stack.context.insert("Hero") as? Hero)
        hero.setValue("clark", forKey: "secretIdentity")
        #expect(hero.secretIdentity == "CLARK")
        hero.setPrimitiveValue("clark", forKey: "secretIdentity")
        #expect(hero.value(forKey: "secretIdentity") as? String == "clark")
        try stack.context.save()
        let again = try #require(try stack.newContext().all("Hero").first)
        #expect(again.value(forKey: "secretIdentity") as? String == "clark")
    }

    @Test("a custom accessor fires the fault and marks the object changed (KVC-09)", arguments: StoreKind.all)
    func customAccessorFiresFault(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        stack.context.insert("Hero", ["secretIdentity": "x"])
        try stack.context.save()
        let context = stack.newContext()
        let hero = try #require(try context.all("Hero").first as? Hero)
        #expect(hero.secretIdentity == "X")
        #expect(!hero.isFault)
        hero.secretIdentity = "y"
        #expect(hero.isUpdated && context.hasChanges)
    }

    @Test("a computed key is read by its name and cannot be set (KVC-14)", arguments: StoreKind.all)
    func computedKeyIsReadOnly(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero", ["name": "Ann", "secretIdentity": "b"])
        #expect(hero.value(forKey: "title") as? String == "Ann (B)")
        let error = #expect(throws: ValueRejection.self) { try hero.setCodedValue("x", forKey: "title") }
        #expect(error?.code == .readOnly)
    }

    /// A class that reads an attribute in a way of its own and does not set it.
    final class Dated: NSManagedObject {
        override class var propertyTable: PropertyTable {
            PropertyTable([.custom("year", \Dated.year, get: { ($0 as? Dated)?.year })])
        }
        var year: Int { (primitiveValue(forKey: "year") as? NSNumber)?.intValue ?? -1 }
    }

    @Test("an attribute that the class only reads is set as the model has it (KVC-14)", arguments: StoreKind.all)
    func attributeThatTheClassOnlyReads(kind: StoreKind) throws {
        ObjectClassResolver.register(Dated.self, named: "KeyedAccessDated")
        let entity = NSEntityDescription()
        entity.name = "Dated"
        entity.managedObjectClassName = "KeyedAccessDated"
        let year = NSAttributeDescription()
        (year.name, year.attributeType, year.isOptional) = ("year", .integer32AttributeType, true)
        entity.properties = [year]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try Stack(model, kind: kind)
        let dated = try #require(stack.context.insert("Dated") as? Dated)
        #expect(dated.value(forKey: "year") as? Int == -1)
        dated.setValue(1999, forKey: "year")
        #expect(dated.year == 1999)
        try dated.setCodedValue(2001, forKey: "year")
        try stack.context.save()
        #expect((try stack.newContext().all("Dated").first as? Dated)?.year == 2001)
    }

    @Test("several keys at once (KVC-20)", arguments: StoreKind.all)
    func severalKeysAtOnce(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        let values = hero.dictionaryWithValues(forKeys: ["name", "birthDate"])
        #expect(values["name"] as? String == "Ann" && values["birthDate"] is NSNull)
        hero.setValuesForKeys(["name": NSNull(), "strength": 3])
        #expect(hero.value(forKey: "name") == nil && hero.value(forKey: "strength") as? Int == 3)
    }

    @Test(
        "the model's class is found with its module, and with a registered module without it (MOD-10)",
        arguments: StoreKind.all)
    func classIsFoundByName(kind: StoreKind) throws {
        ObjectClassResolver.register(module: "StoreContract")
        ObjectClassResolver.register(Nested.self, named: "Inner")
        let builder = ModelBuilder()
        for (name, className) in [
            ("A", "StoreContract.Power"), ("B", "Power"), ("C", ".Power"), ("D", "Inner"), ("E", ""),
        ] {
            builder.entity(name, class: className, ["name": .stringAttributeType])
        }
        let stack = try Stack(builder.model, kind: kind)
        let classes = "ABCDE".map { type(of: stack.context.insert(String($0))) }
        #expect(classes.map { "\($0)" } == ["Power", "Power", "Power", "Nested", "NSManagedObject"])
        try stack.context.save()
        #expect(try stack.newContext().all("B").first is Power)
    }

    @Test("a class that is not there is said once, and plain objects are made (MOD-11)")
    func missingClassFallsBack() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let builder = ModelBuilder()
            builder.entity("Ghost", class: "NoSuchGhost", ["name": .stringAttributeType])
            builder.entity("Specter", class: "NoSuchGhost", ["name": .stringAttributeType])
            let stack = try Stack(builder.model)
            guard type(of: stack.context.insert("Ghost")) == NSManagedObject.self else { exit(1) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.components(separatedBy: "Unable to load class named 'NoSuchGhost'").count == 2)
        #expect(text.contains("for entity"))
    }

    @Test("a type that is not a managed object's class is reported, and plain objects are made (MOD-11)")
    func wrongClassFallsBack() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let builder = ModelBuilder()
            builder.entity("Ghost", class: "StoreContractTests.Unmanaged", ["name": .stringAttributeType])
            let stack = try Stack(builder.model, kind: .inMemory)
            guard type(of: stack.context.insert("Ghost")) == NSManagedObject.self else { exit(1) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'StoreContractTests.Unmanaged' for entity 'Ghost'. It is not a subclass"))
    }

    @Test func objectOfAnUnrelatedClassStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try HeroModel.stack()
            guard let entity = NSEntityDescription.entity(forEntityName: "Hero", in: stack.context) else { return }
            _ = Power(entity: entity, insertInto: stack.context)
        }
        #expect(result.standardErrorText.contains("Objects of entity 'Hero' are of class Hero, not Power"))
    }

    @Test(arguments: StoreKind.all) func fetchTypedAsAnotherClassThrows(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        stack.context.insert("Hero")
        try stack.context.save()
        expectError(134060) { try stack.context.fetch(NSFetchRequest<Power>(entityName: "Hero")) }
        #expect(try stack.context.fetch(NSFetchRequest<NSFetchRequestResult>(entityName: "Hero")).count == 1)
    }

    final class Nested: NSManagedObject {}
}

/// A class that is no managed object's.
final class Unmanaged {}
