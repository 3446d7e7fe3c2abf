import CSwiftRuntime
import CoreDataStore

/// Makes managed objects of fetched rows; a record that has an object keeps it.
struct RowMaterializer {
    let context: NSManagedObjectContext
    let asFaults: Bool
    let refreshes: Bool
    /// Whether objects adopt rows that are newer than their values.
    let renewsOlder: Bool

    init(context: NSManagedObjectContext, asFaults: Bool, refreshes: Bool, renewsOlder: Bool = false) {
        self.context = context
        self.asFaults = asFaults
        self.refreshes = refreshes
        self.renewsOlder = renewsOlder
    }

    init(context: NSManagedObjectContext, request: UntypedFetchRequest) {
        self.init(
            context: context, asFaults: request.returnsObjectsAsFaults,
            refreshes: request.shouldRefreshRefetchedObjects, renewsOlder: request.renewsOlderObjects)
    }

    /// The objects of rows that are in the row cache already.
    func objects(for runs: [RowRun]) -> [NSManagedObject] {
        let count = runs.rowCount
        // An array without elements is one object of the whole process, into which this initializer writes its count.
        guard count > 0 else { return [] }
        if let table = runs.first?.slab.binding.table { context.registry.reserveFirst(count, table: table) }
        return Array(unsafeUninitializedCapacity: count) { buffer, made in
            for run in runs {
                materialize(run, at: UnsafeMutableBufferPointer(rebasing: buffer[made..<made + run.range.count]))
                made += run.range.count
            }
        }
    }

    /// The object at an address, with its row if that is known.
    func object(at address: RowAddress, row: RowSnapshot?) -> NSManagedObject {
        if let known = context.registry.object(table: address.binding.table, key: address.key) {
            if let row { revisit(known, slab: row.slab, index: row.index) }
            return known
        }
        let object = context.object(at: address)
        guard let row, object.adopt(row.slab, row.index), !asFaults else { return object }
        object.flags.remove(.fault)
        FaultResolver.awake(object)
        return object
    }

    /// Initializes memory with the objects of a run's rows.
    private func materialize(_ run: RowRun, at places: UnsafeMutableBufferPointer<NSManagedObject>) {
        let binding = run.slab.binding
        let registry = context.registry
        let scope = registry.scope(of: binding)
        let known = registry.objects(table: binding.table, run: run)
        let first = run.range.lowerBound
        let hasKnown = known.contains { $0 != nil }
        var made = 0
        if hasKnown {
            for offset in places.indices {
                // A damaged reference can have made an object of another entity for the key: it is not this record.
                if let object = known[offset], object.layout === binding.layout {
                    places.initializeElement(at: offset, to: object)
                } else {
                    let place = UnsafeMutableBufferPointer(rebasing: places[offset...offset])
                    makeObjects(of: run.slab, from: first + offset, scope: scope, at: place)
                    made += 1
                }
            }
        } else {
            makeObjects(of: run.slab, from: first, scope: scope, at: places)
            made = places.count
        }
        if made > 0 {
            registry.register(UnsafeBufferPointer(places), table: binding.table) { run.slab.key(first + $0) }
            if context.retainsRegisteredObjects { places.forEach(context.retainIfAsked) }
        }
        // Methods of the program are called once all objects are registered: one that fetches gets the same objects.
        if hasKnown {
            for (offset, object) in places.enumerated() where known[offset] === object {
                revisit(object, slab: run.slab, index: first + offset)
            }
        }
        guard made > 0, !asFaults, registry.calls(.awakeFromFetch, of: binding.layout) else { return }
        for (offset, object) in places.enumerated() where !hasKnown || known[offset] !== object {
            FaultResolver.awake(object)
        }
    }

    /// Initializes memory with new objects for rows of a slab that follow each other.
    private func makeObjects(
        of slab: RowSlab, from first: Int, scope: ObjectScope, at places: UnsafeMutableBufferPointer<NSManagedObject>
    ) {
        let memberFlags = context.registry.memberFlags
        let flags = asFaults ? memberFlags.union(.fault) : memberFlags
        let pointer = Unmanaged.passUnretained(slab).toOpaque()
        // Each object consumes one of these references.
        swift_retain_n(pointer, UInt32(places.count))
        scope.makeObjects(at: places) { object, number in
            object.key = slab.key(first + number)
            object.flags.formUnion(flags)
            object.slab = Unmanaged<RowSlab>.fromOpaque(pointer).takeRetainedValue()
            object.rowIndex = UInt16(first + number)
        }
    }

    /// Updates an object that the context already had with the row just read, if it is a fault or the request refreshes
    /// objects.
    private func revisit(_ object: NSManagedObject, slab: RowSlab, index: Int) {
        guard object.layout === slab.layout else { return }
        if object.flags.contains(.mergedDeletion) { object.renewFault() }
        if object.isFault {
            guard object.adoptAsFault(slab, index) else { return }
            guard !asFaults else { return }
            object.flags.subtract(ObjectFlags.gone.union(.fault))
            if object.working != nil { object.releaseFormerTargets() }
            FaultResolver.awake(object)
        } else if refreshes || renewsOlder && slab.version(index) > object.snapshotVersion, !object.hasChanges {
            object.replaceValues {
                guard object.adopt(slab, index) else { return }
                object.working = nil
                object.awake(fromSnapshotEvents: .refresh)
            }
        }
    }
}
