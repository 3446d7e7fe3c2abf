import CAllocationCount
import CoreData
import StoreContract
import Testing

@testable import CoreDataSQLite

@Suite("Parts of stored data")
struct DataRangeTests {
    private static let count = 64 << 20

    private static var model: NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "File",
            ["inside": .binaryDataAttributeType, "beside": .binaryDataAttributeType, "text": .stringAttributeType])
        builder.attribute("File.beside").allowsExternalBinaryDataStorage = true
        return builder.model
    }

    /// Bytes that repeat after a number that is no multiple of any page's size.
    private static func bytes(_ count: Int) -> Data {
        let piece = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        var data = Data()
        while data.count < count { data.append(contentsOf: piece.prefix(count - data.count)) }
        return data
    }

    private static func file(_ values: [String: Any?]) throws -> (stack: Stack, id: NSManagedObjectID) {
        let stack = try Stack(model)
        let file = stack.context.insert("File", values)
        try stack.context.save()
        let id = file.objectID
        stack.context.reset()
        return (stack, id)
    }

    @Test(
        "a part of 64 megabytes takes memory for the part, in the row and beside the store (BRW-40)",
        arguments: ["inside", "beside"])
    func boundedMemory(key: String) throws {
        let data = Self.bytes(Self.count)
        let (stack, id) = try Self.file([key: data])
        let stored = try #require(try stack.store.storedData(of: key, of: id))
        #expect(stored.count == Self.count)
        let part = 100_000
        for start in [0, 4_000, Self.count / 2 + 1, Self.count - part] {
            let before = coredata_allocated_bytes_of_this_thread()
            let read = try stack.store.bytes(start..<start + part, of: stored)
            let taken = coredata_allocated_bytes_of_this_thread() - before
            #expect(read == data[start..<start + part])
            // The page cache of SQLite takes its share.
            if before >= 0 { #expect(taken < 4 << 20, "\(taken) bytes at \(start)") }
        }
        #expect(try stack.store.bytes(Self.count..<Self.count, of: stored).isEmpty)
        #expect(throws: (any Error).self) { try stack.store.bytes(Self.count - 1..<Self.count + 1, of: stored) }
    }

    @Test("small values are read by parts too, values without bytes are not (BRW-40)", arguments: ["inside", "beside"])
    func smallValues(key: String) throws {
        let (stack, id) = try Self.file([key: Data([1, 2, 3]), "text": "abc"])
        let stored = try #require(try stack.store.storedData(of: key, of: id))
        #expect(stored.count == 3)
        #expect(try stack.store.bytes(1..<3, of: stored) == Data([2, 3]))
        #expect(try stack.store.storedData(of: "text", of: id) == nil)
        #expect(try stack.store.storedData(of: "none", of: id) == nil)
        #expect(try stack.store.storedData(of: key == "inside" ? "beside" : "inside", of: id) == nil)
        let missing = try #require(
            stack.coordinator.managedObjectID(
                forURIRepresentation: id.uriRepresentation().deletingLastPathComponent().appendingPathComponent("p99")))
        #expect(try stack.store.storedData(of: key, of: missing) == nil)
        #expect(try Stack(Self.model).store.storedData(of: key, of: id) == nil)
    }

    @Test("a value that has changed since it was found is not read on (BRW-40)", arguments: ["inside", "beside"])
    func changedValues(key: String) throws {
        let (stack, id) = try Self.file([key: Self.bytes(200_000)])
        let stored = try #require(try stack.store.storedData(of: key, of: id))
        let other = try stack.another()
        let file = try #require(try other.context.all("File").first)
        file.setValue(Data(repeating: 9, count: 200_000), forKey: key)
        try other.context.save()
        let error = #expect(throws: (any Error).self) { try stack.store.bytes(0..<10, of: stored) }
        #expect((error as NSError?)?.code == NSPersistentStoreOperationError)
        let again = try #require(try stack.store.storedData(of: key, of: id))
        other.context.delete(file)
        try other.context.save()
        #expect(throws: (any Error).self) { try stack.store.bytes(0..<10, of: again) }
    }

    @Test("a file beside the store that is missing, a link or shorter is an error of the part (HAZ-29)")
    func hostileFiles() throws {
        let (stack, id) = try Self.file(["beside": Self.bytes(200_000)])
        let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let place = folder.appendingPathComponent(name)
        let stored = try #require(try stack.store.storedData(of: "beside", of: id))
        try Data([1]).write(to: place)
        #expect(throws: (any Error).self) { try stack.store.bytes(0..<10, of: stored) }
        try FileManager.default.removeItem(at: place)
        #expect(try stack.store.storedData(of: "beside", of: id) == nil)
        try FileManager.default.createSymbolicLink(at: place, withDestinationURL: stack.url)
        #expect(throws: (any Error).self) { try stack.store.bytes(0..<10, of: stored) }
    }

    @Test("stores that are read whole have no parts (BRW-40)", arguments: [StoreKind.inMemory, .xml])
    func otherKinds(kind: StoreKind) throws {
        let stack = try Stack(Self.model, kind: kind)
        let file = stack.context.insert("File", ["inside": Data([1])])
        try stack.context.save()
        #expect(try stack.store.storedData(of: "inside", of: file.objectID) == nil)
    }
}
