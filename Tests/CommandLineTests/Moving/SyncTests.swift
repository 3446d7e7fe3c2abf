import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing

@Suite("sync", .timeLimit(.minutes(10)))
struct SyncTests {
    /// Copies of one store's model without objects of it, in a folder of their own with the folder that they share.
    private struct Place {
        let folder: URL
        let shared: String
        var stores: [String] = []

        init(_ count: Int) throws {
            folder = try Scratch.folder()
            shared = folder.appendingPathComponent("shared").path
            for number in 0..<count {
                let url = folder.appendingPathComponent("Store\(number).sqlite")
                try Place.make(url)
                stores.append(url.path)
            }
        }

        static func make(_ url: URL, type: String = NSSQLiteStoreType) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }

        static func model() -> NSManagedObjectModel {
            let builder = ModelBuilder()
            builder.entity("Hero", ["name": .stringAttributeType, "strength": .integer64AttributeType])
            builder.entity("Team", ["name": .stringAttributeType])
            builder.attribute("Hero.strength").userInfo = ["sync.merge": "counter"]
            builder.attribute("Hero.strength").defaultValue = 0
            builder["Team"].uniquenessConstraints = [["name"]]
            builder.relationships("Team.heroes*", "Hero.team")
            return builder.model
        }

        /// Joins all stores, the first as the founder.
        func join() throws {
            for store in stores {
                let outcome = try Tool.run("sync", "init", store, "--folder", shared)
                #expect(outcome.code == 0, "\(outcome.errors)")
            }
            try exchange(rounds: 2)
        }

        func exchange(rounds: Int = 3) throws {
            for _ in 0..<rounds {
                for store in stores {
                    let outcome = try Tool.run("sync", "now", store)
                    #expect(outcome.code == 0, "\(outcome.errors)")
                }
            }
        }

        /// The objects of a store without what differs between equal stores.
        func objects(_ store: String) throws -> [String] {
            let outcome = try Tool.run(
                "fetch", store, "Hero", "--keys", "name,strength,team.name", "--format", "csv", "--sort", "name")
            #expect(outcome.code == 0, "\(outcome.errors)")
            return outcome.output.split(whereSeparator: \.isNewline).map(String.init).sorted()
        }
    }

    private func insert(_ store: String, _ name: String, _ more: String...) throws {
        let outcome = try Tool.run(["insert", store, "Hero", "name=\(name)"] + more)
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(
        "a new device begins with a store that is made, and gets everything; one that is there is not made again (SYNC-06)"
    )
    func newDevice() throws {
        let gallery = try Gallery()
        let shared = gallery.store.deletingLastPathComponent().appendingPathComponent("shared").path
        let new = gallery.store.deletingLastPathComponent().appendingPathComponent("New.sqlite").path
        let model = ["--model", gallery.model.path]
        func sync(_ words: String...) throws -> Tool.Outcome { try Tool.run(["sync"] + words + model) }
        #expect(try sync("init", gallery.store.path, "--folder", shared).code == 0)
        #expect(
            try Tool.run("sync", "init", new, "--folder", shared, "--create").errors.contains("--create needs --model"))
        let made = try sync("init", new, "--folder", shared, "--create")
        #expect(made.code == 0, "\(made.errors)")
        for store in [gallery.store.path, new] { #expect(try sync("now", store).code == 0) }
        func works(_ store: String) throws -> String {
            try Tool.run(["fetch", store, "Work", "--keys", "code,title", "--format", "csv", "--sort", "code"] + model)
                .output
        }
        #expect(try works(new) == works(gallery.store.path) && works(new).contains("W3"))
        let again = try sync("init", new, "--folder", shared, "--create")
        #expect(again.code == 1 && again.errors.contains("exists already"), "\(again.errors)")
    }

    @Test("three stores that edit the same objects offline agree again, and say so (SYNC-13)")
    func threeStoresAgree() throws {
        let place = try Place(3)
        defer { try? FileManager.default.removeItem(at: place.folder) }
        try insert(place.stores[0], "Ann", "strength=5")
        try place.join()
        #expect(try place.objects(place.stores[2]) == place.objects(place.stores[0]))
        for (number, store) in place.stores.enumerated() {
            #expect(try Tool.run("set", store, "Hero", "--where", "name == 'Ann'", "strength=\(6 + number)").code == 0)
            #expect(try Tool.run("insert", store, "Team", "name=Blue").code == 0)
            try insert(store, "of \(number)", "team=Team/p1")
        }
        try place.exchange()
        let objects = try place.objects(place.stores[0])
        #expect(objects.contains("Ann,11,"))
        for number in 0..<3 { #expect(objects.contains("of \(number),0,Blue")) }
        for store in place.stores {
            #expect(try place.objects(store) == objects)
            let status = try Tool.run("sync", "status", store, "--format", "json")
            #expect(status.code == 0, "\(status.output)")
            let json: [String: Any] = try status.json()
            #expect(json["inSync"] as? Bool == true)
            #expect((json["peers"] as? [[String: Any]])?.count == 3)
            #expect(try Tool.run("check", store).code == 0)
        }
    }

    @Test("an exchange that is killed anywhere is finished by the next one (SYNC-01)")
    func killedExchangeIsFinished() throws {
        let place = try Place(2)
        defer { try? FileManager.default.removeItem(at: place.folder) }
        try place.join()
        for round in 0..<12 {
            for store in place.stores { for number in 0..<3 { try insert(store, "\(round).\(number)") } }
            for store in place.stores {
                let process = Process()
                process.executableURL = Tool.url
                process.arguments = ["sync", "now", store]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                usleep(UInt32(round * 4_000))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit(within: .seconds(60))
            }
        }
        try place.exchange(rounds: 4)
        let objects = try place.objects(place.stores[0])
        #expect(objects.count == 1 + 12 * 3 * 2)
        #expect(try place.objects(place.stores[1]) == objects)
    }

    @Test("sixteen processes over one folder, some of them killed, are equal at the end (SYNC-10)")
    func manyProcessesAgree() throws {
        let place = try Place(16)
        defer { try? FileManager.default.removeItem(at: place.folder) }
        try place.join()
        for round in 0..<3 {
            for (number, store) in place.stores.enumerated() { try insert(store, "hero \(round) \(number)") }
            let processes = try place.stores.map { store in
                let process = Process()
                process.executableURL = Tool.url
                process.arguments = ["sync", "now", store]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                return process
            }
            for (number, process) in processes.enumerated() {
                if number % 4 == round {
                    usleep(20_000)
                    kill(process.processIdentifier, SIGKILL)
                }
                process.waitUntilExit(within: .seconds(60))
            }
        }
        try place.exchange()
        let objects = try place.objects(place.stores[0])
        #expect(objects.count == 1 + 3 * 16)
        for store in place.stores { #expect(try place.objects(store) == objects) }
    }

    @Test("peers are listed and forgotten, and why explains a value")
    func peersAndWhy() throws {
        let place = try Place(2)
        defer { try? FileManager.default.removeItem(at: place.folder) }
        try insert(place.stores[0], "Ann")
        try place.join()
        let why = try Tool.run("sync", "why", place.stores[1], "Hero/p1", "name", "--format", "json")
        #expect(why.code == 0, "\(why.errors)")
        let found: [String: Any] = try why.json()
        #expect(found["value"] as? String == "Ann" && found["rule"] as? String == "last")
        let peers: [[String: Any]] = try Tool.run("sync", "peers", place.stores[0], "--format", "json").json()
        let other = try #require(peers.first { $0["own"] as? Bool == false }?["identity"] as? String)
        #expect(try Tool.run("sync", "forget", place.stores[0], other).code == 0)
        try insert(place.stores[1], "Bob")
        try place.exchange(rounds: 5)
        // Who was forgotten and returns has another identity, and loses nothing.
        #expect(try place.objects(place.stores[0]) == ["Ann,0,", "Bob,0,", "name,strength,team.name"])
        #expect(try place.objects(place.stores[1]) == place.objects(place.stores[0]))
    }

    @Test("wrong uses say what to do")
    func wrongUses() throws {
        let place = try Place(1)
        defer { try? FileManager.default.removeItem(at: place.folder) }
        let store = place.stores[0]
        let early = try Tool.run("sync", "now", store)
        #expect(early.code == 1 && early.errors.contains("sync init"))
        #expect(try Tool.run("sync", "init", store).code == 2)
        #expect(try Tool.run("sync", "init", store, "--folder", place.shared).code == 0)
        #expect(try Tool.run("sync", "init", store, "--folder", place.shared).code == 1)
        #expect(try Tool.run("sync", "forget", store, "0123456789abcdef").code == 1)
        #expect(try Tool.run("sync", "why", store, "Hero/p1", "nothing").code == 1)
        let german = try Tool.run("sync", "status", store, "--language", "de")
        #expect(german.code == 0 && german.output.contains("abgeglichen"), "\(german.output)")
    }

    @Test(
        "a store of Apple's framework, copied, agrees with a new one",
        .enabled(if: Fixtures.areAvailable, "\(Fixtures.missing)"))
    func appleStoreAgrees() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = "stores/apple-coredatabooks/CoreDataBooks/CoreDataBooks"
        let apple = try Fixtures.copyOfStore(name + ".CDBStore").path
        let model = ["--model", Fixtures.url(name + ".xcdatamodeld").path]
        let fresh = folder.appendingPathComponent("New.sqlite").path
        #expect(try Tool.run(["copy", apple, fresh] + model).code == 0)
        #expect(try Tool.run(["delete", fresh, "Book", "--all"] + model).code == 0)
        let shared = folder.appendingPathComponent("shared").path
        for store in [apple, fresh] {
            let outcome = try Tool.run(["sync", "init", store, "--folder", shared] + model)
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        for store in [apple, fresh, apple] { #expect(try Tool.run(["sync", "now", store] + model).code == 0) }
        let columns = ["--keys", "author,title,copyright", "--format", "csv", "--sort", "title,author"]
        let books = try Tool.run(["fetch", apple, "Book"] + columns + model)
        #expect(books.output.split(whereSeparator: \.isNewline).count == 12)
        #expect(try Tool.run(["fetch", fresh, "Book"] + columns + model).output == books.output)
        #expect(try Tool.run(["check", apple] + model).code == 0)
    }
}
