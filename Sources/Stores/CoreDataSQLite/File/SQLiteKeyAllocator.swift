import CoreDataSQL
import SQLiteKit

/// Allocates the primary keys of new rows, by root entity.
///
/// `Z_PRIMARYKEY` records the greatest key ever allocated for each root entity. Keys are checked out after that key
/// without a transaction; the transaction that inserts their rows records them, after it has verified that no other
/// connection has changed the record meanwhile. A record below the greatest key in the table is corrected; when keys
/// run out, it throws.
///
/// Used by one thread at a time, which has exclusive use of the store and passes its current connection with each call.
final class SQLiteKeyAllocator {
    /// The known keys of one root entity.
    private struct KeySequence {
        /// The value of `Z_MAX` in the file.
        var recorded: Int64
        /// The next unused key.
        var next: Int64
        /// Identifies the sequence; blocks of keys checked out from it have the same number.
        let serial: Int
    }

    private let shape: StoreShape
    private var sequences: [Int: KeySequence] = [:]
    /// The values of `Z_MAX` that the current transaction has written.
    private var written: [Int: Int64] = [:]
    private var lastSerial = 0

    init(_ shape: StoreShape) { self.shape = shape }

    /// Checks out the next keys; they are allocated once the transaction that calls `claim` is committed.
    func checkOut(_ demand: KeyDemand, _ connection: Connection) throws -> KeyGrant {
        var blocks: [Int: KeyGrant.Block] = [:]
        for (root, count) in demand.counts {
            guard let mapping = shape.rootMapping(root) else { continue }
            var sequence = try sequences[root] ?? makeSequence(mapping, connection)
            let (next, overflow) = sequence.next.addingReportingOverflow(Int64(count))
            guard !overflow else { throw noKeysLeft(mapping) }
            blocks[root] = .init(first: sequence.next, count: count, serial: sequence.serial)
            sequence.next = next
            sequences[root] = sequence
        }
        return KeyGrant(blocks)
    }

    /// Returns unused keys, unless later ones have been checked out.
    func checkIn(_ grant: KeyGrant) {
        for (root, block) in grant.blocks where !grant.isRecorded {
            guard let sequence = sequences[root], sequence.serial == block.serial, sequence.next == block.last + 1
            else {
                continue
            }
            sequences[root]?.next = block.first
        }
    }

    // MARK: Within a transaction

    /// Records keys that were checked out as allocated.
    ///
    /// - Throws: `SaveRefusal` with `keysTaken` if another connection has allocated keys since they were checked out.
    func claim(_ grant: KeyGrant, _ connection: Connection) throws {
        guard !grant.isRecorded else { return }
        for (root, block) in grant.blocks {
            guard let mapping = shape.rootMapping(root) else { continue }
            let recorded = try recordedKey(mapping, connection)
            guard let sequence = sequences[root], sequence.serial == block.serial, sequence.recorded == recorded else {
                sequences[root] = nil
                throw SaveRefusal(outcome: .keysTaken)
            }
            if block.last > recorded { try record(block.last, of: mapping, root: root, connection: connection) }
        }
    }

    /// Allocates keys and records them.
    func reserve(_ demand: KeyDemand, _ connection: Connection) throws -> KeyGrant {
        var blocks: [Int: KeyGrant.Block] = [:]
        for (root, count) in demand.counts {
            guard let mapping = shape.rootMapping(root) else { continue }
            let greatest = try greatestKey(root, connection)
            let (last, overflow) = greatest.addingReportingOverflow(Int64(count))
            guard !overflow else { throw noKeysLeft(mapping) }
            try record(last, of: mapping, root: root, connection: connection)
            blocks[root] = .init(first: greatest + 1, count: count)
        }
        return KeyGrant(blocks, isRecorded: true)
    }

    /// Returns the greatest key that any connection has allocated for a root entity.
    func greatestKey(_ root: Int, _ connection: Connection) throws -> Int64 {
        guard let mapping = shape.rootMapping(root) else { return 0 }
        if let sequence = sequences[root], sequence.recorded == (try recordedKey(mapping, connection)) {
            return sequence.next - 1
        }
        let sequence = try makeSequence(mapping, connection)
        sequences[root] = sequence
        return sequence.next - 1
    }

    /// Records the keys up to `key` as allocated.
    func record(_ key: Int64, of root: Int, _ connection: Connection) throws {
        guard let mapping = shape.rootMapping(root) else { return }
        try record(key, of: mapping, root: root, connection: connection)
    }

    /// Called at the end of a transaction: keeps what it recorded if it was committed, and discards it otherwise.
    func finish(wasCommitted: Bool) {
        defer { written = [:] }
        guard wasCommitted else { return }
        for (root, key) in written {
            guard var sequence = sequences[root] else { continue }
            sequence.recorded = key
            sequence.next = max(sequence.next, key &+ 1)
            sequences[root] = sequence
        }
    }

    /// Discards everything known about the file; `claim` then throws for keys that are checked out.
    func forgetAll() { sequences = [:] }

    func noKeysLeft(_ mapping: EntityMapping) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store '\(shape.url.path)' cannot be saved: the table \(mapping.table) has used the last key there is.",
            hint: "Move the objects of the entity '\(mapping.name)' to a new store.")
    }

    // MARK: The file

    private func makeSequence(_ mapping: EntityMapping, _ connection: Connection) throws -> KeySequence {
        let recorded = try recordedKey(mapping, connection)
        let actual = try connection.value("SELECT max(Z_PK) FROM \(SQLIdentifier.quoted(mapping.table))")?.integer
        let greatest = max(recorded, actual ?? 0)
        guard greatest < .max else { throw noKeysLeft(mapping) }
        lastSerial += 1
        return KeySequence(recorded: recorded, next: greatest + 1, serial: lastSerial)
    }

    private func recordedKey(_ mapping: EntityMapping, _ connection: Connection) throws -> Int64 {
        let recorded = try connection.value(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(mapping.number))])
        return max(0, recorded?.integer ?? 0)
    }

    private func record(_ key: Int64, of mapping: EntityMapping, root: Int, connection: Connection) throws {
        try connection.execute(
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) "
                + "ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3",
            [.integer(Int64(mapping.number)), .text(mapping.name), .integer(key)])
        written[root] = key
    }
}
