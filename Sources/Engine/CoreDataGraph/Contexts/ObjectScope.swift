import CSwiftRuntime
import CoreDataStore

/// Where a managed object belongs: to an entity in a store, and to the registry of a context, if it has one.
///
/// All objects of an entity and store in a context share one, which is all that they hold of these.
final class ObjectScope: @unchecked Sendable {
    let binding: EntityBinding
    let registry: ObjectRegistry?

    private let objectClass: NSManagedObject.Type
    private let entity: NSEntityDescription

    /// Where objects live that have left the context; used on the context's queue.
    var outside: ObjectScope { registry == nil ? self : madeOutside }
    private lazy var madeOutside = ObjectScope(binding, nil)

    init(_ binding: EntityBinding, _ registry: ObjectRegistry?) {
        self.binding = binding
        self.registry = registry
        objectClass = binding.layout.objectClass
        entity = binding.layout.entity
    }

    /// An object of the entity's class that lives here, which its caller gives a key and registers.
    func makeObject() -> NSManagedObject {
        guard RuntimeShortcuts.areTaken else { return movedObject() }
        return InitializerOffer.lending(to: objectClass) { offer in
            offer.put(UnsafeRawPointer(Unmanaged.passRetained(self).toOpaque()))
            return checked(objectClass.init(entity: entity, insertInto: nil))
        }
    }

    /// The plain path: an object that begins as an unsaved one in no context, and moves here.
    private func movedObject() -> NSManagedObject {
        let object = objectClass.init(entity: entity, insertInto: nil)
        object.move(to: self, key: 0)
        object.flags.formIntersection(.observed)
        object.slab = nil
        object.working = nil
        return object
    }

    /// The object, which lives here; stops if another object of its class has taken its place meanwhile.
    @inline(__always)
    private func checked(_ object: NSManagedObject) -> NSManagedObject {
        if object.scope === self { return object }
        stop(
            "An object of class \(objectClass) was made without a context while the stored properties of another one of "
                + "the class were initialised: make it later, or insert it into a context.")
    }

    /// Initializes memory with new objects of this scope, one for each of its places. `prepare` receives each object with
    /// its number, from 0 on, and sets its key; the caller registers the objects.
    @inline(__always)
    func makeObjects(
        at places: UnsafeMutableBufferPointer<NSManagedObject>, prepare: (NSManagedObject, Int) -> Void
    ) {
        let count = places.count
        guard RuntimeShortcuts.areTaken else {
            for number in 0..<count {
                let object = movedObject()
                prepare(object, number)
                places.initializeElement(at: number, to: object)
            }
            return
        }
        // Counting the references one by one would take a fifth of the time that the objects take.
        let objectClass = objectClass
        let this = swift_retain_n(Unmanaged.passUnretained(self).toOpaque(), UInt32(count))
        // The initializer consumes its arguments, so each call is given one of these references too.
        let entity = swift_retain_n(Unmanaged.passUnretained(entity).toOpaque(), UInt32(count))
        InitializerOffer.lending(to: objectClass) { offer in
            for number in 0..<count {
                offer.put(UnsafeRawPointer(this))
                let object = checked(
                    objectClass.init(
                        entity: Unmanaged<NSEntityDescription>.fromOpaque(entity).takeRetainedValue(), insertInto: nil))
                prepare(object, number)
                places.initializeElement(at: number, to: consume object)
            }
        }
    }
}
