import CoreData
import CoreDataSync
import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncSealing
import CoreDataSyncing
import Foundation
import StoreContract
import Synchronization
import TestBasics
import Testing

/// Large values over a hub with TLS, whose items are sealed.
@Suite("Large values over sealed hubs", .timeLimit(.minutes(5)))
struct LargeValuesOverHubTests {
    /// Chunks of some 24 KiB.
    private static let cutter = ChunkCutter(threshold: 65_536, leastSize: 16_384, greatestSize: 65_536, bits: 13)

    /// A device whose connection breaks after so many items of chunks.
    private final class BreakingHub: SyncTransport {
        let base: any SyncTransport
        let left = Mutex(Int.max)
        let chunkBytes = Mutex(0)

        init(_ base: any SyncTransport) { self.base = base }

        var title: String { base.title }

        private func count(_ name: String, _ size: Int) throws {
            guard name.contains("-c-") else { return }
            try left.withLock { left in
                guard left > 0 else {
                    throw SyncError(.transport, "The connection broke.", cure: "Exchange again.")
                }
                left -= 1
            }
            chunkBytes.withLock { $0 += size }
        }

        func items() throws -> [SyncItem] { try base.items() }

        func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
            try count(item.name, item.size)
            return try base.read(item, atMost: limit)
        }

        func write(_ bytes: [UInt8], named name: String) throws {
            try count(name, bytes.count)
            try base.write(bytes, named: name)
        }

        func remove(_ name: String) throws { try base.remove(name) }

        func watch(_ changed: (@Sendable () -> Void)?) -> Bool { false }
    }

    private struct Device {
        let stack: Stack
        let transport: BreakingHub
        let session: SyncSession

        init(_ base: any SyncTransport) throws {
            let builder = ModelBuilder()
            builder.entity("Photo", ["data": .binaryDataAttributeType])
            stack = try Stack(builder.model, kind: .sqlite, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
            transport = BreakingHub(base)
            var options = SyncOptions()
            options.cutter = LargeValuesOverHubTests.cutter
            session = try SyncSession(stack.store, over: transport, options: options)
        }

        func save(_ data: Data) throws {
            let context = stack.context
            try context.performAndWait {
                NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context).setValue(
                    data, forKey: "data")
                try context.save()
            }
        }

        func values() throws -> [Data] {
            let context = stack.context
            return try context.performAndWait {
                context.refreshAllObjects()
                return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo"))
                    .compactMap { $0.value(forKey: "data") as? Data }
            }
        }
    }

    /// Two devices that take part, over one hub.
    private func devices(_ test: TestHub) async throws -> [Device] {
        let keys = { (name: String) in KeyFolder(test.folder.url.appendingPathComponent("keys of \(name)")) }
        let founding = try SealedTransport.found(over: test.client("phone"), label: "phone", keys: keys("phone"))
        let text = try founding.invite(validFor: 600)
        let joining = try SealedTransport.accept(
            text, over: test.client("tablet"), label: "tablet", keys: keys("tablet"))
        _ = try? joining.items()
        _ = try founding.items()
        let devices = try [Device(founding), Device(joining)]
        try await devices[0].session.join(.founding)
        try await devices[1].session.join(.joining)
        for _ in 0..<2 { for device in devices { try await device.session.exchange() } }
        return devices
    }

    private var value: Data {
        var random = SeededRandom(seed: 5)
        return Data((0..<3_000_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    @Test("a value of 3 MB arrives, and a transfer that breaks off goes on with what is missing (SYNC-11)")
    func brokenTransfersGoOn() async throws {
        let test = try TestHub()
        let devices = try await devices(test)
        let value = value
        try devices[0].save(value)
        for device in devices {
            var breaks = 0
            for _ in 0..<20 {
                device.transport.left.withLock { $0 = 20 }
                if (try? await device.session.exchange()) != nil { break }
                breaks += 1
                #expect(try devices[1].values().isEmpty)
            }
            #expect(breaks >= 3)
            #expect(device.transport.chunkBytes.withLock { $0 } < value.count / 10 * 11)
        }
        #expect(try devices[1].values() == [value])
        #expect(test.files().allSatisfy { !$0.contains("-c-") })
    }

    @Test("a chunk that was altered on the hub is refused, and written again by who has it (HAZ-58)")
    func alteredChunksAreRefused() async throws {
        let test = try TestHub()
        let devices = try await devices(test)
        let before = test.files()
        let value = value
        try devices[0].save(value)
        try await devices[0].session.exchange()
        let folder = test.data.appendingPathComponent("groups/group")
        let altered = try #require(
            try test.files().subtracting(before).max { left, right in
                try size(folder.appendingPathComponent(left)) < size(folder.appendingPathComponent(right))
            })
        var bytes = try Data(contentsOf: folder.appendingPathComponent(altered))
        bytes[bytes.count / 2] ^= 1
        try test.client("third").write(Array(bytes), named: altered)
        let summary = try await devices[1].session.exchange()
        #expect(summary.refused.count == 1)
        #expect(try devices[1].values().isEmpty)
        for _ in 0..<3 { for device in devices { try await device.session.exchange() } }
        #expect(try devices[1].values() == [value])
    }

    private func size(_ file: URL) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    }
}
