import CFaultVFS
import CoreData
import SQLiteKit
import Testing

@testable import CoreDataSQLite

extension FailingFileTests {
    @Test("after a synchronisation that failed all readers are opened again (HAZ-39)")
    func readersAfterFailedSynchronisation() throws {
        let scene = try SaveScene(journal: "wal")
        defer { scene.remove() }
        let pool = try #require(scene.file.pool)
        let before = try #require(Self.nextReader(pool))
        #expect(Self.nextReader(pool) === before)
        fault_vfs_arm(Int32(FAULT_SYNC), 1, 10 | 4 << 8, 0)
        let error = Self.error { try scene.context.save() }
        #expect(fault_vfs_disarm() != 0)
        #expect(error?.code == NSSQLiteError)
        try scene.context.save()
        let after = Self.nextReader(pool)
        #expect(after != nil && after !== before)
        #expect(try scene.contents() == scene.expected)
    }

    @Test("a reader whose file fails is not used again, and the next reading succeeds (HAZ-39)")
    func failingReader() throws {
        let scene = try SaveScene(journal: "wal")
        defer { scene.remove() }
        try scene.context.save()
        let pool = try #require(scene.file.pool)
        let layout = try #require(scene.file.layouts.layout(named: "Person"))
        let query = FetchQuery(binding: scene.file.store.binding(for: layout))
        guard case .reader(let reader) = pool.checkOut(for: ReaderUse(.question), waiting: .zero) else {
            Issue.record("no reader")
            return
        }
        fault_vfs_arm(Int32(FAULT_READ), 1, 10 | 1 << 8, 1)
        let error = Self.error { _ = try reader.fetch(query) }
        #expect(fault_vfs_disarm() != 0)
        #expect(error?.domain == NSCocoaErrorDomain)
        reader.release()
        let next = try #require(Self.nextReader(pool))
        #expect(next !== reader)
        #expect(try next.count(query) == 3)
    }

    /// The reader that the next one gets who asks.
    private static func nextReader(_ pool: ReaderPool) -> StoreFile? {
        guard case .reader(let reader) = pool.checkOut(for: ReaderUse(.question), waiting: .zero) else { return nil }
        defer { reader.release() }
        return reader as? StoreFile
    }
}
