import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct OwnRuleTests {
    private func hero(_ context: NSManagedObjectContext) throws -> GuardedHero {
        try #require(context.insert("Hero") as? GuardedHero)
    }

    @Test("validation on demand gives the error of a save and sets nothing (VAL-10, VAL-21)", arguments: StoreKind.all)
    func onDemand(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let hero = try hero(context)
        for (key, bad) in [
            ("name", "" as Any?), ("salary", -1), ("level", 12), ("address", "abc"),
            ("birthDate", Date(timeIntervalSinceNow: 9000)), ("hired", Date(timeIntervalSinceReferenceDate: -5)),
        ] {
            var proposed = bad.map { $0 as AnyObject }
            let before = hero.value(forKey: key) as AnyObject?
            let onDemand = #expect(throws: NSError.self) { try hero.validateValue(&proposed, forKey: key) }
            #expect(hero.value(forKey: key) as? NSObject == before as? NSObject)
            hero.setValue(bad, forKey: key)
            let atSave = context.failuresOfSave().first {
                $0.userInfo[NSValidationKeyErrorKey] as? String != "initials"
            }
            #expect(onDemand?.code == atSave?.code && onDemand?.domain == atSave?.domain, "\(key)")
            // VAL-21: the page shows the same text.
            #expect(onDemand?.localizedDescription == atSave?.localizedDescription)
            #expect(onDemand?.localizedFailureReason == atSave?.localizedFailureReason)
            hero.setValue(before, forKey: key)
        }
        #expect(context.failuresOfSave() == [])
    }

    @Test("every form of the call, with values that pass (VAL-10)", arguments: StoreKind.all)
    func everyForm(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let hero = try hero(context)
        var object: AnyObject? = "13105559450" as NSString
        try hero.validateValue(&object, forKey: "phone")
        #expect(object as? String == "+1 (310) 555 9450")
        var value: Any? = "13105559450"
        try hero.validateValue(&value, forKey: "phone")
        #expect(value as? String == "+1 (310) 555 9450")
        var pointed: AnyObject? = "drop" as NSString
        try withUnsafeMutablePointer(to: &pointed) {
            try hero.validateValue(AutoreleasingUnsafeMutablePointer($0), forKey: "phone")
        }
        #expect(pointed == nil)
        #expect(hero.value(forKey: "phone") == nil)
        var title: Any? = "Dr."
        expectError(3328) { try hero.validateValue(&title, forKey: "title") }
    }

    @Test("a proposed value of another type is an error with a code of the family (VAL-10)", arguments: StoreKind.all)
    func wrongTypes(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity(
            "Item", ["place": .URIAttributeType, "made": .dateAttributeType, "count": .integer16AttributeType])
        builder.entity("Other")
        builder.relationships("Item.parts*", "Item.whole")
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        let (item, other) = (context.insert("Item"), context.insert("Other"))
        let cases: [(String, Any, Int)] = [
            ("place", "not a URI", 1690), ("made", "today", 1650), ("count", "three", 1550), ("count", 70000, 1610),
            ("whole", other, 1550), ("whole", "item", 1550), ("parts", NSSet(object: other), 1550), ("parts", 3, 1550),
        ]
        for (key, bad, code) in cases {
            var value: Any? = bad
            let error = #expect(throws: NSError.self) { try item.validateValue(&value, forKey: key) }
            #expect(error?.code == code && error?.domain == NSCocoaErrorDomain, "\(key)")
        }
        let good: [(String, Any)] = [
            ("place", URL(fileURLWithPath: "/a")), ("made", Date()), ("count", 3), ("whole", item),
            ("parts", NSSet(object: item)),
        ]
        for (key, value) in good {
            var value: Any? = value
            try item.validateValue(&value, forKey: key)
        }
    }

    @Test("an unknown key stops with the nearest one (VAL-10)")
    func unknownKeyStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let hero = try ValidationModel.stack(.inMemory).context.insert("Hero")
            var value: Any? = 1
            try hero.validateValue(&value, forKey: "nmae")
        }
        #expect(result.standardErrorText.contains("nmae"))
    }

    @Test("a birth date in the future is refused by the rule of its key (VAL-11)", arguments: StoreKind.all)
    func birthDateRule(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let hero = try hero(context)
        hero.setValue(Date(timeIntervalSinceNow: 86_400), forKey: "birthDate")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.domain == "com.oz-apps.SuperDB.HeroValidationDomain" && error?.code == 1000)
        #expect(error?.localizedDescription == "Birthdate cannot be in the future")
        // VAL-19: an error of the program's own is what it was.
        #expect(error?.userInfo.count == 2 && error?.userInfo["place"] as? String == "Earth")
        hero.setValue(nil, forKey: "birthDate")
        #expect(context.failuresOfSave() == [])
    }

    @Test("a corrected value is set, tracked and saved (VAL-12)", arguments: StoreKind.all)
    func correctionIsSaved(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let hero = try hero(stack.context)
        hero.setValue("13105559450", forKey: "phone")
        #expect(stack.context.failuresOfSave() == [])
        #expect(hero.value(forKey: "phone") as? String == "+1 (310) 555 9450" && !stack.context.hasChanges)
        #expect(
            hero.log == ["willSave", "birthDate", "name", "phone", "insert", "willSave"]
                + ["birthDate", "name", "phone", "insert"])
        hero.setValue("drop", forKey: "phone")
        #expect(stack.context.failuresOfSave() == [])
        #expect(try stack.reopened().context.all("Hero").map { $0.value(forKey: "phone") == nil } == [true])
    }

    @Test("an equal value in another object is not a correction (VAL-12)", arguments: StoreKind.all)
    func equalIsNotCorrection(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let hero = try hero(context)
        hero.setValue("same", forKey: "phone")
        #expect(context.failuresOfSave() == [])
        #expect(hero.log.filter { $0 == "willSave" }.count == 1)
    }

    @Test("a corrected relationship keeps its inverse (VAL-12)", arguments: StoreKind.all)
    func correctedRelationship(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let (hero, other) = (try hero(stack.context), try hero(stack.context))
        hero.setValue(hero, forKey: "guardian")
        hero.substitute = other
        #expect(stack.context.failuresOfSave() == [])
        #expect(hero.value(forKey: "guardian") as? NSManagedObject === other)
        #expect(other.value(forKey: "wards") as? Set<NSManagedObject> == [hero])
        #expect(hero.value(forKey: "wards") as? Set<NSManagedObject> == [])
        let found = try stack.reopened().context.all("Hero", NSPredicate(format: "guardian != nil"))
        #expect(found.count == 1 && (found[0].value(forKey: "guardian") as? NSManagedObject) !== found[0])
    }

    @Test(
        "a correction to a value of another type is an error; earlier corrections stay (VAL-12)",
        arguments: StoreKind.all)
    func correctionOfAnotherType(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let (first, second) = (try hero(context), try hero(context))
        first.setValue("13105559450", forKey: "phone")
        second.setValue("5", forKey: "phone")
        let failures = context.failuresOfSave()
        #expect(failures.map(\.code) == [NSManagedObjectValidationError])
        #expect(failures.first?.userInfo[NSValidationKeyErrorKey] as? String == "phone")
        #expect(first.value(forKey: "phone") as? String == "+1 (310) 555 9450")
        #expect(second.value(forKey: "phone") as? String == "5" && second.isInserted)
        second.setValue(nil, forKey: "phone")
        #expect(context.failuresOfSave() == [])
    }
}
