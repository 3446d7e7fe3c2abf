import CoreDataStore

/// Objects without duplicates, in the order they came.
///
/// Finding, adding at the end and removing take constant time on average, so that removing many one by one does
/// not take quadratic time: a removed object leaves a gap, and the gaps are closed together.
///
/// Invariants:
/// 1. Once `isIndexed`, `places` has the objects that the list contains, and no others; before, these are `entries`.
/// 2. Unless `isShifted`, an entry of `entries` is one of them where `places` gives its index, and a gap elsewhere.
/// 3. While `isShifted` there are no gaps, and some indexes in `places` are wrong.
struct ObjectList<Object: AnyObject> {
    private var entries: [Object] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var isShifted = false
    private var isIndexed = true

    init() {}

    /// A list of objects of which none is there twice. What is only read needs no index, and gets none.
    init(distinct objects: [Object]) {
        entries = objects
        isIndexed = objects.isEmpty
    }

    init(_ objects: some Sequence<Object>) {
        for object in objects { append(object) }
    }

    var count: Int { isIndexed ? places.count : entries.count }
    var isEmpty: Bool { count == 0 }

    /// The objects in their order; free of cost while the list is without gaps.
    var objects: [Object] {
        guard entries.count > count else { return entries }
        return entries.indices.lazy.filter { places[ObjectIdentifier(entries[$0])] == $0 }.map { entries[$0] }
    }

    /// Whether an object is in the list; looks at one after the other until the list has been changed or `index()` called.
    func contains(_ object: Object) -> Bool {
        isIndexed ? places[ObjectIdentifier(object)] != nil : entries.contains { $0 === object }
    }

    /// Makes finding take constant time.
    mutating func index() {
        guard !isIndexed else { return }
        isIndexed = true
        renumber()
    }

    /// Adds an object at the end; false when it is there already.
    @discardableResult mutating func append(_ object: Object) -> Bool {
        index()
        guard places[ObjectIdentifier(object)] == nil else { return false }
        places[ObjectIdentifier(object)] = entries.count
        entries.append(object)
        return true
    }

    /// Puts an object that is not there before the one at an index.
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

    /// Takes an object out, keeping the order of the others; false when it is not there.
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

    /// Releases the objects that were removed.
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
