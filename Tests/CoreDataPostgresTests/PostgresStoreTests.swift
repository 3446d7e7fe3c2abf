import CoreData
import PostgresKit
import StoreContract
import TestServers
import Testing

@testable import CoreDataPostgres

/// What is of its own in a store on a server.
@Suite("Stores on a server", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct PostgresStoreTests {
    private func server() throws -> PostgresServer { try PostgresServer.shared.get() }

    private func query(_ sql: String) throws -> PostgresResult {
        let parameters = ConnectionParameters([
            ("host", try server().host), ("user", "coredata"), ("dbname", "postgres"),
        ])
        return try PostgresConnection.open(parameters, timeout: .seconds(20)).query(sql)
    }

    @Test("every name that a model allows has its table and column, however long it is (MOD-02)")
    func everyNameThatModelAllowsHasItsTableAndColumn() throws {
        let builder = ModelBuilder()
        let names = [
            "order", "select", "größe", "日本語の名前", "Ω", String(repeating: "veryLongName", count: 8),
            String(repeating: "veryLongName", count: 8) + "2", String(repeating: "ß", count: 40), "aName", "aname2",
            "user",
        ]
        for entity in ["Select", "Größe", String(repeating: "VeryLongEntity", count: 7)] {
            let description = builder.entity(entity)
            description.properties = names.map { name in
                let attribute = NSAttributeDescription()
                (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
                return attribute
            }
            description.indexes = [
                NSFetchIndexDescription(
                    name: String(repeating: "byName", count: 15),
                    elements: [
                        NSFetchIndexElementDescription(property: description.properties[5], collationType: .binary)
                    ])
            ]
        }
        builder.relationships(
            "Select." + String(repeating: "others", count: 12) + "*",
            "Größe." + String(repeating: "others", count: 12) + "*")
        let stack = try Stack(builder.model, url: server().makeURL("names"), kind: .postgreSQL)
        for entity in builder.model.entities {
            let object = stack.context.insert(entity.name ?? "", [:])
            for name in names { object.setValue("\(name) of \(entity.name ?? "")", forKey: name) }
        }
        try stack.context.save()
        stack.context.reset()
        for entity in builder.model.entities {
            for name in names {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.predicate = NSPredicate(format: "%K ENDSWITH %@", name, " of \(entity.name ?? "")")
                request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
                let found = try stack.context.fetch(request)
                #expect(
                    found.count == 1 && found.first?.value(forKey: name) as? String == "\(name) of \(entity.name ?? "")"
                )
            }
        }
    }

    @Test("values come back to the bit, also those that no other database takes (STO-06)")
    func valuesComeBackToBit() throws {
        let builder = ModelBuilder()
        builder.entity(
            "Value",
            [
                "text": .stringAttributeType, "real": .doubleAttributeType, "price": .decimalAttributeType,
                "date": .dateAttributeType, "data": .binaryDataAttributeType, "number": .integer64AttributeType,
            ])
        let url = try server().makeURL("values")
        let texts = [
            "\0", "a\0b\u{1}c", "\u{1}\u{2}\0\0", "", "e\u{301}", "é", String(repeating: "\0x", count: 100_000),
        ]
        let reals = [
            0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
            1e308,
        ]
        let prices = [
            "12345678901234567890123456789012345678", "-0.00000000000000000000000000000000000001", "1e127", "-1e-128",
            "0.10", "1E3",
        ]
        do {
            let stack = try Stack(builder.model, url: url, kind: .postgreSQL)
            for (number, text) in texts.enumerated() {
                _ = stack.context.insert("Value", ["text": text, "number": number, "data": Data(text.utf8)])
            }
            for (number, real) in reals.enumerated() {
                // A date must be a moment in time, as on every store.
                let date: Any? = real.isFinite ? Date(timeIntervalSinceReferenceDate: real) : nil
                _ = stack.context.insert(
                    "Value",
                    (["real": real, "number": 100 + number] as [String: Any]).merging(date.map { ["date": $0] } ?? [:])
                    { $1 })
            }
            for (number, price) in prices.enumerated() {
                _ = stack.context.insert("Value", ["price": NSDecimalNumber(string: price), "number": 200 + number])
            }
            try stack.context.save()
        }
        let stack = try Stack(builder.model, url: url, kind: .postgreSQL)
        func value<Wanted>(_ number: Int, _ key: String, as: Wanted.Type = Wanted.self) throws -> Wanted? {
            try stack.context.all("Value", NSPredicate(format: "number == %d", number)).first?.value(forKey: key)
                as? Wanted
        }
        for (number, text) in texts.enumerated() {
            #expect(try value(number, "text", as: String.self).map { Array($0.utf8) } == Array(text.utf8))
            #expect(try value(number, "data", as: Data.self) == Data(text.utf8))
            let same = try stack.context.all("Value", NSPredicate(format: "text == %@", text))
            #expect(same.count == 1)
        }
        for (number, real) in reals.enumerated() {
            #expect(try value(100 + number, "real", as: NSNumber.self)?.doubleValue.bitPattern == real.bitPattern)
            guard real.isFinite else { continue }
            #expect(
                try value(100 + number, "date", as: Date.self)?.timeIntervalSinceReferenceDate.bitPattern
                    == real.bitPattern)
        }
        for (number, price) in prices.enumerated() {
            #expect(try value(200 + number, "price", as: NSDecimalNumber.self) == NSDecimalNumber(string: price))
        }
    }

    @Test("eight programs save at once, and nothing is lost or there twice (STO-06)")
    func eightProgramsSaveAtOnce() throws {
        let url = try server().makeURL("writers")
        let model = HeroModel.make()
        _ = try Stack(model, url: url, kind: .postgreSQL)
        let failures = LockedFailures()
        DispatchQueue.concurrentPerform(iterations: 8) { writer in
            do {
                let stack = try Stack(HeroModel.make(), url: url, kind: .postgreSQL)
                for save in 0..<25 {
                    _ = stack.context.insert("Hero", ["name": "\(writer)-\(save)"])
                    _ = stack.context.insert("Hero", ["name": "\(writer)+\(save)"])
                    try stack.context.save()
                }
            } catch {
                failures.add(error)
            }
        }
        #expect(failures.all.isEmpty, "\(failures.all)")
        let stack = try Stack(model, url: url, kind: .postgreSQL)
        let names = try stack.context.all("Hero").compactMap { $0.value(forKey: "name") as? String }
        #expect(names.count == 400 && Set(names).count == 400)
    }

    @Test("programs that begin at once make one store (STO-06)")
    func programsThatBeginAtOnceMakeOneStore() throws {
        let url = try server().makeURL("creation")
        let failures = LockedFailures()
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do { _ = try Stack(HeroModel.make(), url: url, kind: .postgreSQL) } catch { failures.add(error) }
        }
        #expect(failures.all.isEmpty, "\(failures.all)")
    }

    @Test("a password is used and shown nowhere, and the store is found by its URL with it")
    func passwordIsUsedAndShownNowhere() throws {
        let url = try server().makeURL("secret")
        let withPassword = try #require(
            URL(string: url.absoluteString.replacingOccurrences(of: "coredata@", with: "coredata:hush-hush@")))
        let stack = try Stack(HeroModel.make(), url: withPassword, kind: .postgreSQL)
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(store.url == url && stack.coordinator.persistentStore(for: withPassword) === store)
        #expect(stack.coordinator.persistentStore(for: try server().makeURL("other")) == nil)
        #expect(!"\(store.metadata ?? [:])".contains("hush"))
        #expect(NSPersistentStoreDescription(url: withPassword).type == CoreDataPostgreSQLStoreType)
        _ = try query("DROP SCHEMA \"\(url.absoluteString.split(separator: "=").last ?? "")\" CASCADE")
        do {
            _ = try stack.context.all("Hero")
            Issue.record("the tables are gone")
        } catch {
            #expect(!"\(error)".contains("hush") && "\(error)".contains("postgresql://coredata@"))
        }
    }

    @Test(
        "behind a pooler that gives each transaction another connection nothing is prepared", arguments: [true, false])
    func behindPoolerThatGivesEachTransactionAnotherConnection(isPooled: Bool) throws {
        let text = try server().makeURL("pooled").absoluteString + (isPooled ? "&pgbouncer=true" : "")
        let url = try #require(URL(string: text))
        let connection = try PostgresLocation(url).connect(timeout: .seconds(20))
        for _ in 0..<3 { _ = try connection.query("SELECT 1") }
        let count = try connection.query("SELECT count(*) FROM pg_prepared_statements").int64(0, 0) ?? -1
        #expect((count == 0) == isPooled)
        let stack = try Stack(HeroModel.make(), url: url, kind: .postgreSQL)
        for number in 0..<3 {
            _ = stack.context.insert("Hero", ["name": "Hero \(number)"])
            try stack.context.save()
        }
        #expect(try stack.context.all("Hero", NSPredicate(format: "name CONTAINS[c] 'hero'")).count == 3)
    }

    @Test("a role without grants reads or writes what it may, and gets an error for the rest")
    func roleWithoutGrantsReadsOrWritesWhatItMay() throws {
        let url = try server().makeURL("grants")
        let schema = url.absoluteString.split(separator: "=").last.map(String.init) ?? ""
        let stack = try Stack(HeroModel.make(), url: url, kind: .postgreSQL)
        _ = stack.context.insert("Hero", ["name": "A"])
        try stack.context.save()
        _ = try query("CREATE ROLE reader_\(schema) LOGIN")
        _ = try query("GRANT USAGE ON SCHEMA \"\(schema)\" TO reader_\(schema)")
        _ = try query("GRANT SELECT ON ALL TABLES IN SCHEMA \"\(schema)\" TO reader_\(schema)")
        let readerURL = try #require(
            URL(string: url.absoluteString.replacingOccurrences(of: "coredata@", with: "reader_\(schema)@")))
        let reader = try Stack(HeroModel.make(), url: readerURL, kind: .postgreSQL)
        #expect(try reader.context.all("Hero").count == 1)
        _ = reader.context.insert("Hero", ["name": "B"])
        do {
            try reader.context.save()
            Issue.record("the role may not write")
        } catch {
            let error = error as NSError
            #expect(error.code == NSFileWriteNoPermissionError && error.localizedDescription.contains("grant"))
        }
        reader.context.reset()
        #expect(try reader.context.all("Hero").count == 1)
    }

    @Test("a store is copied to another schema, replaced and destroyed; what is not the store's stays")
    func storeIsCopiedToAnotherSchema() throws {
        let (source, copy) = (try server().makeURL("source"), try server().makeURL("copy"))
        let stack = try Stack(HeroModel.make(), url: source, kind: .postgreSQL)
        for number in 0..<500 { _ = stack.context.insert("Hero", ["name": "Hero \(number)"]) }
        try stack.context.save()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: source, type: .postgreSQL)
        let copied = try Stack(HeroModel.make(), url: copy, kind: .postgreSQL)
        #expect(try copied.context.all("Hero").count == 500)
        let schema = copy.absoluteString.split(separator: "=").last.map(String.init) ?? ""
        _ = try query("CREATE TABLE \"\(schema)\".mine (n int)")
        _ = try query("CREATE TABLE \"\(schema)\".accounts (n int)")
        try coordinator.destroyPersistentStore(at: copy, type: .postgreSQL)
        #expect(try query("SELECT count(*) FROM \"\(schema)\".mine").int64(0, 0) == 0)
        #expect(try query("SELECT count(*) FROM \"\(schema)\".accounts").int64(0, 0) == 0)
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: copy)
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: source)
        #expect(metadata[NSStoreTypeKey] as? String == "PostgreSQL" && metadata[NSStoreUUIDKey] is String)
    }

    @Test("a store of another version of the model is refused as other stores are")
    func storeOfAnotherVersionOfModelIsRefusedAsOtherStores() throws {
        let url = try server().makeURL("versions")
        _ = try Stack(HeroModel.make(), url: url, kind: .postgreSQL)
        let builder = ModelBuilder()
        builder.entity("Hero", ["nickname": .stringAttributeType])
        #expect(throws: (any Error).self) { try Stack(builder.model, url: url, kind: .postgreSQL) }
    }
}

/// The errors of several threads.
private final class LockedFailures: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [any Error] = []

    func add(_ error: any Error) { lock.withLock { errors.append(error) } }

    var all: [any Error] { lock.withLock { errors } }
}
