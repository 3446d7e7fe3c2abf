import CoreDataStore

/// A deleted object's values and members, from which undo inserts it again after its deletion has been saved.
///
/// Reads large values when the object is marked as deleted, since the save may remove their files; `capture()` reads
/// the other values when the object leaves its context.
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

    /// Whether `capture()` has read the values.
    var isComplete: Bool { !values.isEmpty }

    /// Copies the values and members of the object, which is about to leave its context.
    func capture() {
        guard !isComplete, !object.isFault else { return }
        let layout = object.layout
        values = (0..<layout.slots.count).map { large[$0] ?? object.presentValue($0) }
        members = layout.toMany.indices.map { object.toManyLinks($0)?.objects ?? [] }
        large = [:]
    }

    /// Sets the captured values and members in the object, which has been inserted again.
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
