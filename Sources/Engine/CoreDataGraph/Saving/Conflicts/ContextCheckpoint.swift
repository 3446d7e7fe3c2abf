import CoreDataStore

/// The state of a context and its objects before a merge policy is called, to be restored if the save fails after all.
///
/// Made only once a conflict is met; takes time in proportion to the objects that the context has.
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

    /// The objects that have left the context since.
    var departed: [NSManagedObject] { records.lazy.map(\.object).filter { $0.registry == nil } }

    /// Makes everything what it was; observers are notified of what they see change by it.
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
            // Observers may have been added to, or removed from the object meanwhile.
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

    /// Objects that came into the context meanwhile are as if they had just been fetched, or had never been made.
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
