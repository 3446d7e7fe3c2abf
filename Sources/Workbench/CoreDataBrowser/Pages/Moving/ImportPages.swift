import CoreData
import CoreDataJobs
import Synchronization

/// `POST /stores/{store}/import/files`: receives a file of objects to import; answers a preview of its first objects.
struct ImportFilePage: Page {
    let route = Route("POST /stores/{store}/import/files")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireImporting(into: store)
        // A form of another site can send a body only with one of the content types of forms, so this type is required.
        guard call.request.headers["Content-Type"]?.lowercased() == "application/octet-stream" else {
            throw BrowserFailure(415, code: "notBytes", reason: "the body is not of type application/octet-stream")
        }
        let name = String((call.query["name"] ?? "import").prefix(200))
        let file = try await call.browser.uploads.receive(call.request.body, name: name, owner: call.editingTab)
        do {
            let entity = call.query["entity"]
            return .json(try await BrowsedStore.onOwnThread { try file.preview(entity, for: store) })
        } catch {
            call.browser.uploads.remove(file.id, of: file.owner)
            throw error
        }
    }
}

/// `GET /stores/{store}/import`: whether files can be imported, and how large they may be.
struct ImportViewPage: ViewPage {
    let route = Route("GET /stores/{store}/import")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        .json(
            .object([
                ("writing", .bool(try call.store.opened.isWriting)), ("limit", .count(UploadRegistry.byteLimit)),
                ("hosts", .array(call.browser.options.importHosts.sorted().map { .string($0) })),
            ]))
    }
}

/// `GET /stores/{store}/import/files/{file}`: a received file, and how much of it a running import has read.
struct ImportProgressPage: Page {
    let route = Route("GET /stores/{store}/import/files/{file}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let file = try call.browser.uploads.file(call.parameters["file"] ?? "", of: call.editingTab)
        let read = file.progress.load(ordering: .relaxed)
        return .json(
            .object([
                ("file", .string(file.id)), ("name", .string(file.name)), ("bytes", .count(file.byteCount)),
                ("read", .count(read < 0 ? nil : read)),
            ]))
    }
}

/// `POST /stores/{store}/import/urls`: downloads a file to import, as a job whose result is its preview.
struct ImportDownloadPage: Page {
    let route = Route("POST /stores/{store}/import/urls")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireImporting(into: store)
        let parts = JSONParts(try await call.json())
        let (text, entity) = (try parts.text("url"), try parts.optionalText("entity"))
        guard ImportFile.isOnWeb(text), let url = URL(string: text), let host = url.host, !host.isEmpty else {
            throw BrowserFailure.badImportURL
        }
        let (uploads, web, owner) = (call.browser.uploads, call.browser.importAccess, call.editingTab)
        var plan = JobPlan(.download, url.hostAndPath) { handle, _ in
            var access = web
            access.onProgress = { received, all in
                handle.report(completed: Int64(received), total: all.map { Int64($0) })
            }
            let content = try ImportFile(fetching: text, by: access)
            handle.report(completed: Int64(content.byteCount), total: Int64(content.byteCount))
            return try uploads.add(content, owner: owner).preview(entity, for: store)
        }
        plan.asksServers = true
        plan.needsNetwork = call.needsNetwork(host)
        return try call.started(plan, in: store)
    }
}

/// `POST /stores/{store}/import/mapping`: a mapping of a received file, guessed, ready made or given, and what it does.
struct ImportMappingPage: Page {
    let route = Route("POST /stores/{store}/import/mapping")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireImporting(into: store)
        let parts = JSONParts(try await call.json())
        let file = try call.browser.uploads.file(try parts.text("file"), of: call.editingTab)
        let choice = try BrowsedStore.ImportChoice(parts, of: file.content)
        let model = store.opened.wholeModel
        return .json(
            try await BrowsedStore.onOwnThread {
                do {
                    return try Self.answer(choice, of: file.content, for: model)
                } catch {
                    throw file.named(error)
                }
            })
    }

    /// `{"mapping", "text", "feed", "records"}`: the first two are null for a feed.
    private static func answer(
        _ choice: BrowsedStore.ImportChoice, of file: ImportFile, for model: NSManagedObjectModel
    ) throws -> JSONValue {
        let form: MappingForm
        switch choice.mapping {
        case .feed:
            let (feed, mapping) = try choice.request.feedMapping(for: model)
            try mapping.check(against: model)
            return .object([
                ("mapping", .null), ("text", .null), ("feed", .string(feed.rawValue)), ("records", mapping.report),
            ])
        case .keys(let given): form = given
        case nil:
            let guess = try MappingGuess(file, as: choice.request.format, entity: choice.request.entity, for: model)
            form = try MappingForm(propertyList: guess.propertyList)
        }
        let mapping = try form.mapping()
        try mapping.check(against: model)
        return .object([
            ("mapping", form.json), ("text", .string(form.text)), ("feed", .null), ("records", mapping.report),
        ])
    }
}

/// `POST /stores/{store}/import`: imports the objects of a received file, or tries to in a dry run; with `"job": true` as
/// a job.
struct ImportPage: Page {
    let route = Route("POST /stores/{store}/import")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, browser) = (try call.store, call.browser)
        try call.requireImporting(into: store)
        let body = try await call.json()
        let parts = JSONParts(body)
        let file = try browser.uploads.file(try parts.text("file"), of: call.editingTab)
        let choice = try BrowsedStore.ImportChoice(parts, of: file.content)
        try browser.sessions.requireNothingStaged(in: store)
        if try parts.flag("job") {
            return try call.started(call.importPlan(choice, of: file, request: body, in: store), in: store)
        }
        let target = StoreFileAccess(url: try store.storeFile("nothing can be imported"), model: store.model)
        let author = call.request.user?.name ?? OpenStore.author
        guard file.progress.compareExchange(expected: -1, desired: 0, ordering: .relaxed).exchanged else {
            throw BrowserFailure(
                409, code: "busy", reason: "the file is being imported", hint: "wait until that is done")
        }
        defer { file.progress.store(-1, ordering: .relaxed) }
        let cancellation = ReadCancellation()
        let report = try await BrowsedStore.onOwnThread(cancellation) {
            do {
                let request = try choice.prepared(for: store.opened.wholeModel, by: browser.importAccess)
                return try browser.changeFile(of: store, choice.request.mode) {
                    try BrowsedStore.importing(request, into: target, author: author) {
                        read, _ in file.progress.store(read, ordering: .relaxed)
                    }
                }
            } catch {
                throw cancellation.isCancelled ? CancellationError() : file.named(error)
            }
        }
        await browser.sessions.refresh(store)
        return .json(report)
    }
}

extension UploadedFile {
    /// What the beginning of the file says of the objects in it, with the file's name in addresses.
    ///
    /// - Throws: `InspectionError` for an unknown entity. A file without objects as `export` writes them has no columns:
    ///   a mapping may read it.
    fileprivate func preview(_ entity: String?, for store: BrowsedStore) throws -> JSONValue {
        let facts: [JSONValue.Member] = [
            .init(key: "file", value: .string(id)), .init(key: "name", value: .string(name)),
            .init(key: "bytes", value: .count(byteCount)), .init(key: "feed", value: .text(feed)),
        ]
        do {
            let preview = try ImportPreview(
                content, entity: entity.flatMap { $0.isEmpty ? nil : $0 }, for: store.opened.wholeModel)
            guard case .members(let members) = preview.json else { return preview.json }
            return .members(facts + members)
        } catch let error as InspectionError where error.code == .badValue && isForMappings {
            return .members(
                facts + [
                    .init(key: "format", value: .string(ImportFormat.xml.rawValue)),
                    .init(key: "entity", value: .null), .init(key: "columns", value: .array([])),
                    .init(key: "problem", value: .string(PrintableText.escaped(error.description, limit: 500))),
                ])
        } catch {
            throw named(error)
        }
    }

    private var feed: String? { (try? FeedFormat(content))?.rawValue }

    /// Whether the file is a document that only a mapping reads.
    private var isForMappings: Bool { (try? content.likelyFormat()) == .xml }
}

extension PageCall {
    /// - Throws: `BrowserFailure`: 409 for a store that is open for reading only, 403 for a user who may not read and
    ///   change everything.
    func requireImporting(into store: BrowsedStore) throws {
        try store.requireFile()
        try store.requireReadingAll(for: access, "an import matches", hint: "ask who runs the browser")
        try store.requireWriting()
        try store.requireChangingAll(for: access, "an import changes")
    }
}
