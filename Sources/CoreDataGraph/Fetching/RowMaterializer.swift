import CoreDataModeling

/// Makes managed objects of fetched rows, one for each record, however often it is fetched.
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

    /// The objects of rows that have been published already.
    func objects(for runs: [RowRun]) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        let count = runs.rowCount
        objects.reserveCapacity(count)
        if let table = runs.first?.slab.binding.table { context.registry.reserveFirst(count, table: table) }
        for run in runs { append(run, to: &objects) }
        return objects
    }

    /// The object of one address, with what is known of its row.
    func object(at address: RowAddress, row: RowReference?) -> NSManagedObject {
        if let known = context.registry.object(table: address.binding.table, key: address.key) {
            if let row { revisit(known, row.slab, row.index) }
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
        let known = registry.objects(table: binding.table, run: run)
        let start = objects.count
        var made = 0
        for index in run.range {
            let offset = index - run.range.lowerBound
            // A damaged reference can have made an object of another entity for the key: it is not this record.
            if offset < known.count, let object = known[offset], object.layout === binding.layout {
                revisit(object, run.slab, index)
                objects.append(object)
            } else {
                objects.append(make(binding, registry, run.slab, index))
                made += 1
            }
        }
        guard made > 0 else { return }
        registry.register(objects, from: start, table: binding.table)
        if context.retainsRegisteredObjects { objects[start...].forEach(context.retainIfAsked) }
        guard !asFaults else { return }
        for offset in 0..<objects.count - start {
            let object = objects[start + offset]
            if offset < known.count, known[offset] === object { continue }
            FaultResolver.awake(object)
        }
    }

    private func make(
        _ binding: EntityBinding, _ registry: ObjectRegistry, _ slab: RowSlab, _ index: Int
    ) -> NSManagedObject {
        let object = binding.makeObject()
        object.registry = registry
        object.key = slab.key(index)
        object.flags.formUnion(asFaults ? registry.memberFlags.union(.fault) : registry.memberFlags)
        object.slab = slab
        object.rowIndex = UInt32(index)
        return object
    }

    /// Gives an object that the context had already the values just read, if it is to have them.
    private func revisit(_ object: NSManagedObject, _ slab: RowSlab, _ index: Int) {
        guard object.layout === slab.layout else { return }
        if object.isFault {
            guard object.adoptAsFault(slab, index) else { return }
            guard !asFaults else { return }
            object.flags.remove([.fault, .inaccessible, .countsAsDeleted])
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
