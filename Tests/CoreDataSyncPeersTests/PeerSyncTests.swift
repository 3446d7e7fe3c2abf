import CoreData
import CoreDataSyncPeers
import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import StoreContract
import TestBasics
import Testing

@Suite("Stores of devices that meet", .timeLimit(.minutes(5)))
struct PeerSyncTests {
    private struct Store {
        let stack: Stack
        let session: SyncSession

        init(over transport: any SyncTransport) throws {
            let builder = ModelBuilder()
            builder.entity("Item", ["label": .stringAttributeType, "count": .integer64AttributeType])
            builder.entity("Owner", ["label": .stringAttributeType])
            builder.relationships("Owner.items*", "Item.owner")
            stack = try Stack(builder.model, kind: .sqlite, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
            session = try SyncSession(stack.store, over: transport)
        }

        func edit(_ edit: (NSManagedObjectContext) throws -> Void) throws {
            let context = stack.context
            try context.performAndWait {
                try edit(context)
                try context.save()
            }
        }

        func insert(_ label: String, _ count: Int) throws {
            try edit { context in
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(label, forKey: "label")
                item.setValue(count, forKey: "count")
                let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
                owner.setValue("owner of \(label)", forKey: "label")
                item.setValue(owner, forKey: "owner")
            }
        }

        func set(_ label: String, _ count: Int) throws {
            try edit { context in
                context.refreshAllObjects()
                for item in try context.fetch(Self.request) where item.value(forKey: "label") as? String == label {
                    item.setValue(count, forKey: "count")
                }
            }
        }

        func delete(_ label: String) throws {
            try edit { context in
                context.refreshAllObjects()
                for item in try context.fetch(Self.request) where item.value(forKey: "label") as? String == label {
                    context.delete(item)
                }
            }
        }

        private static var request: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Item") }

        func rows() throws -> [String] {
            try stack.context.performAndWait {
                stack.context.refreshAllObjects()
                return try stack.context.fetch(Self.request).map { item in
                    let owner = item.value(forKeyPath: "owner.label") as? String
                    return "\(item.value(forKey: "label") ?? "") \(item.value(forKey: "count") ?? "") \(owner ?? "")"
                }.sorted()
            }
        }
    }

    @Test("devices that meet in one room agree, with what they did alone, as over a folder (SYNC-10)")
    func devicesInARoomAgree() async throws {
        let folder = try TemporaryFolder()
        let devices = try (0..<3).map { try PeerDevice("device \($0)", in: folder.url) }
        let overPeers = try devices.map { try Store(over: $0.transport) }
        let shared = folder.url.appendingPathComponent("shared")
        let overFolder = try (0..<3).map { _ in try Store(over: FolderTransport(shared)) }
        for stores in [overPeers, overFolder] {
            for number in 0..<3 { try stores[number].insert("item \(number)", number) }
            try stores[0].insert("gone", 9)
        }
        for stores in [overPeers, overFolder] { for store in stores { try await store.session.join() } }
        try await devices[0].meet(devices[1])
        try await devices[1].meet(devices[2])
        try await agree(overPeers, devices)
        try await agree(overFolder, [])
        #expect(try overPeers[0].rows() == overFolder[0].rows())
        #expect(try overPeers[2].rows().count == 4)

        // Apart again: each edits, and the room is full once more.
        for device in devices { device.leave() }
        for stores in [overPeers, overFolder] {
            try stores[0].set("item 1", 70)
            try stores[1].delete("gone")
            try stores[2].set("item 0", 80)
        }
        try await devices[2].meet(devices[0])
        try await devices[1].meet(devices[0])
        try await agree(overPeers, devices)
        try await agree(overFolder, [])
        #expect(
            try overPeers[0].rows() == [
                "item 0 80 owner of item 0", "item 1 70 owner of item 1", "item 2 2 owner of item 2",
            ])
        #expect(try overPeers[0].rows() == overFolder[0].rows())
    }

    /// Exchanges until all stores have the same, and the devices the same items.
    private func agree(_ stores: [Store], _ devices: [PeerDevice]) async throws {
        for _ in 0..<40 {
            for store in stores { _ = try await store.session.exchange() }
            await eventually("the items are with all") {
                devices.allSatisfy { $0.transport.missingCount == 0 && $0.names == devices[0].names }
            }
            let rows = try stores.map { try $0.rows() }
            if rows.allSatisfy({ $0 == rows[0] }) { return }
        }
        Issue.record("the stores do not agree: \(try stores.map { try $0.rows() })")
    }
}
