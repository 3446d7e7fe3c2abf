import CoreData
import StoreContract
import Testing

/// Fetched properties on the heroes of the SuperDB fixture.
@Suite struct FetchedPropertyTests {
    /// A stack whose store has the fixture.
    private func heroes(_ kind: StoreKind, _ further: String = "") throws -> Stack {
        let stack = try Stack(try SuperDB.model(further), kind: kind)
        SuperDB.fill(stack.context)
        try stack.context.save()
        return try stack.reopened()
    }

    private func hero(_ name: String, in context: NSManagedObjectContext) throws -> SuperDBHero {
        let found = try context.all("Hero", NSPredicate(format: "name == %@", name))
        return try #require(found.first as? SuperDBHero)
    }

    private func names(_ hero: NSManagedObject, _ key: String) throws -> [String] {
        let objects = try #require(hero.value(forKey: key) as? [NSManagedObject])
        return objects.map { $0.value(forKey: "name") as? String ?? "nil" }
    }

    /// Expects the four reports of every hero to be those of the fixture.
    private func expectReports(_ context: NSManagedObjectContext) throws {
        for row in SuperDB.rows {
            let hero = try hero(row.name, in: context)
            #expect(try names(hero, "olderHeroes").sorted() == row.older, "\(row.name)")
            #expect(try names(hero, "youngerHeroes").sorted() == row.younger, "\(row.name)")
            #expect(try names(hero, "sameSexHeroes").sorted() == row.sameSex, "\(row.name)")
            #expect(try names(hero, "oppositeSexHeroes").sorted() == row.oppositeSex, "\(row.name)")
        }
    }

    @Test("the reports of the fixture, out of the store (SAMPLE-05)", arguments: StoreKind.all)
    func reportsOfTheFixture(kind: StoreKind) throws {
        let stack = try heroes(kind)
        try expectReports(stack.context)
    }

    @Test("the reports of heroes that are not saved yet (SAMPLE-05)", arguments: StoreKind.all)
    func reportsOfUnsavedHeroes(kind: StoreKind) throws {
        let stack = try Stack(try SuperDB.model(), kind: kind)
        SuperDB.fill(stack.context)
        try expectReports(stack.context)
    }

    @Test("the reports in a child context (SAMPLE-05)", arguments: StoreKind.all)
    func reportsInAChildContext(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        try child.performAndWait { try expectReports(child) }
    }

    @Test("two heroes without sex are of the same sex (SAMPLE-05)", arguments: StoreKind.all)
    func nothingIsTheSameAsNothing(kind: StoreKind) throws {
        let stack = try heroes(kind)
        stack.context.insert("Hero", ["name": "Fog"])
        try stack.context.save()
        let echo = try hero("Echo", in: stack.context)
        #expect(try names(echo, "sameSexHeroes") == ["Fog"])
        #expect(try names(echo, "oppositeSexHeroes").sorted() == ["Alpha", "Bolt", "Cinder", "Dusk"])
    }

    @Test(
        "it is read by key and as a typed property, and both give the same objects (FET-21)", arguments: StoreKind.all)
    func readByKeyAndTyped(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let cinder = try hero("Cinder", in: stack.context)
        #expect(Set(cinder.olderHeroes) == Set(try #require(cinder.value(forKey: "olderHeroes") as? [SuperDBHero])))
        #expect(cinder.olderHeroes.count == 3)
    }

    @Test("setting it is an error (FET-21)", arguments: StoreKind.all)
    func settingIsAnError(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let alpha = try hero("Alpha", in: stack.context)
        #expect(throws: ValueRejection.self) { try alpha.setCodedValue([NSManagedObject](), forKey: "olderHeroes") }
        #expect(!alpha.hasChanges)
    }

    @Test("setting it by key stops the program with its name (FET-21)") func settingByKeyStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(try SuperDB.model())
            stack.context.insert("Hero").setValue([NSManagedObject](), forKey: "olderHeroes")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("olderHeroes") && text.contains("is a fetched property"), "\(text.prefix(600))")
    }

    @Test("the result is kept until the owner is refreshed (FET-22)", arguments: StoreKind.all)
    func keptUntilRefreshed(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let alpha = try hero("Alpha", in: stack.context)
        #expect(try names(alpha, "olderHeroes") == ["Bolt"])
        stack.context.insert("Hero", ["name": "Gale", "birthDate": Date(timeIntervalSinceReferenceDate: -900_000_000)])
        #expect(try names(alpha, "olderHeroes") == ["Bolt"])
        try stack.context.save()
        #expect(try names(alpha, "olderHeroes") == ["Bolt"])
        stack.context.refresh(alpha, mergeChanges: false)
        #expect(try names(alpha, "olderHeroes").sorted() == ["Bolt", "Gale"])
    }

    @Test("refreshing with changes reads it again too (FET-22)", arguments: StoreKind.all)
    func refreshedWithChanges(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let alpha = try hero("Alpha", in: stack.context)
        #expect(try names(alpha, "olderHeroes") == ["Bolt"])
        alpha.setValue("Ann", forKey: "secretIdentity")
        stack.context.insert("Hero", ["name": "Gale", "birthDate": Date(timeIntervalSinceReferenceDate: -900_000_000)])
        stack.context.refresh(alpha, mergeChanges: true)
        #expect(try names(alpha, "olderHeroes").sorted() == ["Bolt", "Gale"])
        #expect(alpha.value(forKey: "secretIdentity") as? String == "Ann")
    }

    @Test("a live property follows changes, unsaved ones and those of others (FET-22)", arguments: StoreKind.all)
    func livePropertyFollows(kind: StoreKind) throws {
        let live = SuperDB.fetched(
            "elders", predicate: "$FETCH_SOURCE.birthDate &gt; birthDate", userInfo: ["Live": "YES"])
        let stack = try heroes(kind, live)
        let alpha = try hero("Alpha", in: stack.context)
        let property = try #require(alpha.entity.propertiesByName["elders"] as? NSFetchedPropertyDescription)
        #expect(property.isLive)
        #expect(try names(alpha, "elders") == ["Bolt"])
        let gale = stack.context.insert(
            "Hero", ["name": "Gale", "birthDate": Date(timeIntervalSinceReferenceDate: -900_000_000)])
        #expect(try names(alpha, "elders").sorted() == ["Bolt", "Gale"])
        stack.context.delete(gale)
        #expect(try names(alpha, "elders") == ["Bolt"])
        let other = stack.newContext()
        other.insert("Hero", ["name": "Hail", "birthDate": Date(timeIntervalSinceReferenceDate: -900_000_000)])
        try other.save()
        #expect(try names(alpha, "elders").sorted() == ["Bolt", "Hail"])
        alpha.setValue(Date(timeIntervalSinceReferenceDate: -850_000_000), forKey: "birthDate")
        #expect(try names(alpha, "elders") == ["Hail"])
    }

    @Test("order and limit of the user info are applied (FET-23)", arguments: StoreKind.all)
    func orderAndLimitOfTheUserInfo(kind: StoreKind) throws {
        let everybody = "TRUEPREDICATE"
        let further =
            SuperDB.fetched("ordered", predicate: everybody, userInfo: ["DisplayOrder": "-sex, name"])
            + SuperDB.fetched("firstTwo", predicate: everybody, userInfo: ["DisplayOrder": "-name", "FetchLimit": "2"])
            + SuperDB.fetched("noLimit", predicate: everybody, userInfo: ["FetchLimit": "-1"])
        let stack = try heroes(kind, further)
        let alpha = try hero("Alpha", in: stack.context)
        #expect(try names(alpha, "ordered") == ["Bolt", "Dusk", "Alpha", "Cinder", "Echo"])
        #expect(try names(alpha, "firstTwo") == ["Echo", "Dusk"])
        #expect(try names(alpha, "noLimit").count == 5)
    }

    @Test("order and limit of the model's fetch request are applied (FET-23)", arguments: StoreKind.all)
    func orderAndLimitOfTheRequest(kind: StoreKind) throws {
        let model = try SuperDB.model()
        let property = try #require(
            model.entitiesByName["Hero"]?.propertiesByName["oppositeSexHeroes"] as? NSFetchedPropertyDescription)
        let request = try #require(property.fetchRequest)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        request.fetchLimit = 2
        property.fetchRequest = request
        let stack = try Stack(model, kind: kind)
        SuperDB.fill(stack.context)
        try stack.context.save()
        #expect(try names(try hero("Alpha", in: stack.context), "oppositeSexHeroes") == ["Echo", "Dusk"])
    }

    @Test("an owner is left out by identity, though another has all its values (FET-24)", arguments: StoreKind.all)
    func ownerIsLeftOutByIdentity(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let alpha = try hero("Alpha", in: stack.context)
        let date = alpha.value(forKey: "birthDate")
        let twin = stack.context.insert("Hero", ["name": "Alpha", "sex": "Female", "birthDate": date])
        try stack.context.save()
        stack.context.refresh(alpha, mergeChanges: false)
        let same = try #require(alpha.value(forKey: "sameSexHeroes") as? [NSManagedObject])
        #expect(same.contains(twin) && !same.contains(alpha))
        for key in ["olderHeroes", "youngerHeroes"] {
            #expect(try !names(alpha, key).contains("Alpha"), "\(key)")
            #expect(try !names(twin, key).contains("Alpha"), "\(key)")
        }
    }

    @Test("the property's own description can be read in its predicate (FET-21, PRD-23)", arguments: StoreKind.all)
    func descriptionInThePredicate(kind: StoreKind) throws {
        let named = SuperDB.fetched(
            "chosen", predicate: "name == $FETCHED_PROPERTY.userInfo.chosen AND $FETCHED_PROPERTY.name == 'chosen'",
            userInfo: ["chosen": "Dusk"])
        let stack = try heroes(kind, named)
        let alpha = try hero("Alpha", in: stack.context)
        #expect(try names(alpha, "chosen") == ["Dusk"])
    }

    @Test(
        "a template is carried out afresh each time, and takes variables without the dollar sign (FET-25)",
        arguments: StoreKind.all)
    func templateIsCarriedOutAfresh(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let request = try #require(
            stack.model.fetchRequestFromTemplate(withName: "HeroesOfSex", substitutionVariables: ["SEX": "Female"]))
        #expect(try stack.context.fetch(request).count == 2)
        stack.context.insert("Hero", ["name": "Gale", "sex": "Female"])
        #expect(try stack.context.fetch(request).count == 3)
        try stack.context.save()
        #expect(try stack.context.fetch(request).count == 3)
        let template = try #require(stack.model.fetchRequestTemplate(forName: "HeroesOfSex"))
        #expect(template.predicate == NSPredicate(format: "sex == $SEX"))
    }

    @Test("a variable without a value is an error that names it (FET-25)", arguments: StoreKind.all)
    func missingVariableIsNamed(kind: StoreKind) throws {
        let stack = try heroes(kind)
        for variables in [[:], ["$SEX": "Female"], ["sex": "Female"]] {
            let request = try #require(
                stack.model.fetchRequestFromTemplate(withName: "HeroesOfSex", substitutionVariables: variables))
            let error = #expect(throws: (any Error).self) { try stack.context.fetch(request) }
            #expect("\(String(describing: error))".contains("$SEX"), "\(variables): \(String(describing: error))")
        }
    }
}
