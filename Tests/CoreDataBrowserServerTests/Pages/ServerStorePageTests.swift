import CoreData
import CoreDataBrowserServer
import CoreDataPostgres
import PostgresKit
import StoreContract
import TestBasics
import TestBrowsers
import TestServers
import Testing

/// The browser on a store of a PostgreSQL server.
@Suite(
    "The page on a store of a server", .serialized,
    .enabled(if: HeroPages.isPossible && PostgresServer.isAvailable, "chromedriver or a PostgreSQL server is missing"))
struct ServerStorePageTests {
    private static func place(_ name: String, role: String? = nil) throws -> URL {
        let url = try PostgresServer.shared.get().makeURL(name)
        let text = url.absoluteString + (role.map { "&sqlrole=\($0)" } ?? "")
        return try #require(URL(string: text))
    }

    private static func run(_ statements: [String]) throws {
        let server = try PostgresServer.shared.get()
        let parameters = ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")])
        let connection = try PostgresConnection.open(parameters, timeout: .seconds(20))
        defer { connection.close() }
        for statement in statements { _ = try connection.query(statement) }
    }

    @Test("objects are listed, edited and saved, and the store has what was entered (BRW-57)")
    func objectsAreListedEditedAndSaved() async throws {
        let pages = try await HeroPages(at: Self.place("edits"))
        let title = try await pages.page.text(of: "main")
        #expect(title?.contains("postgres/edits") == true, "\(title ?? "")")
        try await pages.goToHeroes()
        #expect(try await pages.names().count == 5)
        let address = try await pages.page.evaluate("return document.querySelector('.grid .row[data-id]').dataset.id")
            .text
        try await pages.go(to: "objects/\(address ?? "")")
        try await pages.enter("Renamed", into: "name")
        try await pages.page.wait(until: "document.querySelector('dd.changed')")
        try await pages.page.click(".editbar .primary")
        let again = try pages.store.another()
        await eventually("the change to be in the store") {
            (try? again.context.all("Hero", NSPredicate(format: "name == 'Renamed'")))?.count == 1
        }
    }

    @Test(
        "what another program saves appears by itself, with a history and without (BRW-57)",
        arguments: [[NSPersistentHistoryTrackingKey: true], [:]] as [[String: Bool]])
    func liveChanges(options: [String: Bool]) async throws {
        let pages = try await HeroPages(isWriting: false, at: Self.place("live"), options: options)
        try await pages.goToHeroes()
        let other = try pages.store.another()
        other.context.insert("Hero", ["name": "Aaa First"])
        try other.context.save()
        try await pages.page.wait(until: "document.querySelector('.grid')?.innerText.includes('Aaa First')")
        // A program that saves once and ends leaves nothing behind by which it could be found later.
        do {
            let short = try pages.store.another()
            short.context.insert("Hero", ["name": "Aab Second"])
            try short.context.save()
            for store in short.coordinator.persistentStores { try short.coordinator.remove(store) }
        }
        try await pages.page.wait(until: "document.querySelector('.grid')?.innerText.includes('Aab Second')")
    }

    @Test(
        "statements are carried out as the role that the URL names, and without one the page says how to make it (BRW-57)"
    )
    func statementsAreCarriedOutAsRoleThatURLNames() async throws {
        let schema = try Self.place("sqlpage")
        let name = try #require(URLComponents(url: schema, resolvingAgainstBaseURL: false)?.queryItems?.last?.value)
        let role = "\(name)_reader"
        let url = try #require(URL(string: schema.absoluteString + "&sqlrole=\(role)"))
        let pages = try await HeroPages(at: url)
        try Self.run([
            "CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA \(name) TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO \(role)",
        ])
        try await pages.go(to: "sql")
        try await pages.page.wait(until: "document.querySelector('textarea.sqltext')")
        try await pages.page.type("SELECT zname FROM zhero WHERE zname > $1 ORDER BY 1", into: "textarea.sqltext")
        try await pages.page.type("B", into: "[data-parameter='$1']")
        try await pages.page.press(WebKey.enter)
        try await pages.page.wait(until: "document.querySelectorAll('.result tbody tr').length > 1")
        let heading = try await pages.page.text(of: ".result thead th")
        #expect(heading?.contains("zname") == true && heading?.contains("Hero.name") == true)
        let other = try await HeroPages(at: Self.place("sqloff"))
        try await other.go(to: "sql")
        try await other.page.wait(until: "document.querySelector('main')?.innerText.includes('CREATE ROLE')")
    }
}
