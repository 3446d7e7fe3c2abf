import CoreData
import StoreContract
import TestBasics
import Testing

@Suite("sync over a hub", .timeLimit(.minutes(10)))
struct SyncHubTests {
    /// Two stores of one model, each on a device of its own.
    private struct Device {
        let store: String
        private let environment: [String: String]

        init(_ name: String, in folder: URL) throws {
            let url = folder.appendingPathComponent("\(name).sqlite")
            let builder = ModelBuilder()
            builder.entity("Hero", ["name": .stringAttributeType])
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            for store in coordinator.persistentStores { try coordinator.remove(store) }
            store = url.path
            environment = ["XDG_STATE_HOME": folder.appendingPathComponent(name).path]
        }

        func run(_ arguments: String...) throws -> Tool.Outcome {
            try Tool.run(arguments, environment: environment)
        }

        /// The pin of the device's key, as the refusal of a hub has it.
        func pin(at address: String) throws -> String {
            let refused = try run("sync", "init", store, "--folder", address)
            #expect(refused.code == 1)
            let words = refused.errors.split(whereSeparator: { !$0.isHexDigit })
            return try #require(words.first { $0.count == 64 }.map(String.init))
        }

        func heroes() throws -> [String] {
            try run("fetch", store, "Hero", "--keys", "name", "--format", "csv", "--sort", "name").output
                .split(whereSeparator: \.isNewline).map(String.init)
        }
    }

    @Test("two devices agree over a hub once it admits them, and it ends on SIGTERM (SYNC-10)")
    func devicesAgreeOverAHub() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.appendingPathComponent("hub").path
        let hub = try Child(["sync", "serve", "--listen", "127.0.0.1:0", "--data", data], of: Tool.url)
        let address = try #require(hub.line()).replacingOccurrences(of: "GROUP", with: "family")
        let devices = [try Device("phone", in: folder), try Device("tablet", in: folder)]
        for device in devices {
            #expect(try device.run("insert", device.store, "Hero", "name=\(device.store.count)").code == 0)
            let pin = try device.pin(at: address)
            #expect(try Tool.run("sync", "admit", pin, "--data", data).code == 0)
            let joined = try device.run("sync", "init", device.store, "--folder", address)
            #expect(joined.code == 0, "\(joined.errors)")
        }
        for _ in 0..<3 {
            for device in devices { #expect(try device.run("sync", "now", device.store).code == 0) }
        }
        #expect(try devices[0].heroes().count == 3)
        #expect(try devices[0].heroes() == devices[1].heroes())
        #expect(try Tool.run("sync", "admit", "--data", data).output.split(whereSeparator: \.isNewline).count == 2)
        let pin = try #require(try Tool.run("sync", "admit", "--data", data).output.split(separator: " ").first)
        #expect(try Tool.run("sync", "admit", String(pin), "--data", data, "--revoke").code == 0)
        let revoked = try devices[0].run("sync", "now", devices[0].store)
        #expect(revoked.code == 1 && revoked.errors.contains("does not admit"))
        hub.send(SIGTERM)
        #expect(hub.status() == 0)
    }

    @Test("addresses without a hub or a pin, and places without a port, are refused")
    func wrongWordsAreRefused() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = try Device("phone", in: folder)
        for address in ["https://user:secret@hub/family", "https://hub/family", "http://192.168.0.1/family"] {
            let outcome = try device.run("sync", "init", device.store, "--folder", address)
            #expect(outcome.code == 2 && outcome.errors.contains("hub"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("secret"))
        }
        let data = folder.appendingPathComponent("hub").path
        for place in ["7443", "host:", ":7443", "::1:7443", "127.0.0.1:99999"] {
            #expect(try Tool.run("sync", "serve", "--listen", place, "--data", data).code == 2)
        }
        #expect(try Tool.run("sync", "serve", "--listen", "0.0.0.0:0", "--data", data, "--plain").code == 1)
        #expect(try Tool.run("sync", "admit", "12", "--data", data).code == 2)
    }
}
