import CoreDataStore

/// What is left of a deleted object: enough to insert it again once its deletion has been saved.
///
/// Large values are read when the object is marked, since the save may take their files away; the others when the
/// object leaves its context.
final class DeletedObjectSnapshot {
    let object: NSManagedObject
    private var large: [Int: HeldValue] = [:]
    private var values: [HeldValue] = []
    private var members: [[NSManagedObject]] = []

    init(_ object: NSManagedObject) {
        self.object = object
        for slot in 0..<object.layout.storedCount where object.layout.isLarge(slot) {
            large[slot] = object.presentValue(slot)
        }
    }

    /// Whether the object has left its context.
    var isComplete: Bool { !values.isEmpty }

    /// Takes over the values of the object, which is about to leave its context.
    func capture() {
        guard !isComplete, !object.isFault else { return }
        let layout = object.layout
        values = (0..<layout.slots.count).map { large[$0] ?? object.presentValue($0) }
        members = layout.toMany.indices.map { object.toManyLinks($0)?.objects ?? [] }
        large = [:]
    }

    /// Gives the object, now a new one, what it had.
    func restore() {
        let working = object.workingValues()
        for (slot, value) in values.enumerated() where !object.layout.traits[slot].contains(.targetNumber) {
            object.store(value, slot)
        }
        working.toMany = zip(object.layout.toMany, members).map { relationship, members in
            ToManyLinks(isOrdered: relationship.isOrdered, adding: members)
        }
    }
}
