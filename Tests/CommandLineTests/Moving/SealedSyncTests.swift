import CoreData
import StoreContract
import TestBasics
import Testing

@Suite("sync pair", .timeLimit(.minutes(10)))
struct SealedSyncTests {
    /// Stores of one model, each with keys of its own as on a device of its own.
    private struct Devices {
        let folder: URL

        init(_ names: String...) throws {
            folder = try Scratch.folder()
            let builder = ModelBuilder()
            builder.entity("Hero", ["name": .stringAttributeType])
            for name in names {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: store(name)))
                for store in coordinator.persistentStores { try coordinator.remove(store) }
            }
        }

        func store(_ name: String) -> String { folder.appendingPathComponent("\(name).sqlite").path }
        var shared: String { folder.appendingPathComponent("shared").path }

        /// Runs the tool on a device.
        @discardableResult func run(_ name: String, code: Int32 = 0, _ words: String...) throws -> String {
            let outcome = try Tool.run(words, environment: ["XDG_STATE_HOME": folder.appendingPathComponent(name).path])
            #expect(outcome.code == code, "\(words.joined(separator: " ")): \(outcome.errors)")
            return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func exchange(_ names: String..., rounds: Int = 3) throws {
            for _ in 0..<rounds { for name in names { try run(name, "sync", "now", store(name)) } }
        }

        func heroes(_ name: String) throws -> [String] {
            try run(name, "fetch", store(name), "Hero", "--keys", "name", "--format", "csv", "--sort", "name")
                .split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        }
    }

    @Test("a device joins a sealed folder by a text, and reads nothing later once it was revoked (SYNC-10)")
    func deviceJoinsAndIsRevoked() throws {
        let devices = try Devices("laptop", "phone")
        defer { try? FileManager.default.removeItem(at: devices.folder) }
        let (laptop, phone) = (devices.store("laptop"), devices.store("phone"))
        try devices.run("laptop", "insert", laptop, "Hero", "name=Rumpelstiltskin")
        try devices.run("laptop", "sync", "init", laptop, "--folder", devices.shared, "--sealed", "--device", "laptop")
        let text = try devices.run("laptop", "sync", "pair", laptop)
        #expect(text.hasPrefix("opencoredata-pair:"))
        let waiting = try devices.run("phone", "sync", "init", phone, "--pair", text, "--device", "phone")
        #expect(waiting.contains("waits to be admitted"))
        try devices.exchange("laptop", "phone")
        #expect(try devices.heroes("phone") == ["Rumpelstiltskin"])
        for name in try FileManager.default.contentsOfDirectory(atPath: devices.shared) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: devices.shared).appendingPathComponent(name))
            #expect(bytes.range(of: Data("Rumpelstiltskin".utf8)) == nil && bytes.range(of: Data("phone".utf8)) == nil)
        }
        let list = try devices.run("laptop", "sync", "pair", laptop, "--devices")
        let line = try #require(list.split(separator: "\n").first { $0.hasSuffix("phone") })
        try devices.run("laptop", "sync", "pair", laptop, "--revoke", String(line.prefix(16)))
        try devices.run("laptop", "insert", laptop, "Hero", "name=Later")
        try devices.exchange("laptop", "phone")
        #expect(try devices.heroes("laptop") == ["Later", "Rumpelstiltskin"])
        #expect(try devices.heroes("phone") == ["Rumpelstiltskin"])

        let another = try devices.run("laptop", "sync", "pair", laptop, "--valid", "1")
        try devices.run("phone", "sync", "pair", phone, "--renew", another)
        try devices.run("laptop", "sync", "now", laptop)
        try devices.exchange("phone", "laptop")
        #expect(try devices.heroes("phone") == ["Later", "Rumpelstiltskin"])
    }

    @Test("wrong uses are refused, and say what to do")
    func wrongUsesAreRefused() throws {
        let devices = try Devices("laptop", "phone")
        defer { try? FileManager.default.removeItem(at: devices.folder) }
        let (laptop, phone) = (devices.store("laptop"), devices.store("phone"))
        try devices.run("laptop", code: 1, "sync", "pair", laptop)
        try devices.run("laptop", code: 2, "sync", "init", laptop, "--sealed")
        try devices.run("laptop", "sync", "init", laptop, "--folder", devices.shared, "--sealed")
        try devices.run("phone", code: 1, "sync", "init", phone, "--folder", devices.shared, "--sealed")
        try devices.run("phone", code: 1, "sync", "init", phone, "--pair", "opencoredata-pair:AAAA")
        try devices.run("laptop", code: 2, "sync", "pair", laptop, "--code", "--devices")
        try devices.run("laptop", code: 2, "sync", "pair", laptop, "--valid", "0")
        try devices.run("laptop", code: 1, "sync", "pair", laptop, "--revoke", "0000000000000000")
        // Without its keys the device cannot read the folder.
        try devices.run("another", code: 1, "sync", "now", laptop)
    }
}
