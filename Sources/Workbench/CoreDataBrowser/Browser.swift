import CoreData

/// A web application that shows stores of Core Data and edits them, for any HTTP server.
///
/// Hand each request to `respond(to:)` and send what it gives. All members may be called from any thread.
///
/// ```swift
/// import CoreDataBrowser
///
/// let browser = Browser()
/// browser.show(container.persistentStoreCoordinator, name: "Shop")
/// let response = await browser.respond(to: BrowserRequest(target: "/", user: BrowserUser(name: "ann")))
/// print(response.status)
/// ```
public final class Browser: Sendable {
    package let core: BrowserCore
    private let pages = PageTable.all
    private let security = ResponseSecurity()

    /// Makes a browser that shows nothing yet.
    public init(options: BrowserOptions = BrowserOptions()) { core = BrowserCore(options: options) }

    /// Shows the stores of a coordinator, which the program goes on using itself.
    ///
    /// Objects keep their classes, and edits go through contexts of the coordinator. Stores added later are not shown.
    public func show(_ coordinator: NSPersistentStoreCoordinator, name: String) {
        for store in coordinator.persistentStores {
            core.show(StoreFileIdentity(store).address(name)) {
                BrowsedStore(id: $0, name: name, coordinator: coordinator, store: store)
            }
        }
    }

    /// Opens a store's file and shows it; gives the name that it has in addresses, after each start the same.
    ///
    /// A file that is shown already keeps its name and is not opened a second time.
    /// - Parameter model: A model's file or folder; nil for the model that the store keeps.
    /// - Throws: An error that says which file, why it cannot be shown and what to do.
    @discardableResult
    public func open(_ file: URL, model: URL? = nil, isWriting: Bool = false) throws -> String {
        try core.open(file, model: model, isWriting: isWriting).id
    }

    /// Opens a store's file for one view that is read in this process; no file is left beside it.
    package func openForPrinting(_ file: URL, model: URL?) throws {
        _ = try core.open(file, model: model, isWriting: false, isPrinting: true)
    }

    /// Shows an application made of property lists, whose store is opened, migrated or made; gives its name in addresses.
    ///
    /// The folder has `Application.plist`, detail lists, and what they name: the model, perhaps texts of errors, pictures of
    /// tabs and a store that the first start copies.
    ///
    /// - Parameters:
    ///   - classes: Classes of the model's entities, by whose names the model finds them; others are looked for as
    ///     `ObjectClassResolver` does, and plain objects stand in for those that are not found.
    ///   - storeFolder: The folder of the store; nil for the application's own.
    /// - Throws: An error that says which file, what is wrong with it and what to do.
    @discardableResult
    public func openApp(_ folder: URL, classes: [NSManagedObject.Type] = [], storeFolder: URL? = nil) throws -> String {
        try core.openApp(folder, classes: classes, storeFolder: storeFolder).id
    }

    /// Shows a model, `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`, and gives its name in addresses.
    ///
    /// - Parameters:
    ///   - isWriting: Whether a model in sources may be edited. Every user of the browser may then edit it: the rules of
    ///     the options are about objects.
    ///   - classFolder: Where classes may be written that are generated from the page; nil for nowhere.
    ///   - codeFolders: Folders of generated sources in which the page may follow what is renamed.
    ///   - listFolders: Folders of applications of property lists in which it may do the same.
    /// - Throws: An error that says which file, why it cannot be shown and what to do.
    @discardableResult
    public func openModel(
        _ file: URL, isWriting: Bool = false, classFolder: URL? = nil, codeFolders: [URL] = [], listFolders: [URL] = []
    ) throws -> String {
        try core.models.show(AddressName.make(file.lastPathComponent, of: EditedModel.identifier(of: file))) { id in
            try EditedModel(
                id: id, at: file, isWriting: isWriting, classFolder: classFolder,
                following: FollowingFolders(code: codeFolders, lists: listFolders), folder: StateFolder(core.options))
        }.id
    }

    /// Shows a recording that `CoreDataInstruments` or `coredata instruments` made, among those at `/instruments`.
    ///
    /// The file may still grow. Call it before users come.
    /// - Throws: An error that says which file and what is wrong with it.
    public func openTrace(_ file: URL) throws { try core.traces.show(file) }

    /// Lets detail lists name one more kind of field.
    ///
    /// - Throws: An error for a kind that is edited and that nothing saves.
    public func register(_ kind: FieldKind) throws { try core.apps.register(kind) }

    /// Answers a request. Never throws: what goes wrong is an answer too.
    public func respond(to request: BrowserRequest) async -> BrowserResponse {
        do {
            return security.protect(try await answer(request), to: request)
        } catch {
            return security.protect(BrowserFailure(error).response, to: request)
        }
    }

    /// What `GET` answers to a user, for a caller in this process rather than a server.
    ///
    /// - Parameter target: Path and query as in `BrowserRequest`.
    /// - Throws: `BrowserFailure` in place of an answer that would report it.
    package func view(at target: String, for user: BrowserUser) async throws -> BrowserBody {
        do {
            return try await answer(BrowserRequest(target: target, user: user)).body
        } catch {
            throw BrowserFailure(error)
        }
    }

    private func answer(_ request: BrowserRequest) async throws -> BrowserResponse {
        let (target, asksForJSON) = try RequestTarget(request.target).below(core.options.basePath).withoutJSONSuffix
        // The answer to HEAD is that to GET, of which the server sends no body.
        let method = request.method == "HEAD" ? "GET" : request.method
        let matches = pages.compactMap { page in page.route.parameters(of: target.steps).map { (page, $0) } }
        let found = matches.first { $0.0.route.method == method }
        let isView = !asksForJSON && request.wantsHTML && found?.0 is any ViewPage
        try core.access.checkOrigin(request, isView: isView)
        if isView {
            guard let code = target.query["code"], request.user == nil, request.method == "GET", target.steps.isEmpty
            else { return try FrontEnd.index(core.options) }
            return try SessionStart(access: core.access, basePath: core.options.basePath).redirect(request, code: code)
        }
        let tab = found?.0 is any PublicPage ? nil : try core.access.tab(of: request)
        if method != "GET", let found { try core.requireName(in: target.steps, as: found.1) }
        guard let (page, parameters) = found else {
            guard !matches.isEmpty else { throw BrowserFailure.notFound }
            let allowed = matches.map(\.0.route.method).joined(separator: ", ")
            throw BrowserFailure(405, code: "wrongMethod", reason: "the page answers \(allowed) only")
        }
        return try await page.respond(
            PageCall(browser: core, request: request, parameters: parameters, query: target.query, tab: tab))
    }
}
