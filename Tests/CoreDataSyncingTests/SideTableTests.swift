import CoreData
import CoreDataPostgres
import CoreDataStore
import StoreContract
import TestBasics
import TestServers
import Testing

/// What every store with a side table must do.
@Suite("Side tables")
struct SideTableTests {
    private static let kinds: [StoreKind] =
        [.sqlite, .inMemory] + (PostgresServer.isAvailable ? [.postgreSQL] : [])

    private func stack(_ kind: StoreKind) throws -> Stack {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        guard kind.type == StoreKind.postgreSQL.type else {
            return try Stack(SyncModel.make(), kind: kind, options: options)
        }
        let url = try PostgresServer.shared.get().makeURL("side")
        return try Stack(SyncModel.make(), url: url, kind: kind, options: options)
    }

    @Test("entries are read by key and by prefix, in the order of their bytes", arguments: kinds)
    func entriesAreOrdered(kind: StoreKind) throws {
        let stack = try stack(kind)
        let entries = [[1], [1, 0], [1, 255], [1, 255, 255], [2], [255], [255, 255]] as [[UInt8]]
        try stack.store.changingBelowContexts { source, _ in
            let side = try #require(source.sideTable)
            #expect(try side.sideEntries(withPrefix: []) == [])
            try side.writeSideEntries(entries.reversed().map { SideEntry(key: $0, value: [0] + $0) })
            #expect(try side.sideValue(for: [1, 255]) == [0, 1, 255])
            #expect(try side.sideValue(for: [3]) == nil)
            #expect(try side.sideEntries(withPrefix: []).map(\.key) == entries)
            #expect(try side.sideEntries(withPrefix: [1]).map(\.key) == Array(entries[0...3]))
            #expect(try side.sideEntries(withPrefix: [255]).map(\.key) == Array(entries[5...]))
            try side.writeSideEntries([SideEntry(key: [1], value: nil), SideEntry(key: [2], value: [])])
            #expect(try side.sideValue(for: [1]) == nil)
            #expect(try side.sideValue(for: [2]) == [])
        }
    }

    @Test("what a block wrote is gone if it throws, where the store groups saves", arguments: kinds)
    func entriesAreRolledBack(kind: StoreKind) throws {
        struct Failure: Error {}
        let stack = try stack(kind)
        #expect(throws: Failure.self) {
            try stack.store.changingBelowContexts { source, _ in
                try source.sideTable?.writeSideEntries([SideEntry(key: [1], value: [1])])
                if source.saveGrouping == nil {
                    try source.sideTable?.writeSideEntries([SideEntry(key: [1], value: nil)])
                }
                throw Failure()
            }
        }
        try stack.store.changingBelowContexts { source, _ in
            let side = try #require(source.sideTable)
            #expect(try side.sideEntries(withPrefix: []) == [])
        }
    }

    @Test("moves of rows are read as they were written, and damaged ones without a trap")
    func movesAreRead() {
        let source = RowMoves.Source(root: "Größe", key: -3)
        #expect(RowMoves.source(RowMoves.key(source)) == source)
        #expect(
            RowMoves.source(RowMoves.mark.key) == nil && RowMoves.source([2] + RowMoves.key(source).dropFirst()) == nil)
        let rows = [RowMoves.Destination(entity: "A", key: .max), RowMoves.Destination(entity: "Größe", key: 1)]
        let bytes = RowMoves.value(rows)
        #expect(RowMoves.destinations(bytes) == rows)
        for count in 0..<bytes.count {
            #expect(rows.starts(with: RowMoves.destinations(Array(bytes[..<count]))))
            for bit in 0..<8 {
                var damaged = bytes
                damaged[count] ^= 1 << UInt8(bit)
                #expect(RowMoves.destinations(damaged).count <= 3)
            }
        }
    }
}
