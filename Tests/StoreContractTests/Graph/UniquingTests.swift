import CoreData
import StoreContract
import TestBasics
import Testing

/// One object a record and context, however it is come by; and objects whose record is gone.
@Suite struct UniquingTests {
    private static func identifier(_ text: String, _ stack: Stack) -> NSManagedObjectID? {
        URL(string: text).flatMap { stack.coordinator.managedObjectID(forURIRepresentation: $0) }
    }

    @Test("every way leads to the same object (OBJ-05, OBJ-09)", arguments: StoreKind.all)
    func everyWay(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let ann = context.insert("SuperHero", ["name": "Ann"])
        let power = context.insert("Power", ["name": "Flight", "hero": ann])
        let temporary = ann.objectID
        #expect(temporary.isTemporaryID && context.object(with: temporary) === ann)
        try context.save()
        #expect(!ann.objectID.isTemporaryID && ann.objectID != temporary)
        #expect(context.object(with: ann.objectID) === ann && context.registeredObject(for: ann.objectID) === ann)
        #expect(try context.existingObject(with: ann.objectID) === ann)
        #expect(try context.all("Hero").first === ann && context.all("SuperHero").first === ann)
        context.refresh(power, mergeChanges: false)
        #expect(power.value(forKey: "hero") as? NSManagedObject === ann)
        context.refresh(ann, mergeChanges: false)
        #expect(try context.all("Hero").first === ann && context.all("Hero").count == 1)
        let other = stack.newContext()
        let theirs = other.object(with: ann.objectID)
        #expect(theirs !== ann && theirs.isFault && theirs.objectID == ann.objectID)
        let theirPower = try #require(try other.all("Power").first)
        #expect(theirPower.value(forKey: "hero") as? NSManagedObject === theirs)
        #expect(try other.all("SuperHero").first === theirs)
    }

    @Test(
        "members of a relationship are the objects that the context has, and faults in the gaps (OBJ-05)",
        arguments: StoreKind.all)
    func mixedMembers(kind: StoreKind) throws {
        for entities in [["Hero"], ["Hero", "SuperHero"]] {
            let stack = try HeroModel.stack(kind)
            let heroes = (0..<5).map {
                stack.context.insert(entities[$0 % entities.count], ["name": "\($0)"])
            }
            stack.context.insert("Team", ["name": "All", "members": NSSet(array: heroes)])
            try stack.context.save()
            let identifiers = heroes.map(\.objectID)
            for mask in 0..<32 {
                let context = stack.newContext()
                let known = try (0..<5).filter { mask & 1 << $0 != 0 }.map {
                    try context.existingObject(with: identifiers[$0])
                }
                let team = try #require(try context.all("Team").first)
                let members = try #require(team.value(forKey: "members") as? Set<NSManagedObject>)
                #expect(Set(members.map(\.objectID)) == Set(identifiers))
                #expect(known.allSatisfy { one in members.contains { $0 === one } && !one.isFault })
                #expect(members.count { $0.isFault } == 5 - known.count)
                for member in members { #expect(context.registeredObject(for: member.objectID) === member) }
                #expect(context.registeredObjects == members.union([team]))
                #expect(try Set(context.all("Hero")) == members)
                context.refresh(team, mergeChanges: false)
                #expect(team.value(forKey: "members") as? Set<NSManagedObject> == members)
            }
        }
    }

    @Test(
        "an identifier that names a parent entity leads to the object of its own (OBJ-05, OBJ-06)",
        arguments: StoreKind.all)
    func ancestorIdentifier(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let ann = stack.context.insert("SuperHero", ["name": "Ann", "cape": true])
        try stack.context.save()
        let text = ann.objectID.uriRepresentation().absoluteString.replacingOccurrences(
            of: "/SuperHero/", with: "/Hero/")
        let id = try #require(Self.identifier(text, stack))
        #expect(id.entity.name == "Hero" && id == ann.objectID)
        #expect(stack.context.object(with: id) === ann)
        let context = stack.newContext()
        let fault = context.object(with: id)
        #expect(fault.entity.name == "SuperHero" && fault.value(forKey: "cape") as? Bool == true)
        #expect(try context.all("Hero").first === fault && context.all("SuperHero").first === fault)
        let missing = text.replacingOccurrences(of: "/p\(ann.objectID.key)", with: "/p999")
        let none = try #require(Self.identifier(missing, stack))
        context.dataErrorHandler = { _, _ in }
        #expect(context.object(with: none).value(forKey: "name") == nil)
    }

    @Test(
        "a temporary identifier is its own context's, and can be made permanent (OBJ-07, OBJ-08)",
        arguments: StoreKind.all)
    func temporaryIdentifier(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let ann = stack.context.insert("Hero", ["name": "Ann"])
        let other = stack.newContext()
        let error = #expect(throws: NSError.self) { try other.existingObject(with: ann.objectID) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(error?.localizedDescription.contains("'Hero'") == true)
        #expect(other.object(with: ann.objectID).value(forKey: "name") == nil)
        try stack.context.obtainPermanentIDs(for: [ann])
        let id = ann.objectID
        #expect(!id.isTemporaryID && ann.isInserted && stack.context.object(with: id) === ann)
        try stack.context.save()
        #expect(ann.objectID == id)
        #expect(try other.existingObject(with: id).value(forKey: "name") as? String == "Ann")
    }

    @Test("a value copied at insertion does not follow its origin (OBJ-28)", arguments: StoreKind.all)
    func valuesFrozenAtCreation(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let ann = stack.context.insert("Hero", ["name": "Ann", "strength": 5])
        let note = stack.context.insert("Note", ["text": "\(ann.value(forKey: "strength") ?? "")"])
        ann.setValue(9, forKey: "strength")
        try stack.context.save()
        #expect(note.value(forKey: "text") as? String == "5")
    }

    @Test(
        "the context is asked whether an object whose record is gone counts as deleted (OBJ-26)",
        arguments: StoreKind.all)
    func inaccessibleFaults(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let writer = stack.newContext()
        let heroes = ["Ann", "Bob", "Cid"].map { writer.insert("Hero", ["name": $0]) }
        try writer.save()
        let context = AskingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        var told: [Int] = []
        context.dataErrorHandler = { error, _ in told.append((error as NSError).code) }
        let faults = heroes.map { context.object(with: $0.objectID) }
        for hero in heroes { writer.delete(hero) }
        try writer.save()
        #expect(faults[0].value(forKey: "name") == nil && faults[0].isDeleted && !faults[0].isFault)
        #expect(context.asked.map(\.1) == ["name"] && context.asked[0].0 === faults[0])
        _ = faults[0].value(forKey: "strength")
        #expect(context.asked.count == 1 && told == [NSManagedObjectReferentialIntegrityError])
        context.answer = false
        #expect(faults[1].value(forKey: "nemesis") == nil && !faults[1].isDeleted && !faults[1].hasChanges)
        #expect(context.asked.map(\.1) == ["name", "nemesis"] && told.count == 2)
        faults[1].setValue("x", forKey: "name")
        #expect(!context.hasChanges)
        try context.save()
        let plain = stack.newContext()
        plain.shouldDeleteInaccessibleFaults = false
        plain.dataErrorHandler = { _, _ in }
        let fault = plain.object(with: faults[2].objectID)
        #expect(fault.value(forKey: "name") == nil && !fault.isDeleted)
    }

    @Test("after a reset old objects say so, and the context works on (OBJ-27)", arguments: StoreKind.all)
    func afterReset(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let ann = context.insert("Hero", ["name": "Ann"])
        let power = context.insert("Power", ["hero": ann])
        try context.save()
        ann.setValue("Bob", forKey: "name")
        let new = context.insert("Hero", ["name": "New"])
        context.reset()
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        for object in [ann, power, new] {
            let error = #expect(throws: NSError.self) { try object.codedValue(forKey: "name") }
            #expect(error?.localizedDescription.contains("has been invalidated") == true)
            #expect(error?.localizedDescription.contains(object.entity.name ?? "?") == true)
            #expect(!object.hasChanges && !object.isInserted && object.managedObjectContext == nil)
        }
        #expect(power.value(forKey: "hero") == nil)
        let again = try #require(try context.all("Hero").first)
        #expect(again !== ann && again.value(forKey: "name") as? String == "Ann")
        again.setValue("Cid", forKey: "name")
        try context.save()
        #expect(try stack.newContext().all("Hero").count == 1)
    }

    @Test("an object of a reset context cannot be inserted, deleted or related (OBJ-27)")
    func useAfterResetStops() async {
        let deletion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try HeroModel.stack()
            let ann = stack.context.insert("Hero", ["name": "Ann"])
            stack.context.reset()
            stack.context.delete(ann)
        }
        #expect(deletion.standardErrorText.contains("cannot delete objects in other contexts"))
        let relation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try HeroModel.stack()
            let ann = stack.context.insert("Hero", ["name": "Ann"])
            stack.context.reset()
            stack.context.insert("Power").setValue(ann, forKey: "hero")
        }
        #expect(relation.standardErrorText.contains("has been invalidated"))
    }
}

/// A context that decides itself what becomes of objects whose record is gone.
private final class AskingContext: NSManagedObjectContext, @unchecked Sendable {
    var answer: Bool?
    var asked: [(NSManagedObject, String?)] = []

    override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        asked.append((fault, property?.name))
        return answer
            ?? super.shouldHandleInaccessibleFault(fault, for: oid, triggeredByProperty: property)
    }
}
