import CoreDataSQL
import PostgresKit

/// Allocates the primary keys of new rows, by root entity, from blocks that the database records as allocated.
///
/// A block is allocated by a separate statement before the save that uses its keys, so that two programs never get the
/// same block and saves do not wait for each other. Keys left in a block when the program ends are never used.
///
/// Used by one thread at a time, which has exclusive use of the store.
final class PostgresKeyAllocator {
    /// The least size of the first block; that of each further block is twice as large, up to `greatestBlock`.
    private static let leastBlock = 64
    private static let greatestBlock = 4_096

    private struct Block {
        var next: Int64
        var last: Int64
        /// The size of the next block.
        var following: Int
    }

    private let shape: PostgresShape
    private var blocks: [Int: Block] = [:]

    init(_ shape: PostgresShape) { self.shape = shape }

    /// Allocates consecutive keys for each root entity.
    func checkOut(_ demand: KeyDemand, _ session: PostgresSession) throws -> KeyGrant {
        try fill(demand, session)
        var granted: [Int: KeyGrant.Block] = [:]
        for (root, count) in demand.counts {
            guard var block = blocks[root] else { continue }
            granted[root] = .init(first: block.next, count: count)
            block.next += Int64(count)
            blocks[root] = block
        }
        return KeyGrant(granted, isRecorded: true)
    }

    /// Returns unused keys, unless later ones have been allocated.
    func checkIn(_ grant: KeyGrant) {
        for (root, block) in grant.blocks where blocks[root]?.next == block.last + 1 {
            blocks[root]?.next = block.first
        }
    }

    /// Discards the remaining keys of all blocks; called when others may have changed what is recorded.
    func forgetAll() { blocks = [:] }

    private func fill(_ demand: KeyDemand, _ session: PostgresSession) throws {
        var wanted: [(root: Int, size: Int64, following: Int)] = []
        for (root, count) in demand.counts {
            if let block = blocks[root], block.last - block.next + 1 >= Int64(count) { continue }
            let following = blocks[root]?.following ?? Self.leastBlock
            wanted.append((root, Int64(max(count, following)), min(following * 2, Self.greatestBlock)))
        }
        let numbered = wanted.compactMap { item in
            shape.rootMapping(item.root).map { (item: item, mapping: $0) }
        }
        guard !numbered.isEmpty else { return }
        let statements = numbered.map { statement($0.mapping, $0.item.size) }
        let results = try session.connection.pipeline(statements)
        for ((item, mapping), result) in zip(numbered, results) {
            guard let last = result.rowCount == 1 ? result.int64(0, 0) : nil, last >= item.size else {
                throw noKeysLeft(mapping)
            }
            blocks[item.root] = Block(next: last - item.size + 1, last: last, following: item.following)
        }
    }

    /// Returns the statement that records keys as allocated; it returns no row if the greatest key would exceed 64
    /// bits.
    private func statement(_ mapping: EntityMapping, _ size: Int64) -> PostgresStatement {
        PostgresStatement(
            "UPDATE \(shape.schema.table("Z_PRIMARYKEY")) SET Z_MAX = Z_MAX + $1::int8 "
                + "WHERE Z_ENT = $2::int8 AND Z_MAX <= 9223372036854775807 - $1::int8 RETURNING Z_MAX",
            [.integer(size), .integer(Int64(mapping.number))])
    }

    private func noKeysLeft(_ mapping: EntityMapping) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store '\(shape.location.publicURL.absoluteString)' cannot be saved: the entity '\(mapping.name)' has used "
                + "the last key there is, or is missing in Z_PRIMARYKEY.",
            hint: "Move the objects of the entity '\(mapping.name)' to a new store.")
    }
}
