import CoreDataStore

/// A list of objects without duplicates, in the order of insertion.
///
/// Finding, appending and removing take constant time on average. A removed object leaves a gap in the entries, and
/// gaps are closed together, so that removing many objects one by one does not take quadratic time.
///
/// Invariants:
/// 1. If `isIndexed`, `places` has exactly the objects of the list; otherwise `entries` are the objects of the list.
/// 2. If `isIndexed` and not `isShifted`, an entry is in the list if `places` gives its index, and is a gap otherwise.
/// 3. While `isShifted` there are no gaps, and some indexes in `places` are wrong.
struct ObjectList<Object: AnyObject> {
    private var entries: [Object] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var isShifted = false
    private var isIndexed = true

    init() {}

    /// Makes a list of objects without duplicates. An index is made only when the list is changed.
    init(distinct objects: [Object]) {
        entries = objects
        isIndexed = objects.isEmpty
    }

    init(_ objects: some Sequence<Object>) {
        for object in objects { append(object) }
    }

    var count: Int { isIndexed ? places.count : entries.count }
    var isEmpty: Bool { count == 0 }

    /// The objects in their order; takes constant time while the list has no gaps.
    var objects: [Object] {
        guard entries.count > count else { return entries }
        return entries.indices.lazy.filter { places[ObjectIdentifier(entries[$0])] == $0 }.map { entries[$0] }
    }

    /// Whether an object is in the list; a linear search until the list has been changed or `index()` called.
    func contains(_ object: Object) -> Bool {
        isIndexed ? places[ObjectIdentifier(object)] != nil : entries.contains { $0 === object }
    }

    /// Makes the index, so that finding takes constant time.
    mutating func index() {
        guard !isIndexed else { return }
        isIndexed = true
        renumber()
    }

    /// Appends an object; returns false if it is in the list.
    @discardableResult mutating func append(_ object: Object) -> Bool {
        index()
        guard places[ObjectIdentifier(object)] == nil else { return false }
        places[ObjectIdentifier(object)] = entries.count
        entries.append(object)
        return true
    }

    /// Inserts an object that is not in the list at an index.
    mutating func insert(_ object: Object, at index: Int) {
        self.index()
        closeGaps()
        guard index < entries.count else {
            _ = append(object)
            return
        }
        entries.insert(object, at: index)
        places[ObjectIdentifier(object)] = index
        isShifted = true
    }

    /// Removes an object, keeping the order of the others; returns false if it is not in the list.
    @discardableResult mutating func remove(_ object: Object) -> Bool {
        index()
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

    /// Closes the gaps, which releases the removed objects.
    mutating func closeGaps() {
        guard entries.count > count else { return }
        entries = objects
        renumber()
    }

    private mutating func renumber() {
        for (index, object) in entries.enumerated() { places[ObjectIdentifier(object)] = index }
        isShifted = false
    }
}
