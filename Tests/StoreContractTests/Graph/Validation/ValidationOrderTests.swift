import CoreData
import StoreContract
import Testing

@Suite struct ValidationOrderTests {
    private func hero(_ context: NSManagedObjectContext, _ name: String = "Ann") throws -> GuardedHero {
        try #require(context.insert("Hero", ["name": name]) as? GuardedHero)
    }

    @Test(
        "willSave, then the rules of each object, new before changed before deleted ones (VAL-14)",
        arguments: StoreKind.all)
    func orderOfCalls(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let (deleted, updated) = (try hero(context), try hero(context))
        try context.save()
        var order: [String] = []
        context.delete(deleted)
        updated.name = "Bob"
        let inserted = try hero(context)
        for hero in [deleted, updated, inserted] { hero.log = [] }
        for hero in [updated, inserted] { hero.whenValidated = { order.append(hero.isInserted ? "insert" : "update") } }
        try context.save()
        #expect(inserted.log == ["willSave", "birthDate", "name", "phone", "insert"])
        // Rules of all properties: a value that was not changed can be broken too.
        #expect(updated.log == ["willSave", "birthDate", "name", "phone", "update"])
        #expect(deleted.log == ["willSave", "delete"])
        #expect(order == ["insert", "update"])
        for hero in [updated, inserted] { hero.whenValidated = nil }
    }

    @Test(
        "rules over several properties for insertion and update, and their merged errors (VAL-14)",
        arguments: StoreKind.all)
    func rulesOverSeveralProperties(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        func codes() -> [Int] { context.failuresOfSave().map(\.code) }
        let person = context.insert("Person", ["name": "", "secretIdentity": nil, "age": 30])
        #expect(codes() == [1001])
        person.setValue(-1, forKey: "age")
        #expect(codes() == [1620, 1001, 1002])
        person.setValue("Ann", forKey: "name")
        person.setValue(17, forKey: "age")
        #expect(codes() == [1002])
        person.setValue(context.insert("Person", ["secretIdentity": "Mum", "age": 40]), forKey: "guardian")
        #expect(codes() == [])
        person.setValue(nil, forKey: "name")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == 1001 && error?.localizedDescription == "Must provide name or secret identity.")
        person.setValue("Ann", forKey: "name")
        person.setValue(4, forKey: "age")
        #expect(codes() == [])
        context.delete(person)
        #expect(codes() == [1003])
        #expect(person.isDeleted)
        context.rollback()
        person.setValue(5, forKey: "age")
        #expect(codes() == [])
        context.delete(person)
        #expect(codes() == [])
        #expect(try stack.reopened().context.all("Person").count == 1)
    }

    @Test("willSave that always changes ends after the fixed number of passes (VAL-13)", arguments: StoreKind.all)
    func endlessWillSaveEnds(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        try hero(context, "calm").log = []
        let hero = try hero(context)
        hero.changesInWillSave = (0..<1000).map { number in { hero.name = "n\(number)" } }
        let error = #expect(throws: NSError.self) { try context.save() }
        hero.changesInWillSave = []
        #expect(
            error?.localizedDescription.hasPrefix(
                "Failed to process pending changes before save. The context is still dirty after 100 attempts") == true)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === hero)
        #expect(error?.localizedFailureReason?.contains("name") == true)
        #expect(hero.log.filter { $0 == "willSave" }.count == NSManagedObjectContext.savePreparationLimit)
        #expect(try stack.newContext().all("Hero").isEmpty)
        #expect(context.failuresOfSave() == [])
        #expect(try stack.newContext().all("Hero").count == 2)
    }

    @Test(
        "a rule that always changes ends too, as does willSave that always inserts (VAL-13)", arguments: StoreKind.all)
    func endlessRuleEnds(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let hero = try hero(context)
        hero.setValue("flip", forKey: "phone")
        let error = context.failuresOfSave().first
        #expect(error?.localizedDescription.contains("after 100 attempts") == true)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === hero)
        hero.setValue(nil, forKey: "phone")
        hero.changesInWillSave = (0..<1000).map { _ in { context.insert("Team") } }
        #expect(context.failuresOfSave() == [])
        hero.changesInWillSave = []
        #expect(try context.all("Team").count == 1)
    }

    @Test("willSave is called again for those that it changed, and for no others (VAL-13)", arguments: StoreKind.all)
    func willSaveIsCalledAgain(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let (one, two, three) = (try hero(context), try hero(context), try hero(context))
        try context.save()
        for hero in [one, two, three] { hero.log = [] }
        one.name = "one"
        three.name = "three"
        one.changesInWillSave = [{ two.name = "two" }, { one.setPrimitiveValue("quiet", forKey: "secretIdentity") }]
        two.changesInWillSave = [{ one.name = "uno" }]
        #expect(context.failuresOfSave() == [])
        #expect([one, two, three].map { $0.log.filter { $0 == "willSave" }.count } == [2, 1, 1])
        let saved = try stack.reopened().context.all("Hero", sortedBy: "name")
        #expect(saved.map { $0.value(forKey: "name") as? String } == ["three", "two", "uno"])
        #expect(saved.map { $0.value(forKey: "secretIdentity") as? String } == ["Unknown", "Unknown", "quiet"])
    }

    @Test("objects that delete rules changed are notified of the save (VAL-13)", arguments: StoreKind.all)
    func cascadedAreNotified(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let mentor = try #require(context.insert("Hero", ["name": "M"]) as? Hero)
        let power = context.insert("Power", ["name": "P", "hero": mentor])
        try context.save()
        let student = try #require(context.insert("Hero", ["name": "S", "mentor": mentor]) as? Hero)
        try context.save()
        for hero in [mentor, student] { hero.log = [] }
        context.delete(mentor)
        try context.save()
        #expect(mentor.log.prefix(3) == ["delete", "willSave", "didSave"])
        // What the delete rules changed is told of the save like the rest.
        #expect(student.log.prefix(2) == ["willSave", "didSave"])
        #expect(power.managedObjectContext == nil)
    }

    @Test(
        "an object that is inserted and deleted again is neither notified nor validated (VAL-14)",
        arguments: StoreKind.all)
    func cancelledInsertionIsNotValidated(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let (gone, kept) = (try hero(context, ""), try hero(context))
        context.delete(gone)
        gone.log = []
        #expect(context.failuresOfSave() == [])
        #expect(gone.log == [] && !kept.isInserted)
    }

    @Test("a save within a save is refused, and the outer one goes on (VAL-13)", arguments: StoreKind.all)
    func saveWithinSave(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let hero = try hero(stack.context)
        var inner: [Int] = []
        let context = stack.context
        hero.changesInWillSave = [{ inner = context.failuresOfSave().map(\.code) }]
        #expect(context.failuresOfSave() == [])
        hero.changesInWillSave = []
        #expect(inner == [132001])
        #expect(try stack.newContext().all("Hero").count == 1)
    }
}
