import CoreDataStore
import CoreDataSync

/// Which row has which object: read from the side table when it is asked for, and written back with the rows.
final class IdentityMap {
    /// A row: its root entity and key.
    struct Row: Hashable {
        let root: SchemaID
        let key: Int64
    }

    /// Where an object's row is, and its entity.
    struct Place: Hashable {
        let row: Row
        let entity: SchemaID
    }

    private let side: any SideTableKeeping
    private var identities: [Row: ObjectIdentity?] = [:]
    private var places: [ObjectIdentity: Place?] = [:]
    private var changes: [[UInt8]: [UInt8]?] = [:]

    init(_ side: any SideTableKeeping) { self.side = side }

    func identity(of row: Row) throws -> ObjectIdentity? {
        if let known = identities[row] { return known }
        let found = try side.sideValue(for: Self.key(row)).flatMap(Self.identity)
        identities[row] = .some(found)
        return found
    }

    func place(of object: ObjectIdentity) throws -> Place? {
        if let known = places[object] { return known }
        let found = try side.sideValue(for: Self.key(object)).flatMap(Self.place)
        places[object] = .some(found)
        return found
    }

    func set(_ object: ObjectIdentity, _ place: Place) {
        identities[place.row] = object
        places[object] = place
        changes[Self.key(place.row)] = Self.bytes(object)
        changes[Self.key(object)] = Self.bytes(place)
    }

    func remove(_ object: ObjectIdentity) throws {
        guard let place = try place(of: object) else { return }
        places[object] = .some(nil)
        changes[Self.key(object)] = .some(nil)
        guard try identity(of: place.row) == object else { return }
        identities[place.row] = .some(nil)
        changes[Self.key(place.row)] = .some(nil)
    }

    /// All rows of a root entity that have objects.
    func rows(ofRoot root: SchemaID) throws -> [Int64: ObjectIdentity] {
        var found: [Int64: ObjectIdentity] = [:]
        for entry in try side.sideEntries(withPrefix: Self.prefix(root)) {
            guard entry.key.count == 13, let object = entry.value.flatMap(Self.identity) else { continue }
            let row = Row(root: root, key: Int64(bitPattern: SideNumber.number(entry.key[5...])))
            if identities[row] == nil { found[row.key] = object }
        }
        for (row, object) in identities where row.root == root { if let object { found[row.key] = object } }
        return found
    }

    /// Calls a block with each object that has a row, and the row.
    static func enumeratePlaces(
        _ side: any SideTableKeeping, _ body: (ObjectIdentity, Place) throws -> Void
    ) throws {
        var last: [UInt8]?
        while true {
            let entries = try side.sideEntries(withPrefix: [AdapterKey.row], after: last, atMost: 1_000)
            guard let end = entries.last else { return }
            last = end.key
            for entry in entries {
                guard let object = identity(Array(entry.key.dropFirst())), let place = entry.value.flatMap(place)
                else { continue }
                try body(object, place)
            }
        }
    }

    /// Forgets what was read and written, so that the memory does not grow with the store.
    func forget() {
        identities = [:]
        places = [:]
    }

    /// The entries to write since the last call.
    func takeChanges() -> [SideEntry] {
        defer { changes = [:] }
        return changes.map { SideEntry(key: $0.key, value: $0.value) }
    }

    // MARK: Bytes

    private static func prefix(_ root: SchemaID) -> [UInt8] {
        [AdapterKey.identity] + SideNumber.bytes(UInt64(root.rawValue), 4)
    }

    private static func key(_ row: Row) -> [UInt8] {
        prefix(row.root) + SideNumber.bytes(UInt64(bitPattern: row.key), 8)
    }

    private static func key(_ object: ObjectIdentity) -> [UInt8] { [AdapterKey.row] + bytes(object) }

    static func bytes(_ object: ObjectIdentity) -> [UInt8] {
        SideNumber.bytes(object.creation.author.rawValue, 8) + SideNumber.bytes(object.creation.sequence, 8)
            + SideNumber.bytes(UInt64(object.ordinal), 4)
    }

    private static func bytes(_ place: Place) -> [UInt8] {
        SideNumber.bytes(UInt64(place.row.root.rawValue), 4) + SideNumber.bytes(UInt64(place.entity.rawValue), 4)
            + SideNumber.bytes(UInt64(bitPattern: place.row.key), 8)
    }

    private static func identity(_ bytes: [UInt8]) -> ObjectIdentity? {
        guard bytes.count == 20 else { return nil }
        return ObjectIdentity(
            TransactionID(PeerID(SideNumber.number(bytes[0..<8])), SideNumber.number(bytes[8..<16])),
            UInt32(truncatingIfNeeded: SideNumber.number(bytes[16..<20])))
    }

    private static func place(_ bytes: [UInt8]) -> Place? {
        guard bytes.count == 16 else { return nil }
        let root = SchemaID(rawValue: UInt32(truncatingIfNeeded: SideNumber.number(bytes[0..<4])))
        let entity = SchemaID(rawValue: UInt32(truncatingIfNeeded: SideNumber.number(bytes[4..<8])))
        return Place(row: Row(root: root, key: Int64(bitPattern: SideNumber.number(bytes[8..<16]))), entity: entity)
    }
}
