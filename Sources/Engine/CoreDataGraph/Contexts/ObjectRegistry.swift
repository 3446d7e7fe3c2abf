import CSwiftRuntime
import CoreDataStore
import Synchronization

/// The managed objects of one context by store, root entity and primary key; ensures that a record has one object.
///
/// The registry does not retain objects. Objects retain the registry, so that it outlives the last of them.
///
/// Invariants:
/// 1. `tables`, `scopes` and `recentScope` are used only under `lock`, since objects are released on any thread.
/// 2. An object in a table has not been freed: its `deinit` waits for the lock before its memory is freed. An object
///    whose `deinit` has begun is skipped (`swift_tryRetain` refuses) and may be replaced; it is never resurrected.
/// 3. No object is released while the lock is held, since its `deinit` takes it.
package final class ObjectRegistry: @unchecked Sendable {
    private final class TableBox {
        // Used under the registry's lock.
        @exclusivity(unchecked) var table = OpenTable<UnsafeRawPointer>()
        /// The record of registered objects of an incremental or atomic store; nil for other stores.
        @exclusivity(unchecked) var registrations: StoreRegistrations?

        /// Puts an object into the table.
        func set(_ pointer: UnsafeRawPointer, binding: EntityBinding, key: Int64) {
            if let registrations, table[key] == nil { registrations.noteComing(binding, key: key) }
            table.set(pointer, for: key)
        }

        /// Removes an object, unless another object is registered under the key.
        func remove(_ pointer: UnsafeRawPointer, number: Int, _ key: Int64) {
            guard table.remove(key, where: { $0 == pointer }) else { return }
            registrations?.noteGoing(table: number, key: key)
        }

        /// Records, if the store wants it, that all objects of the table are unregistered.
        func noteGoing(number: Int) {
            guard let registrations else { return }
            table.visit { key, _ in registrations.noteGoing(table: number, key: key) }
        }
    }

    private let lock = Mutex(())
    @exclusivity(unchecked) private var tables: [TableBox] = []
    /// By the identities of bindings. The scopes retain the registry in turn, until the context is released.
    private var scopes: [ObjectIdentifier: ObjectScope] = [:]
    /// The scope of the last request; most requests ask for the same one again.
    private var recentScope: ObjectScope?
    private var isClosed = false

    /// The changes that the context's objects record; used on the context's queue only.
    let journal: EventJournal

    /// The context, unless it has been released.
    package var context: NSManagedObjectContext? { contextReference.object }
    private let contextReference: ZeroingReference<NSManagedObjectContext>

    /// The live sets of to-many relationships; used on the context's queue only.
    var liveSets = LiveSetRegistry()

    /// The initial flags of every object of the context; used on the context's queue.
    var memberFlags = ConcurrencyDebug.memberFlags

    /// Whether an object was registered whose class is not that of its entity, since the creator of an object may
    /// choose the class. Used on the context's queue.
    var hasOtherClasses = false

    /// Whether a fetch or save must call a method on objects of an entity.
    @inline(__always) func calls(_ hook: ObjectHooks, of layout: EntityLayout) -> Bool {
        hasOtherClasses || layout.hooks.contains(hook)
    }

    init(context: ZeroingReference<NSManagedObjectContext>) {
        contextReference = context
        journal = EventJournal(context)
    }

    /// The scope of the context's objects of an entity in a store.
    func scope(of binding: EntityBinding) -> ObjectScope {
        if let known = lock.withLock({ _ in known(binding) }) { return known }
        let registrations = binding.store?.registrations
        return lock.withLock { _ in
            if let known = known(binding) { return known }
            let made = ObjectScope(binding, self)
            if !isClosed {
                scopes[ObjectIdentifier(binding)] = made
                if let registrations { box(binding.table).registrations = registrations }
            }
            return made
        }
    }

    /// The scope of a binding, if it has been made; used under the lock.
    private func known(_ binding: EntityBinding) -> ObjectScope? {
        if let recentScope, recentScope.binding === binding { return recentScope }
        recentScope = scopes[ObjectIdentifier(binding)]
        return recentScope
    }

    /// The registered object of a row.
    func object(table: Int, key: Int64) -> NSManagedObject? {
        lock.withLock { _ in
            guard table < tables.count, let pointer = tables[table].table[key] else { return nil }
            return Self.retained(pointer)
        }
    }

    /// The registered objects of the rows of a run, with nil for rows without one; empty if the table has no objects.
    func objects(table: Int, run: RowRun) -> [NSManagedObject?] {
        lock.withLock { _ in
            guard table < tables.count, tables[table].table.count > 0 else { return [] }
            let box = tables[table]
            return run.range.map { index in box.table[run.slab.key(index)].flatMap(Self.retained) }
        }
    }

    /// The registered objects of some keys, with nil for keys without one, and the number of the latter; an empty list
    /// if the table has no objects.
    func objects(table: Int, keys: ContiguousArray<Int64>) -> (objects: [NSManagedObject?], missing: Int) {
        lock.withLock { _ in
            guard table < tables.count, tables[table].table.count > 0 else { return ([], keys.count) }
            let box = tables[table]
            var missing = 0
            let objects = keys.map { key in
                let object = box.table[key].flatMap(Self.retained)
                if object == nil { missing += 1 }
                return object
            }
            return (objects, missing)
        }
    }

    func register(_ object: NSManagedObject, table: Int, key: Int64) {
        let pointer = Self.pointer(to: object)
        let registrations = lock.withLock { _ in
            let box = box(table)
            box.set(pointer, binding: object.binding, key: key)
            return box.registrations
        }
        registrations?.notifyStore()
    }

    /// Reserves capacity for the first objects of a table.
    func reserveFirst(_ count: Int, table: Int) {
        lock.withLock { _ in
            let box = box(table)
            if box.table.count == 0 { box.table.reserve(count) }
        }
    }

    /// Registers objects of one table together.
    ///
    /// `key` returns the key of the object at a place of the list, from where the caller has it: reading it from the object
    /// takes longer, since many new objects are not in the processor's cache any more.
    @inline(__always)
    func register(_ objects: UnsafeBufferPointer<NSManagedObject>, table: Int, key: (Int) -> Int64) {
        let registrations = lock.withLock { _ in
            let box = box(table)
            box.table.reserve(objects.count)
            guard box.registrations == nil else {
                for index in objects.indices {
                    box.set(Self.pointer(to: objects[index]), binding: objects[index].binding, key: key(index))
                }
                return box.registrations
            }
            for index in objects.indices { box.table.set(Self.pointer(to: objects[index]), for: key(index)) }
            return nil
        }
        registrations?.notifyStore()
    }

    /// Moves unsaved objects to the tables of their store, under their permanent keys.
    func rekey(_ objects: [NSManagedObject], keys: [Int64], to store: NSPersistentStore) {
        // Objects that are saved together are usually of few entities, and those of one entity follow each other.
        var runs: [(range: Range<Int>, scope: ObjectScope)] = []
        var start = 0
        while start < objects.count {
            let layout = objects[start].layout
            let end = objects[start...].firstIndex { $0.layout !== layout } ?? objects.count
            runs.append((start..<end, scope(of: store.binding(for: layout))))
            start = end
        }
        lock.withLock { _ in
            for (range, scope) in runs {
                let (box, binding) = (box(scope.binding.table), scope.binding)
                box.table.reserve(range.count)
                for index in range {
                    let object = objects[index]
                    let pointer = Self.pointer(to: object)
                    let former = object.binding.table
                    if former < tables.count { tables[former].remove(pointer, number: former, object.key) }
                    box.set(pointer, binding: binding, key: keys[index])
                }
            }
        }
        for (range, scope) in runs { for index in range { objects[index].takeIdentity(scope, key: keys[index]) } }
        store.registrations?.notifyStore()
    }

    /// Removes an object, unless another object is registered under the key.
    func unregister(_ pointer: UnsafeRawPointer, table: Int, key: Int64) {
        let registrations: StoreRegistrations? = lock.withLock { _ in
            guard table < tables.count else { return nil }
            tables[table].remove(pointer, number: table, key)
            return tables[table].registrations
        }
        registrations?.notifyStore()
    }

    /// All registered objects, in no order.
    func allObjects() -> [NSManagedObject] {
        lock.withLock { _ in
            var objects: [NSManagedObject] = []
            for box in tables {
                box.table.visit { _, pointer in
                    if let object = Self.retained(pointer) { objects.append(object) }
                }
            }
            return objects
        }
    }

    /// How many objects are registered.
    var objectCount: Int { lock.withLock { _ in tables.reduce(0) { $0 + $1.table.count } } }

    /// Unregisters every object; objects that are still referenced are no longer found.
    func removeAll() {
        let registrations = lock.withLock { _ in
            for (number, box) in tables.enumerated() {
                box.noteGoing(number: number)
                box.table.removeAll()
            }
            return tables.compactMap(\.registrations)
        }
        for one in registrations { one.notifyStore() }
    }

    /// Unregisters every object permanently, when the context is released.
    func close() {
        let former = lock.withLock { _ in
            let former = (tables, scopes, recentScope)
            for (number, box) in tables.enumerated() { box.noteGoing(number: number) }
            (tables, scopes, recentScope, isClosed) = ([], [:], nil, true)
            return former
        }
        for box in former.0 { box.registrations?.notifyStore() }
    }

    private func box(_ index: Int) -> TableBox {
        while tables.count <= index { tables.append(TableBox()) }
        return tables[index]
    }

    private static func pointer(to object: NSManagedObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    private static func retained(_ pointer: UnsafeRawPointer) -> NSManagedObject? {
        swift_tryRetain(UnsafeMutableRawPointer(mutating: pointer)).map {
            Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue()
        }
    }
}
