import CoreDataStore

/// Keeps the sets made of lists of objects and returns them again for the same lists: a save reports its objects when
/// they change and when they are saved, and most of the time of that is spent hashing them.
struct SharedSets<Object: AnyObject & Hashable> {
    private var made: [(list: [Object], set: Set<Object>)] = []
    /// The number of kinds of changes.
    private static var mostKept: Int { 3 }

    /// The set of a list's objects; one that was made before if the list has the same objects in the same order.
    mutating func set(_ list: [Object]) -> Set<Object> {
        for known in made where Self.isSame(known.list, list) { return known.set }
        let set = Set(sparse: list)
        if made.count == Self.mostKept { made.removeFirst() }
        made.append((list, set))
        return set
    }

    private static func isSame(_ one: [Object], _ other: [Object]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).allSatisfy { $0 === $1 }
    }
}

extension Set where Element: AnyObject {
    /// Makes a set of many objects with capacity for twice as many, so that there are few hash collisions.
    init(sparse list: [Element]) {
        self.init(minimumCapacity: list.count * 2)
        for element in list { insert(element) }
    }
}
