import CoreDataModeling

/// Managed objects without duplicates, in the order they came.
///
/// Finding, adding at the end and removing take constant time on average, so that removing all of many one by one does
/// not take the square of their number: a removed object leaves a gap, and the gaps are closed together.
///
/// Invariants:
/// 1. `places` has the objects that the list contains, and no others.
/// 2. Unless `isShifted`, an entry of `entries` is one of them where `places` gives its index, and a gap elsewhere.
/// 3. While `isShifted` there are no gaps, and some indexes in `places` are wrong.
struct ObjectList {
    private var entries: [NSManagedObject] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var isShifted = false

    init() {}

    init(_ objects: some Sequence<NSManagedObject>) {
        for object in objects { append(object) }
    }

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }

    /// The objects in their order; costs nothing while there are no gaps.
    var objects: [NSManagedObject] {
        guard entries.count > places.count else { return entries }
        return entries.indices.lazy.filter { places[ObjectIdentifier(entries[$0])] == $0 }.map { entries[$0] }
    }

    func contains(_ object: NSManagedObject) -> Bool { places[ObjectIdentifier(object)] != nil }

    /// Adds an object at the end; false when it is there already.
    @discardableResult mutating func append(_ object: NSManagedObject) -> Bool {
        guard places[ObjectIdentifier(object)] == nil else { return false }
        places[ObjectIdentifier(object)] = entries.count
        entries.append(object)
        return true
    }

    /// Puts an object that is not there before the one at an index.
    mutating func insert(_ object: NSManagedObject, at index: Int) {
        closeGaps()
        guard index < entries.count else {
            _ = append(object)
            return
        }
        entries.insert(object, at: index)
        places[ObjectIdentifier(object)] = index
        isShifted = true
    }

    /// Takes an object out, keeping the order of the others; false when it is not there.
    @discardableResult mutating func remove(_ object: NSManagedObject) -> Bool {
        guard contains(object) else { return false }
        if isShifted { renumber() }
        guard let place = places.removeValue(forKey: ObjectIdentifier(object)) else { return false }
        if place == entries.count - 1 {
            entries.removeLast()
        } else if entries.count > 2 * places.count + 32 {
            closeGaps()
        }
        return true
    }

    /// Lets go of the objects that were removed.
    mutating func closeGaps() {
        guard entries.count > places.count else { return }
        entries = objects
        renumber()
    }

    private mutating func renumber() {
        for (index, object) in entries.enumerated() { places[ObjectIdentifier(object)] = index }
        isShifted = false
    }
}
