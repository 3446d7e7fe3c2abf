import CoreDataGraph
import StoreContract
import TestBasics
import Testing

/// What programs associate with objects of the library.
@Suite struct AssociatedObjectTests {
    private final class Token: NSObject {}

    // Addresses that nothing is read from.
    nonisolated(unsafe) private static let keys: [UnsafeRawPointer] = (0..<2).map { _ in
        UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
    }

    /// Objects of the classes that take associations.
    private static func holders() throws -> [AnyObject] {
        let model = HeroModel.make()
        let stack = try Stack(model, kind: .inMemory)
        return [
            stack.context.insert("Hero"), NSFetchRequest<NSManagedObject>(entityName: "Hero"), UndoManager(),
            NSPersistentStoreDescription(), stack.context, stack.coordinator, stack.coordinator.persistentStores[0],
            model, model.entities[0], model.entities[0].properties[0],
            NSPersistentContainer(name: "A", managedObjectModel: model),
        ]
    }

    @Test("a value stays with its object under its key, is replaced, taken away, and gone with the object")
    func valueStaysWithItsObjectUnderItsKey() throws {
        for index in try Self.holders().indices {
            weak var last: Token?
            do {
                let object = try Self.holders()[index]
                let (first, second) = (Token(), Token())
                objc_setAssociatedObject(object, Self.keys[0], first, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
                objc_setAssociatedObject(object, Self.keys[1], 5, .OBJC_ASSOCIATION_RETAIN)
                #expect(objc_getAssociatedObject(object, Self.keys[0]) as? Token === first)
                #expect(objc_getAssociatedObject(object, Self.keys[1]) as? Int == 5)
                objc_setAssociatedObject(object, Self.keys[0], second, .OBJC_ASSOCIATION_RETAIN)
                #expect(objc_getAssociatedObject(object, Self.keys[0]) as? Token === second)
                objc_setAssociatedObject(object, Self.keys[1], nil, .OBJC_ASSOCIATION_RETAIN)
                #expect(objc_getAssociatedObject(object, Self.keys[1]) == nil)
                objc_removeAssociatedObjects(object)
                #expect(objc_getAssociatedObject(object, Self.keys[0]) == nil)
                let kept = Token()
                last = kept
                objc_setAssociatedObject(object, Self.keys[0], kept, .OBJC_ASSOCIATION_RETAIN)
            }
            // Others may be held by what the library keeps of models.
            if index < 4 { #expect(last == nil, "holder \(index)") }
        }
    }

    @Test("a value that is assigned is not held, and one that is copied is another") func valueThatIsAssignedIsNotHeld()
        throws
    {
        let stack = try HeroModel.stack(.inMemory)
        let hero = stack.context.insert("Hero")
        var token: Token? = Token()
        objc_setAssociatedObject(hero, Self.keys[0], token, .OBJC_ASSOCIATION_ASSIGN)
        #expect(objc_getAssociatedObject(hero, Self.keys[0]) as? Token === token)
        token = nil
        #expect(objc_getAssociatedObject(hero, Self.keys[0]) == nil)
        objc_setAssociatedObject(hero, Self.keys[0], true, .OBJC_ASSOCIATION_ASSIGN)
        objc_setAssociatedObject(hero, Self.keys[1], 7 as NSNumber, .OBJC_ASSOCIATION_ASSIGN)
        #expect(objc_getAssociatedObject(hero, Self.keys[0]) as? Bool == true)
        #expect(objc_getAssociatedObject(hero, Self.keys[1]) as? Int == 7)
        let text = NSMutableString(string: "a")
        objc_setAssociatedObject(hero, Self.keys[0], text, .OBJC_ASSOCIATION_COPY)
        text.append("b")
        #expect(objc_getAssociatedObject(hero, Self.keys[0]) as? String == "a")
    }

    @Test("what is associated with a managed object survives its save, a refresh and the reset of its context")
    func managedObjects() throws {
        let stack = try HeroModel.stack(.inMemory)
        let hero = stack.context.insert("Hero")
        objc_setAssociatedObject(hero, Self.keys[0], "kept", .OBJC_ASSOCIATION_RETAIN)
        stack.context.refresh(hero, mergeChanges: false)
        stack.context.reset()
        #expect(objc_getAssociatedObject(hero, Self.keys[0]) as? String == "kept")
    }

    @Test("an object of another class stops the process with what to do instead")
    func objectOfAnotherClassStopsProcessWithWhatToDoInstead() async {
        #expect(objc_getAssociatedObject(Token(), Self.keys[0]) == nil)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            objc_setAssociatedObject(
                Token(), UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)), 1,
                .OBJC_ASSOCIATION_RETAIN)
        }
        #expect(result.standardErrorText.contains("Token") && result.standardErrorText.contains("stored property"))
    }
}
