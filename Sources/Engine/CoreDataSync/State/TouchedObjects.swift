/// The objects that transactions changed, by what of them can follow from that.
struct TouchedObjects {
    /// Those whose place among the others may have changed: whether they exist, with which they are one, how they are linked.
    private(set) var placed: Set<ObjectIdentity> = []
    /// Those of which only values changed that decide nothing else, with these attributes.
    private(set) var valued: [ObjectIdentity: Set<SchemaID>] = [:]

    init(placed: Set<ObjectIdentity> = []) { self.placed = placed }

    mutating func insert(_ object: ObjectIdentity) { placed.insert(object) }

    mutating func insert(_ object: ObjectIdentity, _ attribute: SchemaID) {
        guard !placed.contains(object) else { return }
        valued[object, default: []].insert(attribute)
    }
}
