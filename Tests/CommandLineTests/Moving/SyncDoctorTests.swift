import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("sync doctor, compact and contents", .timeLimit(.minutes(5)))
struct SyncDoctorTests {
    @Test(
        "the doctor names what is wrong with a cure and code 1, repairs what bypassed the history, and then finds nothing (SYNC-14)"
    )
    func doctor() throws {
        let stores = try SyncedStores(2)
        defer { stores.remove() }
        let (one, two) = (stores.paths[0], stores.paths[1])
        #expect(try stores.run("sync", "doctor", one).output.contains("nothing is wrong"))
        let connection = try Connection.open(one)
        try connection.execute("UPDATE ZHERO SET ZNAME = 'raw'")
        connection.close()
        let stray = stores.shared + "/stray.ocsync"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: stray))
        let keys = stores.folder.appendingPathComponent("opencoredata/sync")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        let key = keys.appendingPathComponent("key.pem").path
        #expect(
            FileManager.default.createFile(atPath: key, contents: Data([1]), attributes: [.posixPermissions: 0o644]))
        let state = ["XDG_STATE_HOME": stores.folder.path]

        let found = try Tool.run(["sync", "doctor", one, "--format", "json"], environment: state)
        #expect(found.code == 1)
        let json: [String: Any] = try found.json()
        let counts = try #require(json["counts"] as? [String: Int])
        #expect(counts == ["differentRow": 1, "unreadableItem": 1, "openKeys": 1] && json["sound"] as? Bool == false)
        let text = try Tool.run(["sync", "doctor", one], environment: state)
        #expect(text.code == 1 && text.output.contains("Hero/p1: ") && text.output.contains("chmod 600"))
        #expect(text.output.contains("stray.ocsync: "))

        try FileManager.default.removeItem(atPath: stray)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let repaired = try Tool.run(["sync", "doctor", one, "--repair"], environment: state)
        #expect(repaired.code == 0 && repaired.output.contains("captured as edits: 1"), "\(repaired.output)")
        try stores.exchange()
        #expect(try stores.names(two) == ["raw"])
        #expect(try Tool.run("sync", "doctor", stores.folder.path + "/none.sqlite").code == 2)
    }

    @Test("compact prints what was there before and after, contents list peers and bytes, and forget deletes (SYNC-14)")
    func compactAndContents() throws {
        let stores = try SyncedStores(2)
        defer { stores.remove() }
        let (one, two) = (stores.paths[0], stores.paths[1])
        for number in 0..<4 {
            try stores.run("set", one, "Hero/p1", "name=N\(number)")
            try stores.run("sync", "now", one)
        }
        let early: [String: [String: Int]] = try stores.run("sync", "compact", one, "--format", "json").json()
        // The other store lacks what was written: it stays, in one item.
        #expect((early["items"]?["after"] ?? 9) < (early["items"]?["before"] ?? 0))
        #expect((early["bytes"]?["after"] ?? 9) < (early["bytes"]?["before"] ?? 0))
        #expect((early["transactions"]?["after"] ?? 0) >= 4)
        try stores.exchange()
        let json: [String: [String: Int]] = try stores.run("sync", "compact", one, "--format", "json").json()
        #expect(json["transactions"]?["after"] == 0 && json["deletedObjects"]?["after"] == 0)
        #expect(
            try stores.run("sync", "compact", two).output.contains(/transactions in the log: [0-9]+ before, 0 after/))
        #expect(try stores.names(two) == ["N3"])

        let contents: [String: Any] = try stores.run("sync", "contents", one, "--format", "json").json()
        let peers = try #require(contents["peers"] as? [[String: Any]])
        #expect(peers.compactMap { $0["state"] as? String }.sorted() == ["member", "own"])
        let other = try #require(peers.first { $0["state"] as? String == "member" }?["identity"] as? String)
        #expect(try stores.run("sync", "contents", one).output.contains(other))
        #expect(try Tool.run("sync", "forget", one, "0000000000000001", "--delete").code == 1)
        #expect(try stores.run("sync", "forget", one, other, "--delete").output.contains("bytes removed"))
        let files = try FileManager.default.contentsOfDirectory(atPath: stores.shared)
        #expect(!files.contains { $0.hasPrefix(other) } && !files.isEmpty)
        // A second time there is nothing to remove, and nothing is wrong with that.
        #expect(try Tool.run("sync", "forget", one, other, "--delete").code == 0)
    }

    @Test("what a reader saved is in its status, also after an exchange by the tool alone")
    func readerStatus() throws {
        let stores = try SyncedStores(2, joining: ["--reader"])
        defer { stores.remove() }
        let (one, two) = (stores.paths[0], stores.paths[1])
        try stores.run("set", two, "Hero/p1", "name=Mine")
        try stores.run("insert", two, "Hero", "name=New")
        let before: [String: Any] = try Tool.run("sync", "status", two, "--format", "json").json()
        #expect(before["pendingObjects"] as? Int == 2 && before["lastExchange"] is String)
        try stores.exchange()
        for path in stores.paths { #expect(try stores.names(path) == ["Ann"]) }
        let status: [String: Any] = try stores.run("sync", "status", two, "--format", "json").json()
        let refused = try #require(status["refusedWrites"] as? [[String: Any]])
        #expect(refused.compactMap { $0["kind"] as? String }.sorted() == ["inserted", "updated"])
        #expect(try stores.run("sync", "status", two).output.contains("was changed by this reader"))
        let own: [String: Any] = try stores.run("sync", "status", one, "--format", "json").json()
        #expect((own["refusedWrites"] as? [Any])?.isEmpty == true)
    }
}
