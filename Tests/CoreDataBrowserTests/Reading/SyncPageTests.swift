import CoreData
import CoreDataBrowser
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Sync in the page", .timeLimit(.minutes(3)))
struct SyncPageTests {
    private let heroes: ImportedHeroes
    private let folder: TemporaryFolder
    private let transport: FolderTransport

    init() throws {
        heroes = try ImportedHeroes()
        folder = try TemporaryFolder()
        transport = FolderTransport(folder.url.appendingPathComponent("shared"))
    }

    /// The page's store takes part as the first.
    private func join() async throws {
        let stack = try Stack(SuperDB.model(), url: heroes.file, options: [NSPersistentHistoryTrackingKey: true])
        try await SyncSession(stack.store, over: transport).join(.founding)
        try stack.coordinator.remove(stack.store)
    }

    /// Another device, which has what the first has.
    private func device() async throws -> (Stack, SyncSession) {
        let stack = try Stack(
            SuperDB.model(), url: folder.url.appendingPathComponent("Device.sqlite"),
            options: [NSPersistentHistoryTrackingKey: true])
        let session = try SyncSession(stack.store, over: transport)
        try await session.join(.joining)
        return (stack, session)
    }

    private func exchanged(_ tab: EditingTab, _ path: String = "sync", _ body: String = "{}") async throws -> Reply {
        try await tab.ended(tab.ask("POST", path, body, status: 202)["id"].text)
    }

    @Test("a store that takes no part says so, and cannot exchange (BRW-56)")
    func storeThatTakesNoPart() async throws {
        let tab = try heroes.tab()
        let reply = try await tab.ask("GET", "sync")
        #expect(reply["takesPart"].flag == false && reply["writing"].flag == true && reply["peers"].isNull)
        let refusal = try await tab.ask("POST", "sync", "{}", status: 409)
        #expect(refusal["error"]["code"].text == "notJoined", "\(refusal)")
        #expect(refusal["error"]["hint"].text?.contains("coredata sync init") == true)
    }

    @Test("the page shows peers and what waits, exchanges, and forgets a peer (SYNC-12, BRW-56)")
    func life() async throws {
        try await join()
        let (stack, session) = try await device()
        let tab = try heroes.tab()
        let before = try await tab.ask("GET", "sync")
        #expect(before["takesPart"].flag == true && before["inSync"].flag == false, "\(before)")
        #expect((before["incomingBytes"].number ?? 0) > 0 && before["peers"].list.count == 1)
        let first = try await exchanged(tab)
        #expect(first["state"].text == "finished" && first["kind"].text == "sync", "\(first)")
        try await session.exchange()
        let hero = stack.context.performAndWait {
            let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: stack.context)
            hero.setValue("Yota", forKey: "name")
            return hero
        }
        try stack.context.performAndWait { try stack.context.save() }
        #expect(hero.objectID.isTemporaryID == false)
        try await session.exchange()
        let second = try await exchanged(tab)
        #expect(second["result"]["inserted"].number == 1 && second["result"]["refused"].list.isEmpty, "\(second)")
        #expect(try heroes.names().contains("Yota"))
        try await session.exchange()
        _ = try await exchanged(tab)
        let after = try await tab.ask("GET", "sync")
        #expect(after["inSync"].flag == true && after["incomingBytes"].number == 0, "\(after)")
        #expect(after["peers"].list.count == 2 && after["peers"][0]["own"].flag == true)
        let other = after["peers"][1]
        #expect(other["lacks"].number == 0 && other["isAheadBy"].number == 0 && other["lastSeen"].text != nil)

        let peer = try #require(other["identity"].text)
        let none = try await exchanged(tab, "sync/forget", "{\"peer\": \"0000000000000001\"}")
        #expect(none["state"].text == "failed" && none["reason"].text?.contains("no other peer") == true, "\(none)")
        let forgotten = try await exchanged(tab, "sync/forget", "{\"peer\": \"\(peer)\"}")
        #expect(forgotten["result"]["peer"].text == peer, "\(forgotten)")
        let last = try await tab.ask("GET", "sync")["peers"].list.first { $0["identity"].text == peer }
        #expect(last?["retired"].flag == true)
    }

    @Test("saves that were not exchanged, and a folder that is gone, are seen without an exchange (SYNC-12, BRW-56)")
    func savesThatWereNotExchanged() async throws {
        try await join()
        let tab = try heroes.tab(isWriting: false)
        #expect(try await tab.ask("GET", "sync")["pendingObjects"].number == 0)
        let stack = try Stack(SuperDB.model(), url: heroes.file, options: [NSPersistentHistoryTrackingKey: true])
        try stack.context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Hero", into: stack.context)
                .setValue("Phi", forKey: "name")
            try stack.context.save()
        }
        let pending = try await tab.ask("GET", "sync")
        #expect(pending["pendingObjects"].number == 1 && pending["inSync"].flag == false, "\(pending)")
        try await tab.ask("POST", "sync", "{}", status: 409)
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("shared"))
        try Data().write(to: folder.url.appendingPathComponent("shared"))
        let unreachable = try await tab.ask("GET", "sync")
        #expect(unreachable["takesPart"].flag == true && unreachable["incomingBytes"].isNull, "\(unreachable)")
    }

    @Test("values that lost are listed, and put back by a save that travels (SYNC-08, BRW-56)")
    func conflicts() async throws {
        try await join()
        let (stack, session) = try await device()
        let tab = try heroes.tab()
        _ = try await exchanged(tab)
        try await session.exchange()
        #expect(try await exchanged(tab, "sync/conflicts")["result"]["count"].number == 0)
        let object = try await rename("Beta", in: heroes.file, tab)
        try stack.context.performAndWait {
            let hero = try #require(
                try stack.context.all("Hero").first { $0.value(forKey: "name") as? String == "Alpha" })
            hero.setValue("Gamma", forKey: "name")
            try stack.context.save()
        }
        _ = try await exchanged(tab)
        for _ in 0..<2 {
            try await session.exchange()
            _ = try await exchanged(tab)
        }
        let found = try await exchanged(tab, "sync/conflicts")["result"]
        let conflict = found["conflicts"][0]
        #expect(found["count"].number == 1 && conflict["attribute"].text == "name", "\(found)")
        #expect(conflict["object"].text == object && conflict["rule"].text == "last")
        let lost = try #require(conflict["writes"].list.first { $0["chosen"].flag == false })
        let (value, transaction) = (try #require(lost["value"].text), try #require(lost["transaction"].text))
        #expect(try !heroes.names().contains(value))
        let body = """
            {"object": "\(object)", "attribute": "name", "transaction": "\(transaction)",
             "identity": "\(lost["identity"].text ?? "")"}
            """
        let restored = try await exchanged(tab, "sync/restore", body)
        #expect(restored["state"].text == "finished", "\(restored)")
        #expect(try heroes.names().contains(value))
        _ = try await exchanged(tab)
        let again = try await exchanged(tab, "sync/restore", body)
        #expect(again["state"].text == "failed" && again["reason"].text?.contains("is gone") == true, "\(again)")
        try await session.exchange()
        let names = try stack.context.performAndWait {
            stack.context.refreshAllObjects()
            return try stack.context.all("Hero").compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(names.contains(value))
    }

    /// Gives the hero Alpha another name in the page's file; returns the hero's address.
    private func rename(_ name: String, in file: URL, _ tab: EditingTab) async throws -> String {
        let stack = try Stack(SuperDB.model(), url: file, options: [NSPersistentHistoryTrackingKey: true])
        defer { try? stack.coordinator.remove(stack.store) }
        return try stack.context.performAndWait {
            let hero = try #require(
                try stack.context.all("Hero").first { $0.value(forKey: "name") as? String == "Alpha" })
            hero.setValue(name, forKey: "name")
            try stack.context.save()
            return "Hero/" + hero.objectID.uriRepresentation().lastPathComponent
        }
    }

    @Test("who may not read or change everything neither sees the peers nor exchanges (BRW-56)")
    func rules() async throws {
        try await join()
        let blind = try heroes.tab(rules: BrowserRules { _, action, entity, _ in entity != "Power" || action != .read })
        try await blind.ask("GET", "sync", status: 403)
        let tab = try heroes.tab(rules: BrowserRules { _, action, _, _ in action != .delete })
        _ = try await tab.ask("GET", "sync")
        try await tab.ask("POST", "sync", "{}", status: 403)
        try await tab.ask("POST", "sync/forget", "{\"peer\": \"1\"}", status: 403)
    }

    @Test("a place that only other programs know is named with what to do (BRW-56)")
    func unknownPlace() async throws {
        let stack = try Stack(SuperDB.model(), url: heroes.file, options: [NSPersistentHistoryTrackingKey: true])
        try await SyncSession(stack.store, over: FarTransport()).join(.founding)
        try stack.coordinator.remove(stack.store)
        let tab = try heroes.tab()
        let reply = try await tab.ask("GET", "sync")
        #expect(reply["unusable"]["message"].text?.contains("https://hub.example/g") == true, "\(reply)")
        #expect(reply["unusable"]["cure"].text?.contains("coredata sync now") == true)
        let refusal = try await tab.ask("POST", "sync", "{}", status: 409)
        #expect(refusal["error"]["code"].text == "transport")
    }

    @Test("a store that keeps no place of its peers takes part all the same, and is not exchanged (BRW-56)")
    func storeWithoutPlace() async throws {
        let stack = try Stack(SuperDB.model(), url: heroes.file, options: [NSPersistentHistoryTrackingKey: true])
        try await SyncSession(stack.store, over: MemoryTransport()).join(.founding)
        try stack.coordinator.remove(stack.store)
        let tab = try heroes.tab()
        let reply = try await tab.ask("GET", "sync")
        #expect(reply["takesPart"].flag == true && reply["peers"].list.count == 1, "\(reply)")
        #expect(reply["unusable"]["message"].text == "The store does not say where its peers are.")
        let refusal = try await tab.ask("POST", "sync", "{}", status: 409)
        #expect(refusal["error"]["code"].text == "transport", "\(refusal)")
    }
}

/// A transport whose address no folder has.
private final class FarTransport: SyncTransport {
    private let base = MemoryTransport()
    let title = "hub.example"
    let address: String? = "https://hub.example/g"

    func items() throws -> [SyncItem] { try base.items() }
    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? { try base.read(item, atMost: limit) }
    func write(_ bytes: [UInt8], named name: String) throws { try base.write(bytes, named: name) }
    func remove(_ name: String) throws { try base.remove(name) }
}
