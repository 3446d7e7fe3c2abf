import CSwiftRuntime
import CoreDataStore

/// What a managed object belongs to: an entity in a store, and the registry of a context, if it is in one.
///
/// All objects of an entity and store in a context share one scope and reference the three through it.
final class ObjectScope: @unchecked Sendable {
    let binding: EntityBinding
    let registry: ObjectRegistry?

    /// The slots by number of the class's properties, those of the layout: accessors reach them from here in fewer steps.
    let tableSlots: ConstantTable<Int32>

    private let objectClass: NSManagedObject.Type
    private let entity: NSEntityDescription

    /// The scope for objects that have left the context; used on the context's queue.
    var outside: ObjectScope { registry == nil ? self : madeOutside }
    private lazy var madeOutside = ObjectScope(binding, nil)

    init(_ binding: EntityBinding, _ registry: ObjectRegistry?) {
        self.binding = binding
        self.registry = registry
        tableSlots = binding.layout.tableSlots
        objectClass = binding.layout.objectClass
        entity = binding.layout.entity
    }

    /// A new object of the entity's class in this scope; the caller sets its key and registers it.
    func makeObject() -> NSManagedObject {
        guard RuntimeShortcuts.areTaken else { return movedObject() }
        return InitializerOffer.lending(to: objectClass) { offer in
            offer.put(UnsafeRawPointer(Unmanaged.passRetained(self).toOpaque()))
            return checked(objectClass.init(entity: entity, insertInto: nil))
        }
    }

    /// Without runtime shortcuts: makes an object in no context, then moves it into this scope.
    private func movedObject() -> NSManagedObject {
        let object = objectClass.init(entity: entity, insertInto: nil)
        object.move(to: self, key: 0)
        object.flags.formIntersection(.observed)
        object.slab = nil
        object.working = nil
        return object
    }

    /// Returns the object, whose scope must be this one; stops the program if another object of its class took the
    /// scope.
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
        // Incrementing the reference counts one by one would take a fifth of the time of making the objects.
        let objectClass = objectClass
        let this = swift_retain_n(Unmanaged.passUnretained(self).toOpaque(), UInt32(count))
        // The initializer consumes its arguments, so each call needs a retained reference to the entity too.
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
