import CoreData
import StoreContract
import Testing

/// Objects keep their state when their store derives values while it saves them.
@Suite struct DerivedSnapshotTests {
    private static func builder() -> ModelBuilder {
        let builder = ModelBuilder()
        builder.entity(
            "Owner", class: "StoreContractTests.Note", ["name": .stringAttributeType, "draft": .stringAttributeType])
        builder.attribute("Owner.draft").isTransient = true
        builder.entity("Part", class: "StoreContractTests.Note", ["name": .stringAttributeType])
        builder.relationships("Owner.parts*", "Part.owner")
        builder.derived("Owner.changed", .dateAttributeType, "now()")
        builder.derived("Owner.plain", .stringAttributeType, "canonical:(name)")
        builder.derived("Owner.partCount", .integer64AttributeType, "parts.@count")
        builder.derived("Part.ownerName", .stringAttributeType, "owner.name")
        builder.derived("Part.loud", .stringAttributeType, "uppercase:(owner.name)")
        return builder
    }

    private static func log(_ context: NSManagedObjectContext) -> DiaryLog { DiaryLog.of(context) }

    @Test(
        "saved objects stay realized without awakening, and keep transient values (MOD-42)",
        arguments: StoreKind.all)
    func insertedObjectsKeepTheirState(kind: StoreKind) throws {
        let stack = try Stack(Self.builder().model, kind: kind)
        let log = Self.log(stack.context)
        let owner = stack.context.insert("Owner", ["name": "Ann É", "draft": "unsaved"])
        let part = stack.context.insert("Part", ["name": "wheel", "owner": owner])
        try stack.context.save()
        #expect(!owner.isFault && !part.isFault)
        #expect(owner.value(forKey: "draft") as? String == "unsaved")
        #expect(owner.value(forKey: "plain") as? String == "ann e")
        #expect(owner.value(forKey: "changed") is Date)
        #expect(owner.value(forKey: "partCount") as? Int == 1)
        #expect(part.value(forKey: "ownerName") as? String == "Ann É")
        #expect(part.value(forKey: "loud") as? String == "ANN É")
        #expect(log.taken() == [])
    }

    @Test("the values are there when didSave is called (MOD-42)", arguments: StoreKind.all)
    func valuesAreThereAtDidSave(kind: StoreKind) throws {
        let stack = try Stack(Self.builder().model, kind: kind)
        _ = Self.log(stack.context)
        let owner = try #require(stack.context.insert("Owner", ["name": "ANN"]) as? Note)
        try stack.context.save()
        #expect(owner.plainAtSave == "ann")
        owner.setValue("BOB", forKey: "name")
        try stack.context.save()
        #expect(owner.plainAtSave == "bob")
    }

    @Test(
        "updated objects and those that refer to them get their values in place (MOD-42)", arguments: StoreKind.all)
    func updatedObjectsKeepTheirState(kind: StoreKind) throws {
        let stack = try Stack(Self.builder().model, kind: kind)
        let log = Self.log(stack.context)
        let owner = stack.context.insert("Owner", ["name": "Ann", "draft": "unsaved"])
        let part = stack.context.insert("Part", ["owner": owner])
        try stack.context.save()
        let first = try #require(owner.value(forKey: "changed") as? Date)
        #expect(owner.value(forKey: "plain") as? String == "ann")
        #expect(part.value(forKey: "loud") as? String == "ANN")
        owner.setValue("Bob", forKey: "name")
        try stack.context.save()
        #expect(owner.value(forKey: "plain") as? String == "bob")
        #expect((owner.value(forKey: "changed") as? Date ?? .distantPast) > first)
        #expect(part.value(forKey: "ownerName") as? String == "Bob")
        #expect(part.value(forKey: "loud") as? String == "BOB")
        stack.context.delete(part)
        try stack.context.save()
        #expect(owner.value(forKey: "partCount") as? Int == 0)
        #expect(!owner.isFault && owner.value(forKey: "draft") as? String == "unsaved")
        #expect(!log.taken().contains { $0.contains("Fault") || $0.contains("Fetch") })
    }

    @Test("an object that refers to a changed one keeps its own unsaved changes (MOD-42)", arguments: StoreKind.all)
    func unsavedChangesOfOthersAreKept(kind: StoreKind) throws {
        let stack = try Stack(Self.builder().model, kind: kind)
        let owner = stack.context.insert("Owner", ["name": "Ann"])
        let part = stack.context.insert("Part", ["owner": owner])
        try stack.context.save()
        #expect(part.value(forKey: "ownerName") as? String == "Ann")
        let other = stack.newContext()
        let same = try other.existingObject(with: owner.objectID)
        same.setValue("Bob", forKey: "name")
        part.setValue("wheel", forKey: "name")
        try other.save()
        try stack.context.save()
        #expect(part.value(forKey: "name") as? String == "wheel")
        stack.context.refresh(part, mergeChanges: false)
        #expect(part.value(forKey: "ownerName") as? String == "Bob")
        #expect(part.value(forKey: "name") as? String == "wheel")
    }

    @Test("observers hear of the derived value once, with the former one (MOD-42, KVO)", arguments: StoreKind.all)
    func observersAreNotified(kind: StoreKind) throws {
        let stack = try Stack(Self.builder().model, kind: kind)
        let owner = stack.context.insert("Owner", ["name": "Ann"])
        let part = stack.context.insert("Part", ["owner": owner])
        try stack.context.save()
        let listeners = [owner.listen("plain"), part.listen("ownerName"), owner.listen("partCount")]
        owner.setValue("Bob", forKey: "name")
        try stack.context.save()
        #expect(listeners.map(\.heard) == [["plain ann>bob"], ["ownerName Ann>Bob"], []])
        #expect(owner.value(forKey: "plain") as? String == "bob")
        #expect(part.value(forKey: "ownerName") as? String == "Bob")
    }

    @Test("a list that is sorted by a derived attribute follows a save (MOD-42)", arguments: StoreKind.all)
    func listsFollow(kind: StoreKind) throws {
        let stack = try Stack(Self.builder().model, kind: kind)
        let owners = ["a", "b", "c"].map { stack.context.insert("Owner", ["name": $0]) }
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
        request.sortDescriptors = [NSSortDescriptor(key: "plain", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = NoDelegate()
        results.delegate = delegate
        try results.performFetch()
        owners[0].setValue("z", forKey: "name")
        try stack.context.save()
        #expect(results.fetchedObjects == [owners[1], owners[2], owners[0]])
    }

    @Test(
        "what a store derives reaches a record that is known as one of its parent entity (MOD-42)",
        arguments: StoreKind.all)
    func narrowObjects(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Base", ["name": .stringAttributeType])
        builder.entity("Special", in: "Base", ["size": .integer16AttributeType])
        builder.derived("Base.plain", .stringAttributeType, "lowercase:(name)")
        builder.derived("Special.twin", .stringAttributeType, "uppercase:(name)")
        let stack = try Stack(builder.model, kind: kind)
        let special = stack.context.insert("Special", ["name": "Ann", "size": 3])
        try stack.context.save()
        let other = stack.newContext()
        let uri = special.objectID.uriRepresentation().absoluteString
        let wide = try #require(URL(string: uri.replacingOccurrences(of: "/Special/", with: "/Base/")))
        let identifier = try #require(stack.coordinator.managedObjectID(forURIRepresentation: wide))
        let base = try other.existingObject(with: identifier)
        base.setValue("Bob", forKey: "name")
        try other.save()
        #expect(base.value(forKey: "plain") as? String == "bob")
        let again = try stack.newContext().existingObject(with: special.objectID)
        #expect(again.value(forKey: "plain") as? String == "bob")
        #expect(again.value(forKey: "twin") as? String == "BOB")
        #expect(again.value(forKey: "size") as? Int == 3)
    }
}

private final class NoDelegate: NSFetchedResultsControllerDelegate {}

/// An object that writes down when it becomes a fault or is awoken from one.
final class Note: NSManagedObject {
    var plainAtSave: String?

    private func write(_ line: String) {
        (managedObjectContext?.userInfo["log"] as? DiaryLog)?.lines.append(line)
    }

    override func awakeFromFetch() { write("awakeFromFetch") }
    override func willTurnIntoFault() { write("willTurnIntoFault") }
    override func didSave() {
        if entity.attributesByName["plain"] != nil { plainAtSave = value(forKey: "plain") as? String }
    }
}
