import CoreDataModeling

/// Managed objects without duplicates, in the order they came; finding one takes constant time.
///
/// Invariant: `places[object]` is the object's place in `objects`.
struct ObjectList {
    private(set) var objects: [NSManagedObject] = []
    private var places: [ObjectIdentifier: Int] = [:]

    init() {}

    init(_ objects: some Sequence<NSManagedObject>) {
        for object in objects { append(object) }
    }

    var count: Int { objects.count }
    var isEmpty: Bool { objects.isEmpty }

    func contains(_ object: NSManagedObject) -> Bool { places[ObjectIdentifier(object)] != nil }

    /// Adds an object at the end; false when it is there already.
    @discardableResult mutating func append(_ object: NSManagedObject) -> Bool {
        guard places[ObjectIdentifier(object)] == nil else { return false }
        places[ObjectIdentifier(object)] = objects.count
        objects.append(object)
        return true
    }

    /// The place of an object, if it is there.
    func index(of object: NSManagedObject) -> Int? { places[ObjectIdentifier(object)] }

    /// Adds an object at a place, or at the end; false when it is there already.
    @discardableResult mutating func insert(_ object: NSManagedObject, at place: Int?) -> Bool {
        guard let place, place < objects.count else { return append(object) }
        guard places[ObjectIdentifier(object)] == nil else { return false }
        objects.insert(object, at: place)
        for index in place..<objects.count { places[ObjectIdentifier(objects[index])] = index }
        return true
    }

    /// Takes an object out, keeping the order of the others; false when it is not there.
    @discardableResult mutating func removeKeepingOrder(_ object: NSManagedObject) -> Bool {
        guard let place = places.removeValue(forKey: ObjectIdentifier(object)) else { return false }
        objects.remove(at: place)
        for index in place..<objects.count { places[ObjectIdentifier(objects[index])] = index }
        return true
    }

    /// Takes an object out in constant time by putting the last one in its place; false when it is not there.
    @discardableResult mutating func remove(_ object: NSManagedObject) -> Bool {
        guard let place = places.removeValue(forKey: ObjectIdentifier(object)) else { return false }
        let last = objects.removeLast()
        if last !== object {
            objects[place] = last
            places[ObjectIdentifier(last)] = place
        }
        return true
    }
}
