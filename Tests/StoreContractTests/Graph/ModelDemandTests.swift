import CoreData
import StoreContract
import TestBasics
import Testing

/// What a model names and the program must bring, what it leaves to each insertion, and its translations.
@Suite struct ModelDemandTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Ghost", class: "NoSuchGhost", ["name": .stringAttributeType])
        builder.entity("Painter", ["colour": .transformableAttributeType])
        builder.attribute("Painter.colour").valueTransformerName = "NoSuchTransformer"
        return builder.model
    }

    private static func open(_ model: NSManagedObjectModel, _ kind: StoreKind, isStrict: Bool) throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("A.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: url, options: [CoreDataStrictModelOption: isStrict])
    }

    @Test(
        "strictly, a store is refused for a class and a transformer that are not there (MOD-11, MOD-23)",
        arguments: StoreKind.all)
    func strictStoreIsRefused(kind: StoreKind) throws {
        let error = #expect(throws: NSError.self) { try Self.open(Self.model(), kind, isStrict: true) }
        #expect(error?.code == NSPersistentStoreOpenError)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("Unable to load class named 'NoSuchGhost' for entity 'Ghost'"))
        #expect(text.contains("'NoSuchTransformer' is registered for 'colour' of entity 'Painter'"))
        try Self.open(HeroModel.make(), kind, isStrict: true)
    }

    @Test("an unknown transformer is said once when a store is added, which can be used all the same (MOD-23)")
    func unknownTransformerIsReported() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for kind in StoreKind.all { try Self.open(Self.model(), kind, isStrict: false) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.components(separatedBy: "'NoSuchTransformer'").count == 2)
        #expect(text.contains("'colour' of entity 'Painter'"))
    }

    @Test(
        "the default archivers and registered transformers are known (MOD-23)",
        arguments: [
            "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "", "ModelDemandTransformer",
        ])
    func knownTransformerIsAccepted(name: String) throws {
        ValueTransformer.setValueTransformer(ValueTransformer(), forName: .init("ModelDemandTransformer"))
        let builder = ModelBuilder()
        builder.entity("Painter", ["colour": .transformableAttributeType])
        builder.attribute("Painter.colour").valueTransformerName = name
        try Self.open(builder.model, .sqlite, isStrict: true)
    }

    @Test("a default that is marked is computed for each insertion (MOD-26)", arguments: StoreKind.all)
    func markedDefaultIsComputed(kind: StoreKind) throws {
        let fixed = Date(timeIntervalSinceReferenceDate: 190_000_000)
        let builder = ModelBuilder()
        builder.entity(
            "Note", ["fixed": .dateAttributeType, "made": .dateAttributeType, "identifier": .UUIDAttributeType])
        builder.attribute("Note.fixed").defaultValue = fixed
        builder.attribute("Note.made").userInfo = ["defaultValueExpression": "now()"]
        builder.attribute("Note.identifier").userInfo = ["defaultValueExpression": "UUID()"]
        let hashes = builder.model.entityVersionHashesByName
        builder.attribute("Note.made").userInfo?["other"] = 1
        #expect(builder.model.entityVersionHashesByName == hashes)
        let stack = try Stack(builder.model, kind: kind)
        let before = Date()
        let first = stack.context.insert("Note")
        let second = stack.context.insert("Note")
        let (one, two) = (first.value(forKey: "made") as? Date, second.value(forKey: "made") as? Date)
        #expect(try #require(one) >= before && #require(two) >= #require(one))
        #expect(first.value(forKey: "identifier") as? UUID != second.value(forKey: "identifier") as? UUID)
        try stack.context.save()
        let notes = try stack.reopened().context.all("Note", sortedBy: "made")
        #expect(notes.map { $0.value(forKey: "made") as? Date } == [one, two])
        #expect(notes.allSatisfy { $0.value(forKey: "fixed") as? Date == fixed })
        #expect(notes.allSatisfy { $0.value(forKey: "identifier") is UUID })
    }

    @Test("a mark that does not go with the type is passed over (MOD-26)")
    func foreignMarkIsPassedOver() throws {
        let builder = ModelBuilder()
        builder.entity("Note", ["text": .stringAttributeType, "made": .dateAttributeType])
        builder.attribute("Note.text").userInfo = ["defaultValueExpression": "now()"]
        builder.attribute("Note.made").userInfo = ["defaultValueExpression": "yesterday"]
        let note = try Stack(builder.model).context.insert("Note")
        #expect(note.value(forKey: "text") == nil && note.value(forKey: "made") == nil)
    }

    @Test("The model's translations stand in the texts of validation errors", arguments: StoreKind.all)
    func errorsAreTranslated(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType, "age": .integer16AttributeType])
        builder.entity("SuperHero", in: "Hero")
        builder.attribute("Hero.name").isOptional = false
        builder.attribute("Hero.age").setValidationPredicates(
            [NSPredicate(format: "SELF > 3")], withValidationWarnings: ["Too young"])
        builder.model.localizationDictionary = [
            "Entity/SuperHero": "Superheld", "Property/name": "Bezeichnung", "Property/name/Entity/Hero": "Name",
            "ErrorString/is required and has no value": "fehlt", "ErrorString/Too young": "Zu jung",
        ]
        let stack = try Stack(builder.model, kind: kind)
        let hero = stack.context.insert("SuperHero", ["age": 5])
        let missing = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(missing?.localizedDescription == "'Name' of entity 'Superheld' fehlt.")
        hero.setValue("A", forKey: "name")
        hero.setValue(2, forKey: "age")
        let young = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(young?.localizedDescription == "Zu jung")
    }
}
