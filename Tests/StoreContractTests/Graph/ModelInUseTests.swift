import CoreData
import StoreContract
import Testing

@Suite("A model in use")
struct ModelInUseTests {
    /// The value that another context reads after it was set in one and saved.
    private func reread(_ kind: StoreKind, _ type: NSAttributeType, _ value: Any?) throws -> Any? {
        let builder = ModelBuilder()
        builder.entity("Item", ["value": type])
        let stack = try Stack(builder.model, kind: kind)
        stack.context.insert("Item", ["value": value])
        try stack.context.save()
        let again = try stack.reopened()
        return try again.context.all("Item").first?.value(forKey: "value")
    }

    @Test(
        "text of every script is read as it was set (MOD-17)", arguments: StoreKind.all,
        ["👩🏽‍🚀 🇮🇱", "שלום עולם", "日本語と中文", "e\u{301}\u{323}", "\u{0}a\u{FEFF}", ""])
    func textOfEveryScript(kind: StoreKind, text: String) throws {
        let read = try reread(kind, .stringAttributeType, text) as? String
        #expect(read.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }

    @Test("yes, no and nothing are three, and only yes is found by a comparison (MOD-18)", arguments: StoreKind.all)
    func booleansHaveThreeStates(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "flag": .booleanAttributeType])
        let stack = try Stack(builder.model, kind: kind)
        for (name, flag) in [("yes", true), ("no", false), ("none", nil)] as [(String, Bool?)] {
            stack.context.insert("Item", ["name": name, "flag": flag])
        }
        try stack.context.save()
        let context = try stack.reopened().context
        func names(_ format: String) throws -> [String] {
            try context.all("Item", NSPredicate(format: format)).compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(try names("flag == YES") == ["yes"])
        #expect(try names("flag == NO") == ["no"])
        #expect(try names("flag == nil") == ["none"])
        let values = try context.all("Item", sortedBy: "name").map { $0.value(forKey: "flag") as? Bool }
        #expect(values == [false, nil, true])
    }

    @Test("dates of every age come back to the fraction and sort by time (MOD-19)", arguments: StoreKind.all)
    func datesOfEveryAge(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["date": .dateAttributeType])
        let stack = try Stack(builder.model, kind: kind)
        let dates = [-3_000_000_000.125, -978_307_200.5, -0.001, 0, 0.25, 1_200_000_000.75, 60_000_000_000]
            .map(Date.init(timeIntervalSinceReferenceDate:))
        for date in dates.reversed() { stack.context.insert("Item", ["date": date]) }
        try stack.context.save()
        let context = try stack.reopened().context
        #expect(try context.all("Item", sortedBy: "date").map { $0.value(forKey: "date") as? Date } == dates)
        let early = NSPredicate(format: "date < %@", dates[3] as NSDate)
        #expect(try context.all("Item", early).count == 3)
    }

    @Test("an object knows its entity though others share its class (MOD-07)", arguments: StoreKind.all)
    func objectKnowsItsEntity(kind: StoreKind) throws {
        let builder = ModelBuilder()
        let names = ["A", "B", "C"]
        for name in names { builder.entity(name, class: "StoreContract.Power", ["name": .stringAttributeType]) }
        let stack = try Stack(builder.model, kind: kind)
        for name in names { stack.context.insert(name, ["name": name]) }
        try stack.context.save()
        let context = try stack.reopened().context
        for name in names {
            let object = try #require(try context.all(name).first)
            #expect(object is Power && object.entity.name == name)
        }
    }

    @Test("two to-many ends list each other without anything else in the model (MOD-29)", arguments: StoreKind.all)
    func toManyEndsNeedNoJoinEntity(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Student", ["name": .stringAttributeType])
        builder.entity("Course", ["name": .stringAttributeType])
        builder.relationships("Student.courses*", "Course.students*")
        let stack = try Stack(builder.model, kind: kind)
        let courses = ["x", "y"].map { stack.context.insert("Course", ["name": $0]) }
        let students = ["a", "b", "c"].map { stack.context.insert("Student", ["name": $0]) }
        for student in students { student.setValue(NSSet(array: courses), forKey: "courses") }
        try stack.context.save()
        let context = try stack.reopened().context
        #expect(try context.all("Course").allSatisfy { ($0.value(forKey: "students") as? NSSet)?.count == 3 })
        #expect(try context.all("Student").allSatisfy { ($0.value(forKey: "courses") as? NSSet)?.count == 2 })
        #expect(builder.model.entities.count == 2 && builder["Student"].attributesByName.count == 1)
    }

    @Test("an author who is added to a book has the book (MOD-41)", arguments: StoreKind.all)
    func authorHasTheBook(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity(
            "Book",
            ["pageCount": .integer32AttributeType, "synopsis": .stringAttributeType, "title": .stringAttributeType])
        builder.entity("Author", ["firstName": .stringAttributeType, "lastName": .stringAttributeType])
        builder.relationships("Book.authors*", "Author.books*")
        let stack = try Stack(builder.model, kind: kind)
        let book = stack.context.insert("Book", ["title": "T", "pageCount": 7])
        let author = stack.context.insert("Author", ["lastName": "L"])
        book.setValue(NSSet(array: [author]), forKey: "authors")
        #expect(author.value(forKey: "books") as? Set<NSManagedObject> == [book])
        try stack.context.save()
        let read = try #require(try stack.reopened().context.all("Author").first)
        #expect((read.value(forKey: "books") as? Set<NSManagedObject>)?.first?.value(forKey: "title") as? String == "T")
    }

    @Test("from a context the way leads to the model, and to a second context (MOD-40)", arguments: StoreKind.all)
    func contextLeadsToTheModel(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        #expect(stack.context.persistentStoreCoordinator?.managedObjectModel === stack.model)
        let second = NSManagedObjectContext(.privateQueue)
        second.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        #expect(try second.all("Hero").count == 1)
    }

    @Test("an object's entity says what a key is (MOD-39)", arguments: StoreKind.all)
    func entityNamesKindOfKey(kind: StoreKind) throws {
        let model = HeroModel.make()
        let peers = NSFetchedPropertyDescription()
        peers.name = "peers"
        peers.fetchRequest = NSFetchRequest(entityName: "Hero")
        model.entitiesByName["Hero"]?.properties.append(peers)
        let stack = try Stack(model, kind: kind)
        let entity = stack.context.insert("SuperHero", ["name": "A"]).entity
        #expect(entity.attributesByName["name"]?.defaultValue as? String == "Untitled Hero")
        #expect(entity.attributesByName["cape"]?.attributeType == .booleanAttributeType)
        #expect(entity.relationshipsByName["powers"]?.destinationEntity?.name == "Power")
        #expect(entity.propertiesByName["peers"] is NSFetchedPropertyDescription)
        #expect(entity.attributesByName["peers"] == nil && entity.propertiesByName["none"] == nil)
    }

    @Test(
        "an entity without a class makes plain objects though a class has its name (MOD-10)", arguments: StoreKind.all)
    func blankClassIsPlain(kind: StoreKind) throws {
        ObjectClassResolver.register(module: "StoreContract")
        let builder = ModelBuilder()
        builder.entity("Power", class: "", ["name": .stringAttributeType])
        let stack = try Stack(builder.model, kind: kind)
        #expect(type(of: stack.context.insert("Power")) == NSManagedObject.self)
    }

    @Test("objects of merged models live in one store (MOD-05)", arguments: StoreKind.all)
    func mergedModelsShareAStore(kind: StoreKind) throws {
        let (one, other) = (ModelBuilder(), ModelBuilder())
        one.entity("Song", ["title": .stringAttributeType])
        other.entity("Visit", ["place": .stringAttributeType])
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Visit")
        request.entity = other["Visit"]
        request.predicate = NSPredicate(format: "place == 'Rome'")
        other.model.setFetchRequestTemplate(request, forName: "Roman")
        let inCode = NSFetchRequest<NSFetchRequestResult>(entityName: "Visit")
        inCode.predicate = NSPredicate { value, _ in value as? Int == 5 }
        other.model.setFetchRequestTemplate(inCode, forName: "InCode")
        let stack = try Stack(try NSManagedObjectModel(merging: [one.model, other.model]), kind: kind)
        stack.context.insert("Song", ["title": "S"])
        stack.context.insert("Visit", ["place": "Rome"])
        stack.context.insert("Visit", ["place": "Bonn"])
        try stack.context.save()
        #expect(try stack.context.all("Song").count == 1)
        let template = try #require(stack.model.fetchRequestTemplate(forName: "Roman"))
        #expect(template.entity === stack.model.entitiesByName["Visit"])
        #expect(try stack.context.fetch(template).count == 1)
        #expect(stack.model.fetchRequestTemplatesByName["Roman"]?.entity === stack.model.entitiesByName["Visit"])
        let kept = try #require(stack.model.fetchRequestTemplate(forName: "InCode")?.predicate)
        #expect(kept.evaluate(with: 5) && !kept.evaluate(with: 6))
    }

    @Test("flags for search and external records change nothing in a store (MOD-38)", arguments: StoreKind.all)
    func searchFlagsChangeNothing(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "data": .binaryDataAttributeType])
        builder.attribute("Item.name").isIndexedBySpotlight = true
        builder.attribute("Item.name").isStoredInExternalRecord = true
        builder.attribute("Item.data").allowsExternalBinaryDataStorage = true
        let stack = try Stack(builder.model, kind: kind)
        let data = Data(repeating: 5, count: 300_000)
        stack.context.insert("Item", ["name": "a", "data": data])
        try stack.context.save()
        let read = try #require(try stack.reopened().context.all("Item").first)
        #expect(read.value(forKey: "data") as? Data == data && read.value(forKey: "name") as? String == "a")
        let name = try #require(read.entity.attributesByName["name"])
        #expect(name.isIndexedBySpotlight && name.isStoredInExternalRecord)
    }

    @Test("a transient attribute without a type holds any value (MOD-24)", arguments: StoreKind.all)
    func untypedTransientHoldsAnything(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "scratch": .undefinedAttributeType])
        builder.attribute("Item.scratch").isTransient = true
        let stack = try Stack(builder.model, kind: kind)
        let item = stack.context.insert("Item", ["name": "a", "scratch": [1, 2]])
        #expect(item.value(forKey: "scratch") as? [Int] == [1, 2])
        try stack.context.save()
        item.setValue("text", forKey: "scratch")
        #expect(item.value(forKey: "scratch") as? String == "text")
        #expect(try stack.reopened().context.all("Item").first?.value(forKey: "scratch") == nil)
    }
}
