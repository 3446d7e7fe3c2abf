import StoreContract
import Testing

@testable import CoreDataGraph

class RecorderNote: NSManagedObject {
    var calls: [String] = []
}

final class PlainNote: NSManagedObject {}
final class SavingNote: RecorderNote {
    override func willSave() { calls.append("willSave") }
}
final class SavedNote: RecorderNote {
    override func didSave() { calls.append("didSave") }
}
final class InsertingNote: RecorderNote {
    override func validateForInsert() throws {
        calls.append("validateForInsert")
        try super.validateForInsert()
    }
}
final class UpdatingNote: RecorderNote {
    override func validateForUpdate() throws {
        calls.append("validateForUpdate")
        try super.validateForUpdate()
    }
}
final class DeletingNote: RecorderNote {
    override func validateForDelete() throws {
        calls.append("validateForDelete")
        try super.validateForDelete()
    }
}

/// Fetches all notes when it is awakened.
final class FetchingNote: NSManagedObject {
    var found: [FetchingNote] = []

    override func awakeFromFetch() {
        let request = NSFetchRequest<FetchingNote>(entityName: "Note")
        found = (try? managedObjectContext?.fetch(request)) ?? []
    }
}
final class AwakingNote: RecorderNote {
    override func awakeFromFetch() { calls.append("awakeFromFetch") }
}

/// Which methods a fetch or a save calls on objects: those that a class overrides, or that the model gives something to do.
@Suite struct ObjectHookTests {
    private static let overridden: [(NSManagedObject.Type, ObjectHooks, String)] = [
        (SavingNote.self, .willSave, "willSave"), (SavedNote.self, .didSave, "didSave"),
        (InsertingNote.self, .validateForInsert, "validateForInsert"),
        (UpdatingNote.self, .validateForUpdate, "validateForUpdate"),
        (DeletingNote.self, .validateForDelete, "validateForDelete"),
    ]

    private func stack(of objectClass: NSManagedObject.Type) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Note", class: "CoreDataGraphTests.\(objectClass)", ["text": .stringAttributeType])
        return try Stack(builder.model, kind: .inMemory)
    }

    @Test("a class has the hooks that it overrides and no others", .enabled(if: RuntimeShortcuts.areTaken))
    func overriddenMethodsAreHooks() {
        #expect(ObjectHooks(overriddenBy: PlainNote.self).isEmpty)
        #expect(ObjectHooks(overriddenBy: NSManagedObject.self).isEmpty)
        for (objectClass, hook, _) in Self.overridden { #expect(ObjectHooks(overriddenBy: objectClass) == hook) }
        #expect(ObjectHooks(overriddenBy: AwakingNote.self) == .awakeFromFetch)
    }

    @Test("a fetch in awakeFromFetch gets the objects of the fetch that awakens, also if some are known already")
    func fetchWhileAwakingGetsSameObjects() throws {
        let stack = try stack(of: FetchingNote.self)
        // One save, so that the rows are read together.
        let inserted = ["a", "b"].map { stack.context.insert("Note", ["text": $0]) }
        try stack.context.save()
        let identifiers = inserted.map(\.objectID)
        let context = stack.newContext()
        // A fault of the first record, while the second one is not registered.
        let known = context.object(with: identifiers[0])
        let request = NSFetchRequest<FetchingNote>(entityName: "Note")
        request.returnsObjectsAsFaults = false
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        let notes = try context.fetch(request)
        #expect(notes.map(\.objectID) == identifiers && notes.first === known)
        for note in notes {
            #expect(Set(note.found.map(ObjectIdentifier.init)) == Set(notes.map(ObjectIdentifier.init)))
        }
        #expect(context.registeredObjects.count == 2)
    }

    @Test("an object is awakened once by the fetch that reads it, and once by each fault that fires")
    func fetchedObjectsAreAwakened() throws {
        let stack = try stack(of: AwakingNote.self)
        for text in ["a", "b", "c"] { stack.context.insert("Note", ["text": text]) }
        try stack.context.save()
        let context = stack.newContext()
        let request = NSFetchRequest<AwakingNote>(entityName: "Note")
        request.returnsObjectsAsFaults = false
        let notes = try context.fetch(request)
        #expect(notes.map(\.calls) == Array(repeating: ["awakeFromFetch"], count: 3))
        // What is there already is not awakened again.
        #expect(try context.fetch(request).map(\.calls.count) == [1, 1, 1])
        let note = try #require(notes.first)
        context.refresh(note, mergeChanges: false)
        #expect(note.calls.count == 1)
        #expect(note.value(forKey: "text") != nil)
        #expect(note.calls.count == 2)
    }

    @Test("each overridden method is called once by the save that it belongs to", arguments: 0..<5)
    func overriddenMethodsAreCalled(number: Int) throws {
        let (objectClass, _, name) = Self.overridden[number]
        let stack = try stack(of: objectClass)
        let note = try #require(stack.context.insert("Note", ["text": "a"]) as? RecorderNote)
        var expected: [String] = []
        func save(_ called: Set<String>) throws {
            try stack.context.save()
            if called.contains(name) { expected.append(name) }
            #expect(note.calls == expected)
        }
        try save(["willSave", "didSave", "validateForInsert"])
        note.setValue("b", forKey: "text")
        try save(["willSave", "didSave", "validateForUpdate"])
        stack.context.delete(note)
        try save(["willSave", "didSave", "validateForDelete"])
    }

    @Test("an object whose class is not its entity's is called as its own class wants")
    func otherClassesAreCalled() throws {
        let stack = try stack(of: RecorderNote.self)
        let entity = try #require(stack.context.coordinator.managedObjectModel.entitiesByName["Note"])
        let plain = RecorderNote(entity: entity, insertInto: stack.context)
        let other = SavingNote(entity: entity, insertInto: stack.context)
        try stack.context.save()
        #expect(other.calls == ["willSave"])
        #expect(plain.calls == [])
    }

    @Test("rules of the model are checked for classes that override nothing")
    func rulesAreCheckedWithoutOverrides() throws {
        let stack = try stack(of: PlainNote.self)
        let entity = try #require(stack.context.coordinator.managedObjectModel.entitiesByName["Note"])
        #expect(EntityLayout.of(entity)?.hooks.contains(.validateForInsert) == false)
        let builder = ModelBuilder()
        builder.entity("Note", class: "CoreDataGraphTests.PlainNote", ["text": .stringAttributeType])
        builder.attribute("Note.text").isOptional = false
        let strict = try Stack(builder.model, kind: .inMemory)
        strict.context.insert("Note")
        #expect(throws: (any Error).self) { try strict.context.save() }
    }

    @Test("one save of several entities by turns, with deletions among them, writes each object under its own key")
    func mixedChangesKeepTheirRows() throws {
        let builder = ModelBuilder()
        builder.entity("A", ["number": .integer64AttributeType])
        builder.entity("B", ["number": .integer64AttributeType])
        builder.entity("C", in: "B")
        let stack = try Stack(builder.model, kind: .inMemory)
        let names = ["A", "B", "C"]
        for number in 0..<60 { stack.context.insert(names[number % 3], ["number": number]) }
        try stack.context.save()
        let former = try stack.context.all("A") + stack.context.all("B")
        var added: [NSManagedObject] = []
        for (index, object) in former.enumerated() {
            switch index % 3 {
            case 0: stack.context.delete(object)
            case 1: object.setValue(1_000 + (object.value(forKey: "number") as? Int ?? 0), forKey: "number")
            default: continue
            }
            added.append(stack.context.insert(names[index % 3], ["number": 2_000 + index]))
        }
        let remaining = (former + added).filter { !$0.isDeleted }
        let expected = Set(remaining.compactMap { $0.value(forKey: "number") as? Int })
        try stack.context.save()
        let reader = stack.newContext()
        let found = try (reader.all("A") + reader.all("B"))
        #expect(Set(found.compactMap { $0.value(forKey: "number") as? Int }) == expected)
        #expect(found.count == expected.count)
        #expect(Set(found.map(\.objectID)).count == found.count)
        for object in remaining {
            let same = try #require(try reader.existingObject(with: object.objectID) as NSManagedObject?)
            #expect(same.value(forKey: "number") as? Int == object.value(forKey: "number") as? Int)
            #expect(same.entity.name == object.entity.name)
        }
    }
}
