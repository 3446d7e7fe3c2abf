import CoreData

/// The naive twin of a context: the objects that it has values of, and where it reads from.
final class ReferenceContext {
    let store: ReferenceStore
    let parent: ReferenceContext?
    var policy: NSMergePolicyType
    /// The objects with values; faults are as if they were not there.
    var objects: [Int: ReferenceObject] = [:]
    /// What was deleted here before it was ever saved, though children had brought it back under an identifier that others
    /// know: it is not seen through this context before the next save.
    private(set) var withdrawn: Set<Int> = []
    let events: ContextEvents

    init(_ store: ReferenceStore, parent: ReferenceContext?, policy: NSMergePolicyType, _ events: ContextEvents) {
        (self.store, self.parent, self.policy, self.events) = (store, parent, policy, events)
    }

    // MARK: Reading

    /// What a record is read as.
    func origin(_ number: Int) -> ReferenceRow? { parent == nil ? store.rows[number] : parent?.present(number) }

    /// What children see of a record.
    func present(_ number: Int) -> ReferenceRow? {
        guard let object = objects[number] else { return withdrawn.contains(number) ? nil : origin(number) }
        if object.life == .deleted { return nil }
        return ReferenceRow(values: object.values, version: object.snapshot.version)
    }

    /// Whether a record is there in this context and in all that it reads from, so that its members can be told.
    func isSound(_ number: Int) -> Bool {
        if withdrawn.contains(number) { return false }
        if let life = objects[number]?.life, life == .deleted || life == .inserted { return life == .inserted }
        return parent?.isSound(number) ?? (store.rows[number] != nil)
    }

    /// What the members of a record's tags are read as.
    func originTags(_ number: Int) -> Set<Int> { parent?.tags(number) ?? store.tags[number] ?? [] }

    /// What a record is tagged with, as it is now.
    func tags(_ number: Int) -> Set<Int> {
        if withdrawn.contains(number) { return [] }
        let stored = originTags(number)
        guard let object = objects[number] else { return stored }
        if object.life == .deleted { return [] }
        return stored.subtracting(object.removedTags).union(object.addedTags)
    }

    func setTag(_ tag: Int, of number: Int, _ isOn: Bool) {
        let (stored, present) = (originTags(number), tags(number))
        guard present.contains(tag) != isOn else { return }
        if isOn { objects[number]?.tag(tag, stored: stored) } else { objects[number]?.untag(tag, stored: stored) }
    }

    /// What fetches are asked about: the origin's records, and what was changed here.
    var fetchable: [Int: NodeValues] {
        var found = parent?.fetchable ?? store.rows.mapValues(\.values)
        for number in withdrawn { found[number] = nil }
        for (number, object) in objects where object.hasChanges {
            found[number] = object.life == .deleted ? nil : object.values
        }
        return found
    }

    /// Gives a record its values here; false when there is none.
    @discardableResult func fill(_ number: Int) -> Bool {
        if objects[number] != nil { return true }
        guard !withdrawn.contains(number), let row = origin(number) else { return false }
        objects[number] = ReferenceObject(snapshot: row)
        return true
    }

    // MARK: Changing

    func insert(_ number: Int) {
        objects[number] = ReferenceObject(life: .inserted)
        withdrawn.remove(number)
    }

    func delete(_ number: Int) {
        guard let object = objects[number] else { return }
        guard object.life == .inserted else {
            objects[number]?.life = .deleted
            return
        }
        objects[number] = nil
        withdrawn.insert(number)
    }

    /// Deletions that nothing was saved of are over.
    func forgetWithdrawn() { withdrawn = [] }

    func rollBack() {
        forgetWithdrawn()
        for (number, object) in objects where object.hasChanges {
            events.note(.rollback(object.life))
            if object.life == .inserted { objects[number] = nil } else { objects[number]?.forgetChanges() }
        }
    }

    func reset() {
        forgetWithdrawn()
        if objects.values.contains(where: \.hasChanges) { events.note(.resetWithChanges) }
        objects = [:]
    }

    /// Reads an object again and keeps what was changed in it.
    func refresh(_ number: Int) {
        guard let object = objects[number], object.life != .inserted else { return }
        guard let row = origin(number) else {
            events.note(object.hasChanges ? .refreshOfGoneWithChanges : .refreshOfGone)
            if !object.hasChanges { objects[number] = nil }
            return
        }
        if object.snapshot != row, object.hasChanges { events.note(.refreshWithChanges(object.life)) }
        objects[number]?.snapshot = row
    }

    // MARK: Merging

    func merge(_ notice: ReferenceNotice) {
        for number in notice.deleted {
            guard let object = objects[number], object.life != .inserted else { continue }
            events.note(.mergedDeletion(object.life))
            objects[number] = nil
        }
        for number in notice.inserted.union(notice.updated) {
            guard let object = objects[number], object.life != .inserted else { continue }
            guard let row = store.rows[number] else {
                events.note(.mergedUpdateOfGone)
                objects[number] = nil
                continue
            }
            if object.snapshot != row { events.note(.mergedUpdate(object.life)) }
            objects[number]?.snapshot = row
        }
    }

    // MARK: What is to be saved

    var changed: [Int] { objects.keys.filter { objects[$0]?.hasChanges == true }.sorted() }
    var hasChanges: Bool { !changed.isEmpty }

    func numbers(_ life: ReferenceObject.Life) -> Set<Int> { Set(objects.filter { $0.value.life == life }.keys) }

    var notice: ReferenceNotice {
        ReferenceNotice(inserted: numbers(.inserted), updated: numbers(.updated), deleted: numbers(.deleted))
    }
}
