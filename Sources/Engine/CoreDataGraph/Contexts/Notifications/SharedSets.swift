import CoreDataStore

/// Sets that were made of lists of objects, given again for the same list: a save reports its objects when they change
/// and when they are saved, and hashing them is most of what that takes.
struct SharedSets<Object: AnyObject & Hashable> {
    private var made: [(list: [Object], set: Set<Object>)] = []
    /// As many as there are kinds of changes.
    private static var mostKept: Int { 3 }

    /// The set of the objects of a list.
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
    /// Makes a set of many objects with room for twice as many, so that few of them meet in one place and are compared.
    init(sparse list: [Element]) {
        self.init(minimumCapacity: list.count * 2)
        for element in list { insert(element) }
    }
}
