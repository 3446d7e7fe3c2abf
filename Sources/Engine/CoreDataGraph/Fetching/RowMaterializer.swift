import CSwiftRuntime
import CoreDataStore

/// Makes managed objects of fetched rows; a record that has an object keeps it.
struct RowMaterializer {
    let context: NSManagedObjectContext
    let asFaults: Bool
    let refreshes: Bool

    init(context: NSManagedObjectContext, asFaults: Bool, refreshes: Bool) {
        self.context = context
        self.asFaults = asFaults
        self.refreshes = refreshes
    }

    init(context: NSManagedObjectContext, request: UntypedFetchRequest) {
        self.init(
            context: context, asFaults: request.returnsObjectsAsFaults,
            refreshes: request.shouldRefreshRefetchedObjects)
    }

    /// The objects of rows that are in the row cache already.
    func objects(for runs: [RowRun]) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        let count = runs.rowCount
        objects.reserveCapacity(count)
        if let table = runs.first?.slab.binding.table { context.registry.reserveFirst(count, table: table) }
        for run in runs { append(run, to: &objects) }
        return objects
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

    private func append(_ run: RowRun, to objects: inout [NSManagedObject]) {
        let binding = run.slab.binding
        let registry = context.registry
        let scope = registry.scope(of: binding)
        let known = registry.objects(table: binding.table, run: run)
        let flags = asFaults ? registry.memberFlags.union(.fault) : registry.memberFlags
        let start = objects.count
        var made = 0
        if known.contains(where: { $0 != nil }) {
            for (offset, index) in run.range.enumerated() {
                // A damaged reference may have registered an object of another entity under the key, which is not this
                // record's.
                if let object = known[offset], object.layout === binding.layout {
                    revisit(object, slab: run.slab, index: index)
                    objects.append(object)
                } else {
                    appendNew(
                        RowRun(slab: run.slab, range: index..<index + 1), scope: scope, flags: flags, to: &objects)
                    made += 1
                }
            }
        } else {
            appendNew(run, scope: scope, flags: flags, to: &objects)
            made = run.range.count
        }
        guard made > 0 else { return }
        registry.register(objects, from: start, table: binding.table) { objects[$0].key }
        if context.retainsRegisteredObjects { objects[start...].forEach(context.retainIfAsked) }
        guard !asFaults else { return }
        for offset in 0..<objects.count - start {
            let object = objects[start + offset]
            if offset < known.count, known[offset] === object { continue }
            FaultResolver.awake(object)
        }
    }

    private func appendNew(
        _ run: RowRun, scope: ObjectScope, flags: ObjectFlags, to objects: inout [NSManagedObject]
    ) {
        let slab = run.slab
        let first = run.range.lowerBound
        let pointer = Unmanaged.passUnretained(slab).toOpaque()
        // Each object consumes one of these references.
        swift_retain_n(pointer, UInt32(run.range.count))
        scope.appendObjects(run.range.count, to: &objects) { object, number in
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
        } else if refreshes, !object.hasChanges {
            object.replaceValues {
                guard object.adopt(slab, index) else { return }
                object.working = nil
                object.awake(fromSnapshotEvents: .refresh)
            }
        }
    }
}
