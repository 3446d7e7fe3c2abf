import CSwiftRuntime
import CoreDataStore
import Synchronization

/// Recording events of a context; `since` is the result of `coredata_instruments_start`, 0 when nothing is recorded.
extension NSManagedObjectContext {
    /// An event of the context, which has the context's name, number and queue.
    func instrumentEvent(_ kind: InstrumentEvent.Kind, since start: UInt64) -> InstrumentEvent {
        var event = InstrumentEvent(kind, since: start)
        event.context = instrumentNumber
        event.contextName = name ?? ""
        event.queue = concurrencyType == .mainQueueConcurrencyType ? "main" : queue.label
        event.registered = registry.objectCount
        event.model = persistentStoreCoordinator?.managedObjectModel
        return event
    }

    /// Reports a fault whose row was asked of the store.
    func recordFault(_ object: NSManagedObject, since start: UInt64) {
        var event = instrumentEvent(.fault, since: start)
        event.entity = object.entity.name ?? ""
        event.store = object.binding.store?.instrumentName ?? ""
        event.rows = 1
        if object.slab != nil { event.flags = .readAhead }
        InstrumentRecorder.record(event)
    }

    /// Reports a relationship that was read, of one object or of many together.
    func recordMembers(
        _ kind: InstrumentEvent.Kind, _ relationship: NSRelationshipDescription, of owner: NSManagedObject?, rows: Int,
        since start: UInt64
    ) {
        var event = instrumentEvent(kind, since: start)
        event.entity = relationship.entity?.name ?? owner?.entity.name ?? ""
        event.store = owner?.binding.store?.instrumentName ?? ""
        event.detail = relationship.name
        event.rows = rows
        InstrumentRecorder.record(event)
    }

    private var instrumentNumber: UInt32 {
        let known = queue.instrumentNumber.load(ordering: .relaxed)
        guard known == 0 else { return known }
        let number = InstrumentRecorder.numberForContext()
        let (_, former) = queue.instrumentNumber.compareExchange(
            expected: 0, desired: number, ordering: .relaxed)
        return former == 0 ? number : former
    }
}

extension NSPersistentStore {
    /// What recordings call the store: the name of its file.
    var instrumentName: String {
        access.recordedName.withLock { name in
            if let name { return name }
            let found = url?.lastPathComponent ?? ""
            name = found
            return found
        }
    }
}
