import CoreData
import Dispatch
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

/// Devices of a test, each with a store of one model and a state folder of its own, that are near each other by loopback.
struct NearbyDevices {
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

    func end() { try? FileManager.default.removeItem(at: folder) }

    func store(_ name: String) -> String { folder.appendingPathComponent("\(name).sqlite").path }

    func environment(_ name: String) -> [String: String] {
        ["XDG_STATE_HOME": folder.appendingPathComponent(name).path]
    }

    /// Runs the tool on a device, whose user answers all questions so.
    @discardableResult func run(
        _ name: String, code: Int32 = 0, answering answer: String = "", _ words: [String]
    ) throws -> Tool.Outcome {
        let outcome = try Tool.run(words, environment: environment(name), input: answer)
        #expect(outcome.code == code, "\(name): \(words.joined(separator: " ")): \(outcome.errors)")
        return outcome
    }

    /// Makes the stores of all take part: the first one founds. Each has a hero of its device's name.
    func join(_ names: String..., type: String) throws {
        for name in names {
            try run(name, ["insert", store(name), "Hero", "name=\(name)"])
            let beginning = name == names[0] ? "--found" : "--join"
            try run(name, ["sync", "init", store(name), "--peers", type, "--group", "family", beginning])
        }
    }

    func heroes(_ name: String) throws -> [String] {
        try run(name, ["fetch", store(name), "Hero", "--keys", "name", "--format", "csv", "--sort", "name"]).output
            .split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    /// Two devices that exchange at the same time, the first of which listens at a port.
    func meet(
        _ names: (String, String), port: Int, code: Int32 = 0, answering answers: (String, String)
    ) throws -> (Tool.Outcome, Tool.Outcome) {
        let first = Mutex<Result<Tool.Outcome, any Error>?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let words = ["sync", "now", store(names.0), "--listen", "\(port)", "--wait", "15s", "--device", names.0]
            let outcome = Result { try run(names.0, code: code, answering: answers.0, words) }
            first.withLock { $0 = outcome }
        }
        let words = [
            "sync", "now", store(names.1), "--connect", "127.0.0.1:\(port)", "--wait", "15s", "--device", names.1,
        ]
        let second = try run(names.1, code: code, answering: answers.1, words)
        group.wait()
        return (try #require(first.withLock { $0 }).get(), second)
    }

    /// Writes, for each device, a file that names the keys of the others.
    func exchangeKeys(_ names: String...) throws {
        var keys: [String: [String: String]] = [:]
        for name in names {
            let list = try run(name, ["sync", "pair", store(name), "--devices", "--format", "json"])
            let own = try #require(try list.json(as: [[String: Any]].self).first { $0["own"] as? Bool == true })
            let identifier = try #require(own["identifier"] as? String)
            keys[identifier] = ["name": name, "keyDigest": try #require(own["keyDigest"] as? String)]
        }
        let bytes = try JSONSerialization.data(withJSONObject: keys)
        for name in names { try bytes.write(to: URL(fileURLWithPath: paired(name))) }
    }

    func paired(_ name: String) -> String { folder.appendingPathComponent("\(name).paired").path }
}
