import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBasics
import TestBrowsers
import Testing

/// A browser on a store with the five heroes, and a real web browser that looks at it.
final class HeroPages {
    static let isPossible = WebDriver.isInstalled

    let store: Stack
    private(set) var browser: Browser
    private(set) var server: BrowserServer
    let page: WebPage
    private let folder: TemporaryFolder

    /// Makes the store, opens it as another process would, and goes to the printed address.
    init(
        isWriting: Bool = true, width: Int = 1280, height: Int = 900,
        fill: (NSManagedObjectContext) throws -> Void = SuperDB.fill,
        model: NSManagedObjectModel? = nil, at url: URL? = nil, importHosts: Set<String> = [],
        options: [AnyHashable: Any] = [
            NSPersistentHistoryTrackingKey: true, CoreDataHistoryKeepsOldValuesOption: true,
        ], arguments: [String] = []
    ) async throws {
        folder = try TemporaryFolder()
        let place = url ?? folder.url.appendingPathComponent("SuperDB.sqlite")
        store = try Stack(
            model ?? SuperDB.model(), url: place, kind: place.isFileURL ? .sqlite : .postgreSQL, options: options)
        try fill(store.context)
        try store.context.save()
        (browser, server) = try Self.serve(place, isWriting: isWriting, in: folder, importHosts: importHosts)
        page = try await WebDriver().open(width: width, height: height, arguments: arguments)
        try await page.go(to: server.link())
        try await page.wait(until: "document.querySelector('main a')")
    }

    private static func serve(
        _ place: URL, isWriting: Bool, in folder: TemporaryFolder, port: Int = 0, importHosts: Set<String> = []
    ) throws -> (Browser, BrowserServer) {
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        options.importHosts = importHosts
        let browser = Browser(options: options)
        try browser.open(place, isWriting: isWriting)
        return (browser, try BrowserServer(browser, port: port))
    }

    deinit { server.stop() }

    /// Ends the program that serves, and starts it again, after some work, on the same store and port; the page goes to the new address.
    func restart(after work: () throws -> Void = {}) async throws {
        server.stop()
        try work()
        (browser, server) = try Self.serve(store.url, isWriting: true, in: folder, port: server.port)
        try await page.go(to: server.link())
        try await page.wait(until: "document.querySelector('main a')")
    }

    /// The address of a path that may give the place of a store or a model in place of its name.
    func address(_ path: String) -> String { server.address + browser.named(path) }

    /// Goes to a view of the first store: `entities/Hero?sort=name`.
    func go(to path: String) async throws {
        try await page.go(to: address("stores/1/" + path))
    }

    /// The list of heroes by name, once its rows are there.
    func goToHeroes(_ query: String = "sort=name") async throws {
        try await go(to: "entities/Hero?\(query)")
        try await page.wait(until: "document.querySelector('.grid .row[data-id]')")
    }

    /// Writes over what the field of an attribute has, and leaves it, which stages the change.
    func enter(_ text: String, into key: String) async throws { try await type(text + WebKey.enter, into: key) }

    /// Writes over what the field of an attribute has, and stays in it.
    func type(_ text: String, into key: String) async throws {
        let field = "[data-field=\(key)]"
        // Keys are pressed as a person does: the driver's own way of entering text writes behind what is selected.
        try await page.wait(
            until: """
                (() => {
                    const input = document.querySelector('\(field)');
                    input?.focus();
                    input?.select();
                    return input && document.activeElement === input && input.selectionStart === 0;
                })()
                """)
        try await page.press(text)
    }

    /// The names of the heroes whose rows are drawn, from the top.
    func names() async throws -> [String] {
        let script = """
            const column = [...document.querySelectorAll('.grid [role=columnheader]')].findIndex(c => c.innerText.trim().startsWith('name'));
            return [...document.querySelectorAll('.grid .row[data-id]')].sort((a, b) => a.dataset.index - b.dataset.index)
                .map(row => row.querySelectorAll('.cell')[column]?.innerText.trim() ?? '');
            """
        return try await page.evaluate(script).elements.compactMap(\.text)
    }

    /// The name of a hero's object in addresses.
    func id(_ name: String) throws -> String { try #require(try hero(name)).objectID.shortText }

    /// A text of a hero as the store has it now.
    func value(_ key: String, of name: String) throws -> String? { try hero(name)?.value(forKey: key) as? String }

    /// A hero as the store has it now.
    func hero(_ name: String) throws -> NSManagedObject? {
        try stored("Hero", NSPredicate(format: "name == %@", name))
    }

    /// The first object of an entity that meets a condition, as the store has it now.
    func stored(_ entity: String, _ condition: NSPredicate) throws -> NSManagedObject? {
        let other = try store.another()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = condition
        let found = try other.context.fetch(request).first
        if found != nil { kept.append(other) }
        return found
    }

    private var kept: [Stack] = []
}

extension Browser {
    /// A path with the name of what it gives the place of: `stores/1/history` is that of the first store.
    func named(_ path: String) -> String {
        let ids = [
            "stores": core.shown.map(\.id), "apps": core.apps.shown.map(\.id), "models": core.models.shown.map(\.id),
        ]
        var steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard steps.count > 1, let names = ids[steps[0]] else { return path }
        let (digits, rest) = (steps[1].replacing("store-", with: "").prefix { $0 != "?" }, steps[1].drop { $0 != "?" })
        let isModelOfStore = steps[1].hasPrefix("store-")
        let found = isModelOfStore ? core.shown.map { "store-" + $0.id } : names
        guard let place = Int(digits), found.indices.contains(place - 1) else { return path }
        steps[1] = found[place - 1] + rest
        return steps.joined(separator: "/")
    }
}
