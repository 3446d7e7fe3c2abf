import CoreData

/// A web application that shows stores of Core Data and edits them, for any HTTP server.
///
/// Pass each request to `respond(to:)` and send the response that it returns. All members may be called from any
/// thread.
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

    /// Shows the stores of a coordinator, which the program may continue to use.
    ///
    /// Objects keep their classes, and edits go through contexts of the coordinator. Stores added later are not shown.
    public func show(_ coordinator: NSPersistentStoreCoordinator, name: String) {
        for store in coordinator.persistentStores {
            core.show(StoreFileIdentity(store).address(name)) {
                BrowsedStore(id: $0, name: name, coordinator: coordinator, store: store)
            }
        }
    }

    /// Opens a store's file and shows it; returns its name in addresses, which is the same after each start.
    ///
    /// A file that is shown already keeps its name and is not opened a second time.
    /// - Parameter model: A model's file or folder; nil for the model that the store keeps.
    /// - Throws: An error that says which file, why it cannot be shown and what to do.
    @discardableResult
    public func open(_ file: URL, model: URL? = nil, isWriting: Bool = false) throws -> String {
        try core.open(file, model: model, isWriting: isWriting).id
    }

    /// Opens a store's file for one view that this process reads; leaves no further file beside the store.
    package func openForPrinting(_ file: URL, model: URL?) throws {
        _ = try core.open(file, model: model, isWriting: false, isPrinting: true)
    }

    /// Shows an application that property lists describe, and opens, migrates or creates its store; returns its name in
    /// addresses.
    ///
    /// The folder has `Application.plist`, detail lists, and the files that these name: the model, and optionally error
    /// texts, pictures of tabs and a store that the first start copies.
    ///
    /// - Parameters:
    ///   - classes: Classes for the model's entities, found by their names. `ObjectClassResolver` looks for the other
    ///     classes of the model, and `NSManagedObject` replaces those that it does not find.
    ///   - storeFolder: The folder of the store; nil for the application's own.
    /// - Throws: An error that says which file, what is wrong with it and what to do.
    @discardableResult
    public func openApp(_ folder: URL, classes: [NSManagedObject.Type] = [], storeFolder: URL? = nil) throws -> String {
        try core.openApp(folder, classes: classes, storeFolder: storeFolder).id
    }

    /// Shows a model, `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`, and returns its name in addresses.
    ///
    /// - Parameters:
    ///   - isWriting: Whether a model in sources may be edited. Every user of the browser may then edit it: the rules
    ///     of the options restrict only what users do with objects.
    ///   - classFolder: The folder into which the page may generate classes; nil if it may not.
    ///   - codeFolders: Folders of generated sources in which the page may rename what is renamed in the model.
    ///   - listFolders: Folders of property list applications in which the page may do the same.
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
    /// The file may still grow. Call this method before the first request.
    /// - Throws: An error that says which file and what is wrong with it.
    public func openTrace(_ file: URL) throws { try core.traces.show(file) }

    /// Lets detail lists name one more kind of field.
    ///
    /// - Throws: An error for a kind that is edited and that nothing saves.
    public func register(_ kind: FieldKind) throws { try core.apps.register(kind) }

    /// Answers a request. It does not throw: an error is answered as a response too.
    public func respond(to request: BrowserRequest) async -> BrowserResponse {
        do {
            return security.protect(try await answer(request), to: request)
        } catch {
            return security.protect(BrowserFailure(error).response, to: request)
        }
    }

    /// The body that `GET` answers to a user, for a caller in this process rather than a server.
    ///
    /// - Parameter target: Path and query as in `BrowserRequest`.
    /// - Throws: `BrowserFailure` where the answer to a request would report it.
    package func view(at target: String, for user: BrowserUser) async throws -> BrowserBody {
        do {
            return try await answer(BrowserRequest(target: target, user: user)).body
        } catch {
            throw BrowserFailure(error)
        }
    }

    private func answer(_ request: BrowserRequest) async throws -> BrowserResponse {
        let (target, asksForJSON) = try RequestTarget(request.target).below(core.options.basePath).withoutJSONSuffix
        // HEAD is answered as GET is; the server sends the head without the body.
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
