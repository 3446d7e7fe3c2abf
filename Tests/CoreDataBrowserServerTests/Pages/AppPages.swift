import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBasics
import TestBrowsers
import Testing

@testable import SuperDBSample

/// An application below `Examples`, and a real web browser that looks at it; SuperDB's last stage unless told otherwise.
final class AppPages {
    let page: WebPage
    private var server: BrowserServer
    private var browser: Browser
    private let folder: TemporaryFolder
    private let lists: URL
    private let classes: [NSManagedObject.Type]

    /// - Parameters:
    ///   - keys: What the application's first list says beside what is in its file.
    ///   - fill: Puts objects into the store; the five heroes unless told otherwise.
    init(
        _ example: String = "SuperDB/App/Stage5", classes: [NSManagedObject.Type] = [SuperDBSample.Hero.self],
        keys: [String: Any] = [:], width: Int = 1280,
        fill: (NSManagedObjectContext) throws -> Void = SuperDB.fill
    ) async throws {
        folder = try TemporaryFolder()
        self.classes = classes
        lists = try Self.copy(example, keys, into: folder.url)
        (browser, server) = try Self.serve(lists, classes, folder.url)
        let context = try Self.context(browser)
        try context.performAndWait {
            try fill(context)
            try context.save()
        }
        page = try await WebDriver().open(width: width)
        try await page.go(to: server.link())
        try await page.wait(until: "document.querySelector('main a')")
    }

    /// Copies an example, since its model lies beside its lists.
    private static func copy(_ example: String, _ keys: [String: Any], into folder: URL) throws -> URL {
        var project = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { project.deleteLastPathComponent() }
        let name = String(example.prefix { $0 != "/" })
        try FileManager.default.copyItem(
            at: project.appendingPathComponent("Examples/\(name)"), to: folder.appendingPathComponent(name))
        let copy = folder.appendingPathComponent(example)
        guard !keys.isEmpty else { return copy }
        let file = copy.appendingPathComponent("Application.plist")
        var root = try #require(
            try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any])
        var lists = try #require(root["lists"] as? [[String: Any]])
        lists[0].merge(keys) { _, new in new }
        root["lists"] = lists
        try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0).write(to: file)
        return copy
    }

    private static func serve(_ lists: URL, _ classes: [NSManagedObject.Type], _ folder: URL) throws -> (
        Browser, BrowserServer
    ) {
        var options = BrowserOptions()
        options.stateFolder = folder.appendingPathComponent("state")
        let browser = Browser(options: options)
        try browser.openApp(lists, classes: classes, storeFolder: folder)
        return (browser, try BrowserServer(browser))
    }

    /// Ends the program that serves, does something to the store, starts again and goes to the printed address.
    func restart(after change: (NSManagedObjectContext) throws -> Void = { _ in }) async throws {
        server.stop()
        try save(change)
        (browser, server) = try Self.serve(lists, classes, folder.url)
        try await page.go(to: server.link())
        try await page.wait(until: "document.querySelector('main h1')")
    }

    /// Changes the store as another process would.
    func save(_ change: (NSManagedObjectContext) throws -> Void) throws {
        let store = try #require(browser.core.shown.first).opened
        let other = NSPersistentStoreCoordinator(managedObjectModel: store.wholeModel)
        let options: [AnyHashable: Any] = [
            NSPersistentHistoryTrackingKey: true, CoreDataHistoryKeepsOldValuesOption: true,
        ]
        try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.store.url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        try context.performAndWait {
            try change(context)
            if context.hasChanges { try context.save() }
        }
    }

    /// The objects of an entity whose key has a text, as another process sees them.
    static func find(_ entity: String, _ key: String, _ text: String, _ context: NSManagedObjectContext) throws
        -> NSManagedObject
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "%K == %@", key, text)
        return try #require(try context.fetch(request).first)
    }

    /// A value of a saved object.
    func value(_ key: String, of entity: String, _ named: String, _ name: String) throws -> String? {
        let context = try Self.context(browser)
        return try context.performAndWait {
            try Self.find(entity, named, name, context).value(forKey: key).map { "\($0)" }
        }
    }

    /// What names the store in addresses and for the page's edits.
    var storeID: String { browser.core.shown[0].id }

    deinit { server.stop() }

    private static func context(_ browser: Browser) throws -> NSManagedObjectContext {
        let store = try #require(browser.core.shown.first)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.opened.coordinator
        return context
    }

    /// The address of a path that may give the place of an application in place of its name.
    func address(_ path: String) -> String { server.address + browser.named(path) }

    func goToList() async throws {
        try await page.go(to: address("apps/1/lists/0"))
        try await page.wait(until: "document.querySelector('.approw a')")
    }

    /// The titles of the rows that are drawn, from the top.
    func rows() async throws -> [String] {
        let script = """
            return [...document.querySelectorAll('.approw')].sort((a, b) => a.dataset.index - b.dataset.index)
                .map(row => row.querySelector('strong').innerText)
            """
        return try await page.evaluate(script).elements.compactMap(\.text)
    }

    /// Presses a button of the view by its text.
    func press(_ text: String, in place: String = "main") async throws {
        let script = "[...document.querySelectorAll('\(place) button')].find(b => b.innerText === arguments[0])"
        try await page.wait(until: script, [.string(text)])
        try await page.evaluate("\(script).click()", [.string(text)])
    }

    /// Opens the form of the row with a title, and the fields with Edit.
    func open(_ title: String, editing: Bool = false) async throws {
        let script =
            "[...document.querySelectorAll('.approw')].find(r => r.querySelector('strong').innerText === arguments[0])"
        try await page.wait(until: script, [.string(title)])
        try await page.evaluate("\(script).querySelector('a').click()", [.string(title)])
        try await page.wait(until: "document.querySelector('.appform')")
        if editing { try await press("Edit") }
    }

    /// What finds the field of a row.
    func field(_ key: String) -> String {
        ".appline[data-key=\(key)] input, .appline[data-key=\(key)] textarea, .appline[data-key=\(key)] select"
    }

    /// Writes over what a field has, and stays in it.
    func type(_ text: String, into key: String) async throws {
        try await page.wait(
            until: """
                (() => {
                    const input = document.querySelector('\(field(key))');
                    input?.focus();
                    input?.select();
                    return input && document.activeElement === input && input.selectionStart === 0;
                })()
                """)
        try await page.press(text)
    }

    /// What a field shows.
    func shown(_ key: String) async throws -> String? {
        try await page.evaluate("return document.querySelector('\(field(key))')?.value ?? null").text
    }

    /// How many heroes are saved.
    func count() throws -> Int { try names().count }

    /// The names of the heroes that are saved.
    func names() throws -> [String] {
        let context = try Self.context(browser)
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")).compactMap {
                $0.value(forKey: "name") as? String
            }
        }
    }
}
