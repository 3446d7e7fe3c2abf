import CoreDataStore

/// The state of a context and its objects before a merge policy is called, to restore it if the save fails.
///
/// Made only when a save has a conflict; takes time in proportion to the number of registered objects.
struct ContextCheckpoint {
    private struct Record {
        let object: NSManagedObject
        let slab: RowSlab?
        let rowIndex: UInt16
        let flags: ObjectFlags
        let working: WorkingValues?
        let links: [(ToManyLinks, ToManyLinks.Contents)]

        init(_ object: NSManagedObject) {
            self.object = object
            slab = object.slab
            rowIndex = object.rowIndex
            flags = object.flags
            working = object.working.map(WorkingValues.init(copying:))
            links = (object.working?.toMany ?? []).compactMap { links in links.map { ($0, $0.contents) } }
        }
    }

    private let context: NSManagedObjectContext
    private let records: [Record]
    private let pending, unannounced, refreshed: [NSManagedObject]

    init(_ context: NSManagedObjectContext) {
        self.context = context
        records = context.registry.allObjects().map(Record.init)
        (pending, unannounced, refreshed) = (context.pending, context.unannounced, context.refreshed)
        context.registry.journal.hold()
    }

    /// The objects that have left the context since the checkpoint was made.
    var departed: [NSManagedObject] { records.lazy.map(\.object).filter { $0.registry == nil } }

    /// Restores the state, and notifies observers of observed values that change by that.
    func restore() {
        context.registry.journal.dropHeld()
        forgetNewcomers()
        for record in records { restore(record) }
        (context.pending, context.unannounced, context.refreshed) = (pending, unannounced, refreshed)
    }

    private func restore(_ record: Record) {
        let object = record.object
        if object.registry == nil { rejoin(object) }
        object.replaceValues {
            object.slab = record.slab
            object.rowIndex = record.rowIndex
            object.working = record.working
            // The program may have added or removed observers and associated values meanwhile.
            object.flags = record.flags.subtracting(.accompanied)
                .union(object.flags.intersection(.accompanied))
            for (links, contents) in record.links { links.contents = contents }
        }
    }

    private func rejoin(_ object: NSManagedObject) {
        object.move(to: context.registry.scope(of: object.binding))
        context.registry.register(object, table: object.binding.table, key: object.key)
        context.retainIfAsked(object)
    }

    /// Removes unsaved objects that were inserted since the checkpoint was made, and turns saved objects that were
    /// registered and changed since then into unchanged faults.
    private func forgetNewcomers() {
        let known = Set(records.lazy.map { ObjectIdentifier($0.object) })
        for object in context.pending + context.unannounced where !known.contains(ObjectIdentifier(object)) {
            guard object.registry != nil else { continue }
            object.flags.remove([.pending, .unannounced])
            if object.flags.contains(.temporary) {
                object.leave()
            } else {
                object.flags.remove(.changed)
                object.turnIntoFault()
            }
        }
    }
}
