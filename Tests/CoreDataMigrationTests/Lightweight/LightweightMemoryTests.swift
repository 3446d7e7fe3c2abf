import CoreData
import SQLiteKit
import StoreContract
import Synchronization
import TestBasics
import Testing

/// How much memory a migration in place takes: measured at length, where the process's memory is not that of all tests.
@Suite(.serialized) struct LightweightMemoryTests {
    private static var memory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) >> 10
    }

    @Test(
        "a gigabyte of blobs is migrated within 64 MB, in place and by copying tables (MIG-18)",
        arguments: [false, true])
    func gigabyteOfBlobsIsMigratedWithin64MB(removesAttribute: Bool) throws {
        let old = MigrationScene.model {
            $0.entity(
                "Photo", ["data": .binaryDataAttributeType, "name": .stringAttributeType, "old": .stringAttributeType])
        }
        let new = MigrationScene.model { temporary in
            temporary.entity("Photo", ["data": .binaryDataAttributeType, "title": .stringAttributeType])
            temporary.attribute("Photo.title").renamingIdentifier = "name"
            let added = LightweightMigrationTests.attributes([
                "rank": .integer16AttributeType, "old": .stringAttributeType,
            ])
            temporary["Photo"].properties += removesAttribute ? [added[0]] : added
            temporary.attribute("Photo.rank").defaultValue = 1
        }
        let count = TestSeed.isExhaustive ? 1_024 : 24
        let scene = try MigrationScene(old) { $0.insert("Photo", ["name": "0"]) }
        do {
            let connection = try Connection.open(scene.url.path)
            defer { connection.close() }
            try connection.execute(
                "WITH RECURSIVE n(i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO ZPHOTO "
                    + "(Z_PK, Z_ENT, Z_OPT, ZNAME, ZDATA) SELECT i, 1, 1, 'n' || i, randomblob(1048576) FROM n")
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count)")
        }
        let before = Self.memory
        let peak = Mutex(0)
        let isDone = Mutex(false)
        Thread.detachNewThread {
            while !isDone.withLock({ $0 }) {
                let now = Self.memory
                peak.withLock { $0 = max($0, now) }
                usleep(3_000)
            }
        }
        let time = try ContinuousClock().measure { try scene.with(new) { _ in } }
        isDone.withLock { $0 = true }
        let used = peak.withLock { $0 } - before
        if TestSeed.isExhaustive {
            print(
                "\(count) MB of blobs, \(removesAttribute ? "copied" : "in place"): \(time), \(used) MB more than before"
            )
            #expect(used < 64)
        }
        #expect(try scene.with(new) { try $0.all("Photo", NSPredicate(format: "rank == 1")).count } == count)
    }
}
