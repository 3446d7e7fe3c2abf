import CSwiftRuntime
import CoreDataModeling

/// Makes managed objects of fetched rows, one for each record, however often it is fetched.
struct RowMaterializer {
    let context: NSManagedObjectContext
    let asFaults: Bool
    let refreshes: Bool

    init(context: NSManagedObjectContext, request: UntypedFetchRequest) {
        self.context = context
        asFaults = request.returnsObjectsAsFaults
        refreshes = request.shouldRefreshRefetchedObjects
    }

    mutating func objects(for runs: [RowRun], of store: NSPersistentStore) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(runs.reduce(0) { $0 + $1.range.count })
        var published: ObjectIdentifier?
        for run in runs {
            if published != ObjectIdentifier(run.slab) {
                published = ObjectIdentifier(run.slab)
                if run.slab.cache == nil { store.rowCache.publish(run.slab) }
            }
            append(run, to: &objects)
        }
        return objects
    }

    private func append(_ run: RowRun, to objects: inout [NSManagedObject]) {
        let binding = run.slab.binding
        let known = context.registry.objects(table: binding.table, run: run)
        let start = objects.count
        var made = 0
        for (offset, index) in run.range.enumerated() {
            if offset < known.count, let object = known[offset] {
                revisit(object, run.slab, index)
                objects.append(object)
            } else {
                objects.append(make(binding, run.slab, index))
                made += 1
            }
        }
        guard made > 0 else { return }
        context.registry.register(objects[start...], table: binding.table)
        if context.retainsRegisteredObjects { objects[start...].forEach(context.retainIfAsked) }
        guard !asFaults else { return }
        for (offset, object) in objects[start...].enumerated() where offset >= known.count || known[offset] == nil {
            FaultResolver.awake(object)
        }
    }

    private func make(_ binding: EntityBinding, _ slab: RowSlab, _ index: Int) -> NSManagedObject {
        let object = context.makeObject(binding, key: slab.key(index))
        object.flags = asFaults ? [.fault, .registered] : .registered
        object.slab = slab
        object.rowIndex = UInt32(index)
        return object
    }

    /// Gives an object that the context had already the values just read, if it is to have them.
    private func revisit(_ object: NSManagedObject, _ slab: RowSlab, _ index: Int) {
        if object.isFault {
            guard object.adopt(slab, index) else { return }
            guard !asFaults else { return }
            object.flags.remove([.fault, .inaccessible])
            FaultResolver.awake(object)
        } else if refreshes, !object.hasChanges {
            guard object.adopt(slab, index) else { return }
            object.working = nil
            object.awake(fromSnapshotEvents: .refresh)
        }
    }
}
