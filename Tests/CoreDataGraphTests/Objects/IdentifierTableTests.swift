import Dispatch
import StoreContract
import Testing

@testable import CoreDataGraph

/// Identifiers are kept beside their objects; equality of objects needs no cast.
@Suite(.timeLimit(.minutes(20))) struct IdentifierTableTests {
    @Test("All threads that ask an object get one identifier, and another one after its first save")
    func identifierIsOne() throws {
        let stack = try HeroModel.stack(.inMemory)
        let object = stack.context.insert("Note")
        let shared = Transferred(object)
        func ask() -> Set<ObjectIdentifier> {
            let found = Transferred(Collected())
            DispatchQueue.concurrentPerform(iterations: 64) { _ in found.value.add(shared.value.objectID) }
            return found.value.all
        }
        #expect(ask().count == 1)
        let former = object.objectID
        try stack.context.save()
        #expect(ask().count == 1 && object.objectID !== former)
        #expect(former.isTemporaryID && !object.objectID.isTemporaryID)
    }

    private final class Collected: @unchecked Sendable {
        private let lock = NSLock()
        private var identifiers: [NSManagedObjectID] = []

        func add(_ identifier: NSManagedObjectID) { lock.withLock { identifiers.append(identifier) } }

        var all: Set<ObjectIdentifier> { lock.withLock { Set(identifiers.map(ObjectIdentifier.init)) } }
    }

    @Test("An identifier goes with its object: what takes its place in memory has its own")
    func identifiersGo() throws {
        let stack = try HeroModel.stack(.inMemory)
        for _ in 0..<300 { stack.context.insert("Note") }
        try stack.context.save()
        stack.context.reset()
        weak var last: NSManagedObjectID?
        var places: Set<ObjectIdentifier> = []
        var count = 0
        for _ in 0..<5 {
            let objects = try stack.context.all("Note")
            for object in objects {
                #expect(object.objectID.key == object.key)
                places.insert(ObjectIdentifier(object))
                count += 1
            }
            last = objects.last?.objectID
            withExtendedLifetime(objects) { #expect(last != nil) }
        }
        #expect(last == nil && count == 1_500 && places.count < count)
    }

    @Test("An object is equal to itself, however it is wrapped, and to nothing else")
    func objectIsEqualToItself() throws {
        let stack = try HeroModel.stack(.inMemory)
        let (hero, note) = (stack.context.insert("Hero"), stack.context.insert("Note"))
        let (boxed, optional): (Any?, Any) = (hero as Any, Optional(hero) as Any)
        #expect(hero.isEqual(hero) && hero.isEqual(boxed) && hero.isEqual(optional) && hero.isEqual(hero as AnyObject))
        #expect(!hero.isEqual(note) && !hero.isEqual(stack.context.insert("Hero")) && !hero.isEqual(nil))
        #expect(!hero.isEqual(hero.key) && !hero.isEqual(NSObject()) && !hero.isEqual("text"))
        #expect(Set([hero, note, hero]).count == 2 && NSSet.of([hero, note, hero]).count == 2)
        #expect(NSSet.of([]).count == 0 && NSSet.of([hero]) as? Set<NSManagedObject> == [hero])
    }
}
