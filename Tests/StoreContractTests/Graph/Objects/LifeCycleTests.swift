import CoreData
import StoreContract
import Testing

/// What is called on objects, in which order and how often.
@Suite struct LifeCycleTests {
    @Test(
        "a new object is awoken once, then validated and notified of its save (OBJ-19, OBJ-23)",
        arguments: StoreKind.all)
    func newObjectIsAwokenOnce(kind: StoreKind) throws {
        let stack = try Stack(DiaryModel.make(), kind: kind)
        let log = DiaryLog.of(stack.context)
        let ann = try #require(stack.context.insert("Diary") as? Diary)
        #expect(log.taken() == ["? awakeFromInsert"])
        #expect(ann.value(forKey: "mood") as? String == "white")
        ann.label = "Ann"
        ann.setValue("Ann", forKey: "name")
        try stack.context.save()
        #expect(log.taken() == ["Ann willSave", "Ann validateForInsert", "Ann didSave"])
        let loose = Diary(entity: try #require(stack.model.entitiesByName["Diary"]), insertInto: nil)
        stack.context.insert(loose)
        stack.context.insert(loose)
        #expect(log.taken() == ["? awakeFromInsert"])
        try stack.context.save()
        stack.context.delete(loose)
        try stack.context.save()
        _ = log.taken()
        let fetched = stack.newContext()
        let fetchLog = DiaryLog.of(fetched)
        #expect(try fetched.found("Ann").value(forKey: "mood") as? String == "white")
        #expect(fetchLog.taken() == ["Ann awakeFromFetch"])
    }

    @Test("awakeFromFetch comes each time a fault is filled, and not before (OBJ-20)", arguments: StoreKind.all)
    func awakeFromFetchComesEachTimeFaultIsFilled(kind: StoreKind) throws {
        let (stack, _) = try Self.saved(kind, "Ann")
        let context = stack.newContext()
        let log = DiaryLog.of(context)
        let ann = try context.found("Ann")
        #expect(log.taken().isEmpty && ann.isFault)
        _ = ann.value(forKey: "name")
        _ = ann.value(forKey: "mood")
        #expect(log.taken() == ["Ann awakeFromFetch"])
        context.refresh(ann, mergeChanges: false)
        #expect(log.taken() == ["Ann willTurnIntoFault", "Ann didTurnIntoFault"])
        _ = ann.value(forKey: "name")
        #expect(log.taken() == ["Ann awakeFromFetch"])
    }

    @Test("what awakeFromFetch changes marks nothing, here nor on the other side (OBJ-20)", arguments: StoreKind.all)
    func awakeningChangesNothing(kind: StoreKind) throws {
        let stack = try Stack(AwakeModel.make(), kind: kind)
        stack.context.insert("Sleeper", ["name": "Ann"])
        stack.context.insert("Bed", ["name": "Bed"])
        try stack.context.save()
        let context = stack.newContext()
        let bed = try #require(try context.all("Bed").first)
        _ = bed.value(forKey: "name")
        context.userInfo["bed"] = bed
        let ann = try #require(try context.all("Sleeper").first)
        #expect(ann.value(forKey: "name") as? String == "awake")
        #expect(!ann.hasChanges && !bed.hasChanges && !context.hasChanges)
        #expect(bed.hasFault(forRelationshipNamed: "sleepers"))
        #expect((bed.value(forKey: "sleepers") as? NSSet)?.count == 0)
    }

    @Test(
        "an update is validated and notified; primitive changes in willSave do not loop (OBJ-23)",
        arguments: StoreKind.all)
    func updateIsValidatedAndNotified(kind: StoreKind) throws {
        let (stack, ann) = try Self.saved(kind, "Ann")
        let log = DiaryLog.of(stack.context)
        stack.context.refresh(ann, mergeChanges: false)
        ann.setValue("black", forKey: "mood")
        #expect(log.taken() == ["Ann awakeFromFetch"])
        try stack.context.save()
        #expect(log.taken() == ["Ann willSave", "Ann validateForUpdate", "Ann didSave"])
        try stack.context.save()
        #expect(log.taken().isEmpty)
    }

    @Test("a deletion, followed by its rule, and the save of it (OBJ-22, OBJ-23)", arguments: StoreKind.all)
    func deletionFollowedByItsRule(kind: StoreKind) throws {
        let (stack, _) = try Self.saved(kind, "Ann", pages: ["One", "Two"])
        let log = DiaryLog.of(stack.context)
        stack.context.reset()
        let ann = try stack.context.found("Ann")
        let one = try stack.context.found("One")
        stack.context.delete(ann)
        #expect(log.taken() == ["Ann awakeFromFetch", "Ann prepareForDeletion with 2 pages"])
        #expect(ann.helper != nil)
        stack.context.processPendingChanges()
        stack.context.processPendingChanges()
        let prepared = log.taken()
        #expect(Set(prepared.filter { $0.contains("prepare") }).count == 2 && one.isDeleted)
        #expect(prepared.filter { $0.contains("prepareForDeletion with 0 pages") }.count == 2)
        stack.context.delete(one)
        try stack.context.save()
        let lines = log.taken()
        for name in ["Ann", "One", "Two"] {
            #expect(
                lines.filter { $0.hasPrefix(name) }
                    == ["willSave", "validateForDelete", "didSave", "willTurnIntoFault", "didTurnIntoFault"].map {
                        "\(name) \($0)"
                    })
        }
        #expect(ann.helper == nil && ann.isFault && !ann.isDeleted && ann.managedObjectContext == nil)
    }

    @Test(
        "an object that deletes itself, or others, while it is prepared is asked once (OBJ-23)",
        arguments: StoreKind.all
    )
    func deletingWhileDeleting(kind: StoreKind) throws {
        let (stack, ann) = try Self.saved(kind, "Ann", pages: ["One"])
        let log = DiaryLog.of(stack.context)
        stack.context.refresh(ann, mergeChanges: false)
        let one = try stack.context.found("One")
        stack.context.refresh(one, mergeChanges: false)
        ann.lastWill = { $0.managedObjectContext?.delete(one) }
        one.lastWill = { $0.managedObjectContext?.delete(ann) }
        stack.context.delete(ann)
        stack.context.processPendingChanges()
        #expect(log.taken().filter { $0.contains("prepare") }.count == 2)
        #expect(ann.isDeleted && one.isDeleted)
        try stack.context.save()
        #expect(try stack.newContext().all("Diary").isEmpty)
    }

    @Test("refreshing, resetting and rolling back (OBJ-21, OBJ-22)", arguments: StoreKind.all)
    func refreshingResettingAndRollingBack(kind: StoreKind) throws {
        let (stack, _) = try Self.saved(kind, "Ann")
        let context = stack.newContext()
        let log = DiaryLog.of(context)
        let ann = try context.found("Ann")
        _ = ann.value(forKey: "name")
        _ = log.taken()
        context.refresh(ann, mergeChanges: true)
        #expect(log.taken() == ["Ann awake 32"])
        ann.setValue("black", forKey: "mood")
        context.rollback()
        #expect(log.taken() == ["Ann awake 16"])
        context.refresh(ann, mergeChanges: false)
        context.refresh(ann, mergeChanges: false)
        context.refresh(ann, mergeChanges: true)
        #expect(log.taken() == ["Ann willTurnIntoFault", "Ann didTurnIntoFault"])
        _ = ann.value(forKey: "name")
        weak let helper = ann.helper
        #expect(helper != nil)
        _ = log.taken()
        context.reset()
        #expect(log.taken() == ["Ann willTurnIntoFault", "Ann didTurnIntoFault"] && helper == nil)
    }

    @Test("an object whose context goes calls nothing, and is still safe (OBJ-22)", arguments: StoreKind.all)
    func contextFreed(kind: StoreKind) throws {
        let (stack, _) = try Self.saved(kind, "Ann", pages: ["One"])
        var context: NSManagedObjectContext? = stack.newContext()
        let log = DiaryLog.of(try #require(context))
        let ann = try #require(try context?.found("Ann"))
        _ = ann.value(forKey: "pages")
        _ = log.taken()
        context = nil
        #expect(log.taken().isEmpty && ann.managedObjectContext == nil)
        #expect(!ann.isInserted && !ann.isUpdated && !ann.isDeleted && !ann.hasChanges)
    }

    @Test("every flag in every state, none of which fires a fault (OBJ-10)", arguments: StoreKind.all)
    func everyFlagInEveryState(kind: StoreKind) throws {
        let stack = try Stack(DiaryModel.make(), kind: kind)
        let ann = try stack.context.diary("Ann")
        #expect(Self.flags(ann) == ["inserted", "changes", "persistent"])
        stack.context.processPendingChanges()
        #expect(Self.flags(ann) == ["inserted", "changes", "persistent"])
        try stack.context.save()
        #expect(Self.flags(ann) == [])
        stack.context.refresh(ann, mergeChanges: false)
        #expect(Self.flags(ann) == ["fault"])
        ann.setValue("x", forKey: "draft")
        #expect(!ann.isFault && !ann.hasPersistentChangedValues)
        ann.setValue("black", forKey: "mood")
        #expect(Self.flags(ann) == ["updated", "changes", "persistent"])
        stack.context.delete(ann)
        #expect(ann.isDeleted && !ann.isUpdated && !ann.isInserted && ann.hasChanges)
        stack.context.rollback()
        #expect(Self.flags(ann) == [])
        stack.context.delete(ann)
        try stack.context.save()
        #expect(Self.flags(ann) == ["fault"] && ann.managedObjectContext == nil)
        #expect(ann.entity.name == "Diary" && !ann.objectID.isTemporaryID)
        let gone = try stack.context.diary("Gone")
        stack.context.delete(gone)
        #expect(gone.isDeleted && stack.context.deletedObjects.isEmpty && stack.context.insertedObjects.isEmpty)
        try stack.context.save()
        #expect(!gone.isDeleted && !gone.isInserted && gone.managedObjectContext == nil)
    }

    private static func flags(_ object: NSManagedObject) -> [String] {
        let flags = [
            ("fault", object.isFault), ("inserted", object.isInserted), ("updated", object.isUpdated),
            ("deleted", object.isDeleted), ("changes", object.hasChanges),
            ("persistent", object.hasPersistentChangedValues),
        ]
        return flags.filter(\.1).map(\.0)
    }

    private static func saved(
        _ kind: StoreKind, _ name: String, pages: [String] = []
    ) throws -> (stack: Stack, diary: Diary) {
        let stack = try Stack(DiaryModel.make(), kind: kind)
        let diary = try stack.context.diary(name)
        for page in pages { _ = try stack.context.diary(page, in: diary) }
        try stack.context.save()
        return (stack, diary)
    }
}

private enum AwakeModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Sleeper", class: "StoreContractTests.Sleeper", ["name": .stringAttributeType])
        builder.entity("Bed", ["name": .stringAttributeType])
        builder.relationships("Sleeper.bed", "Bed.sleepers*")
        builder.relationships("Sleeper.beds*", "Bed.owners*")
        return builder.model
    }
}

/// An object that changes all it has when it awakes.
final class Sleeper: NSManagedObject {
    override func awakeFromFetch() {
        let bed = managedObjectContext?.userInfo["bed"] as? NSManagedObject
        setValue("awake", forKey: "name")
        setValue(bed, forKey: "bed")
        setValue(NSSet(array: [bed].compactMap { $0 }), forKey: "beds")
    }
}
