import CAllocationCount
import CoreData
import Foundation
import PostgresKit
import StoreContract
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Parts of stored data on a server.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct DataRangeTests {
    private static let count = 64 << 20

    private static func file(_ values: [String: Any?]) throws -> (stack: Stack, id: NSManagedObjectID) {
        let builder = ModelBuilder()
        builder.entity(
            "File",
            ["small": .binaryDataAttributeType, "large": .binaryDataAttributeType, "text": .stringAttributeType])
        builder.attribute("File.large").allowsExternalBinaryDataStorage = true
        let stack = try Stack(builder.model, url: try PostgresServer.shared.get().makeURL("parts"), kind: .postgreSQL)
        let file = stack.context.insert("File", values)
        try stack.context.save()
        stack.context.reset()
        return (stack, file.objectID)
    }

    /// Bytes that repeat after a number that is no multiple of any page's size.
    private static func bytes(_ count: Int) -> Data {
        let piece = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        var data = Data()
        while data.count < count { data.append(contentsOf: piece.prefix(count - data.count)) }
        return data
    }

    @Test("a part of 64 megabytes on a server takes memory for the part, and lies uncompressed (BRW-40)")
    func boundedMemory() throws {
        let data = Self.bytes(Self.count)
        let (stack, id) = try Self.file(["large": data])
        let stored = try #require(try stack.store.storedData(of: "large", of: id))
        #expect(stored.count == Self.count)
        let part = 100_000
        for start in [0, 4_000, Self.count / 2 + 1, Self.count - part] {
            let before = coredata_allocated_bytes_of_this_thread()
            let read = try stack.store.bytes(start..<start + part, of: stored)
            let taken = coredata_allocated_bytes_of_this_thread() - before
            #expect(read == data[start..<start + part])
            if before >= 0 { #expect(taken < 4 << 20, "\(taken) bytes at \(start)") }
        }
        #expect(try stack.store.bytes(Self.count..<Self.count, of: stored).isEmpty)
        #expect(throws: (any Error).self) { try stack.store.bytes(Self.count - 1..<Self.count + 1, of: stored) }
        // What the server may compress it must read from the beginning.
        let store = try #require(stack.store.objects as? PostgresStore)
        let storage = try store.session.query(
            "SELECT attstorage::text FROM pg_catalog.pg_attribute WHERE attrelid = $1::text::regclass "
                + "AND attname IN ('zlarge', 'zsmall') ORDER BY attname", [.text(store.shape.schema.table("ZFILE"))])
        #expect((0..<storage.rowCount).map { storage.text($0, 0) } == ["e", "x"])
    }

    @Test(
        "small values on a server are read by parts too, values without bytes are not (BRW-40)",
        arguments: ["small", "large"])
    func smallValues(key: String) throws {
        let (stack, id) = try Self.file([key: Data([1, 2, 3]), "text": "abc"])
        let stored = try #require(try stack.store.storedData(of: key, of: id))
        #expect(stored.count == 3)
        #expect(try stack.store.bytes(1..<3, of: stored) == Data([2, 3]))
        for other in ["text", "none", key == "small" ? "large" : "small"] {
            #expect(try stack.store.storedData(of: other, of: id) == nil)
        }
    }

    @Test("a value on a server that has changed since it was found is not read on (BRW-40)")
    func changedValues() throws {
        let (stack, id) = try Self.file(["large": Self.bytes(200_000)])
        let stored = try #require(try stack.store.storedData(of: "large", of: id))
        let other = try stack.another()
        let file = try #require(try other.context.all("File").first)
        file.setValue(Data(repeating: 9, count: 200_000), forKey: "large")
        try other.context.save()
        let error = #expect(throws: (any Error).self) { try stack.store.bytes(0..<10, of: stored) }
        #expect((error as NSError?)?.code == NSPersistentStoreOperationError)
        let again = try #require(try stack.store.storedData(of: "large", of: id))
        other.context.delete(file)
        try other.context.save()
        #expect(throws: (any Error).self) { try stack.store.bytes(0..<10, of: again) }
        #expect(try stack.store.storedData(of: "large", of: id) == nil)
    }
}
