import Foundation
import TestBasics
import TestServers
import Testing

@Suite("sync with devices nearby", .serialized, .timeLimit(.minutes(10)))
struct NearbySyncTests {
    private let type = "t" + UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12)

    private func code(in outcome: Tool.Outcome) -> String? {
        outcome.errorLines.first { $0.hasPrefix("code (") }?.split(separator: ":").last.map(String.init)
    }

    @Test("two devices compare a code once, agree, and are not asked again (SYNC-10, PEER-12)")
    func devicesCompareACodeOnceAndAgree() throws {
        let devices = try NearbyDevices("kitchen", "hall")
        defer { devices.end() }
        try devices.join("kitchen", "hall", type: type)
        let port = try FreePorts.find(1)[0]
        let (kitchen, hall) = try devices.meet(("kitchen", "hall"), port: port, answering: ("y\n", "y\n"))
        #expect(code(in: kitchen) != nil && code(in: kitchen) == code(in: hall))
        #expect(try devices.heroes("kitchen") == ["hall", "kitchen"])
        #expect(try devices.heroes("hall") == ["hall", "kitchen"])
        let status = try devices.run("hall", ["sync", "status", devices.store("hall")])
        #expect(status.output.contains("peers:\(type)/family"))
        let list = try devices.run("hall", ["sync", "pair", devices.store("hall"), "--devices"]).output
        #expect(list.contains("kitchen"))

        try devices.run("hall", ["insert", devices.store("hall"), "Hero", "name=later"])
        let again = try devices.meet(("kitchen", "hall"), port: port, answering: ("", ""))
        #expect(code(in: again.0) == nil && code(in: again.1) == nil)
        #expect(try devices.heroes("kitchen") == ["hall", "kitchen", "later"])

        let line = try #require(list.split(separator: "\n").first { $0.contains("kitchen") })
        try devices.run("hall", ["sync", "pair", devices.store("hall"), "--revoke", String(line.prefix(32))])
        let left = try devices.run("hall", ["sync", "pair", devices.store("hall"), "--devices"]).output
        #expect(!left.contains("kitchen"))
    }

    @Test("a device whose code is not confirmed is not admitted, and nothing is exchanged (PEER-05)")
    func otherCodesAreRefused() throws {
        let devices = try NearbyDevices("kitchen", "thief")
        defer { devices.end() }
        try devices.join("kitchen", "thief", type: type)
        let port = try FreePorts.find(1)[0]
        let (kitchen, thief) = try devices.meet(("kitchen", "thief"), port: port, code: 1, answering: ("n\n", "y\n"))
        #expect(kitchen.errors.contains("device 'thief' was not admitted: the codes are not the same"))
        #expect(kitchen.errors.contains("No device of the group was connected"))
        #expect(thief.errors.contains("not the same"), "\(thief.errors)")
        #expect(try devices.heroes("thief") == ["thief"])
        #expect(
            !(try devices.run("kitchen", ["sync", "pair", devices.store("kitchen"), "--devices"]).output.contains(
                "thief")))
    }

    @Test(
        "devices of a file of keys find each other and sync until they are ended; others are not admitted (PEER-03, SYNC-10)",
        .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"))
    func devicesOfAFileFindEachOther() throws {
        let server = try DiscoveryServer()
        let devices = try NearbyDevices("kitchen", "hall", "thief")
        defer { devices.end() }
        try devices.join("kitchen", "hall", "thief", type: type)
        try devices.exchangeKeys("kitchen", "hall")
        try Data("{}".utf8).write(to: URL(fileURLWithPath: devices.paired("thief")))
        let running = try ["kitchen", "hall", "thief"].map { name in
            try Child(
                [
                    "sync", "run", devices.store(name), "--paired", devices.paired(name), "--device", name, "--every",
                    "1s",
                ],
                of: Tool.url, environment: devices.environment(name).merging(server.environment) { $1 })
        }
        eventually("the devices agree", within: .seconds(60)) {
            ["kitchen", "hall"].allSatisfy { (try? devices.heroes($0)) == ["hall", "kitchen"] }
        }
        // What is saved while they run arrives.
        try devices.run("hall", ["insert", devices.store("hall"), "Hero", "name=later"])
        eventually("the save has arrived", within: .seconds(60)) {
            (try? devices.heroes("kitchen").contains("later")) == true
        }
        #expect(try devices.heroes("thief") == ["thief"])

        let second = try devices.run("hall", code: 1, ["sync", "now", devices.store("hall")])
        #expect(second.errors.contains("Another program connects this store with devices nearby"))
        #expect(
            try Tool.run(["sync", "status", devices.store("hall")], environment: devices.environment("hall")).output
                .contains("in sync"))
        for child in running {
            child.send(SIGTERM)
            #expect(child.status() == 0)
        }
    }

    @Test("wrong words, ports, files and addresses are refused, and say what to do")
    func wrongUsesAreRefused() throws {
        let devices = try NearbyDevices("kitchen", "hall")
        defer { devices.end() }
        let (kitchen, hall) = (devices.store("kitchen"), devices.store("hall"))
        for words in [
            ["--peers", "shop"], ["--peers", "Shop!", "--found"], ["--peers", "a-type-of-16-let", "--found"],
            ["--peers", "shop", "--found", "--folder", devices.folder.path], ["--group", "family", "--found"],
            ["--peers", "shop", "--found", "--sealed"], ["--peers", "shop", "--found", "--group", "a\u{7}b"],
        ] { try devices.run("kitchen", code: 2, ["sync", "init", kitchen] + words) }
        try devices.join("kitchen", "hall", type: type)
        try devices.run("kitchen", code: 2, ["sync", "run", kitchen, "--listen", "65536"])
        try devices.run("kitchen", code: 2, ["sync", "pair", kitchen])
        try devices.run("kitchen", code: 2, ["sync", "pair", kitchen, "--revoke", "0000"])
        let name = try devices.run(
            "kitchen", code: 1, ["sync", "now", kitchen, "--device", String(repeating: "x", count: 64)])
        #expect(name.errors.contains("1 to 63 bytes"))
        let alone = try devices.run(
            "kitchen", code: 1,
            ["sync", "now", kitchen, "--wait", "2s", "--connect", "127.0.0.1:\(try FreePorts.find(1)[0])"])
        #expect(alone.errors.contains("No device of the group was connected"))
        let address = try devices.run(
            "kitchen", code: 1, ["sync", "now", kitchen, "--wait", "1s", "--connect", "here"])
        #expect(address.errors.contains("is not the address of a device"))
        // A key that others can read, and one that is damaged.
        let state = devices.folder.appendingPathComponent("hall/opencoredata/sync/peers")
        let key = state.appendingPathComponent(
            try FileManager.default.contentsOfDirectory(atPath: state.path)[0] + "/key.pem"
        ).path
        chmod(key, 0o644)
        #expect(try devices.run("hall", code: 1, ["sync", "now", hall]).errors.contains("chmod 600"))
        chmod(key, 0o600)
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: key))
        chmod(key, 0o600)
        #expect(try devices.run("hall", code: 1, ["sync", "now", hall]).errors.contains("no private key"))
        // A store that syncs over a folder takes none of these options.
        let other = try NearbyDevices("cellar")
        defer { other.end() }
        try other.run("cellar", ["sync", "init", other.store("cellar"), "--folder", other.folder.path + "/shared"])
        try other.run("cellar", code: 2, ["sync", "now", other.store("cellar"), "--connect", "127.0.0.1:1"])
    }

    @Test("sync run exchanges over a folder too, and ends when it is interrupted (SYNC-10)")
    func runExchangesOverAFolder() throws {
        let devices = try NearbyDevices("kitchen", "hall")
        defer { devices.end() }
        let shared = devices.folder.appendingPathComponent("shared").path
        for name in ["kitchen", "hall"] {
            try devices.run(name, ["insert", devices.store(name), "Hero", "name=\(name)"])
            try devices.run(name, ["sync", "init", devices.store(name), "--folder", shared])
        }
        let running = try ["kitchen", "hall"].map { name in
            try Child(
                ["sync", "run", devices.store(name), "--every", "1s"], of: Tool.url,
                environment: devices.environment(name))
        }
        eventually("the devices agree", within: .seconds(60)) {
            ["kitchen", "hall"].allSatisfy { (try? devices.heroes($0)) == ["hall", "kitchen"] }
        }
        for child in running {
            child.send(SIGINT)
            #expect(child.status() == 0)
        }
    }
}
