import CoreData
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
            return .json(try await preview(of: file, call.query["entity"], for: store))
        } catch {
            call.browser.uploads.remove(file.id, of: file.owner)
            throw error
        }
    }

    private func preview(
        of file: UploadedFile, _ entity: String?, for store: BrowsedStore
    ) async throws -> JSONValue {
        let opened = store.opened
        return try await BrowsedStore.onOwnThread {
            do {
                let preview = try ImportPreview(
                    file.url.path, named: file.name, entity: entity.flatMap { $0.isEmpty ? nil : $0 },
                    for: opened.wholeModel)
                guard case .members(let members) = preview.json else { return preview.json }
                return .members([.init(key: "file", value: .string(file.id))] + members)
            } catch {
                throw file.named(error)
            }
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

/// `POST /stores/{store}/import`: imports the objects of a received file, or tries to in a dry run.
struct ImportPage: Page {
    let route = Route("POST /stores/{store}/import")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, browser) = (try call.store, call.browser)
        try call.requireImporting(into: store)
        let parts = JSONParts(try await call.json())
        let file = try browser.uploads.file(try parts.text("file"), of: call.editingTab)
        let choice = try BrowsedStore.ImportChoice(parts, of: file)
        try browser.sessions.requireNothingStaged(in: store)
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
                return try browser.changeFile(of: store) {
                    try BrowsedStore.importing(choice, of: file, into: target, author: author)
                }
            } catch {
                throw cancellation.isCancelled ? CancellationError() : error
            }
        }
        await browser.sessions.refresh(store)
        return .json(report)
    }
}

extension PageCall {
    /// - Throws: `BrowserFailure`: 409 for a store that is open for reading only, 403 for a user who may not read and
    ///   change everything.
    fileprivate func requireImporting(into store: BrowsedStore) throws {
        try store.requireFile()
        try store.requireReadingAll(for: access, "an import matches", hint: "ask who runs the browser")
        try store.requireWriting()
        try store.requireChangingAll(for: access, "an import changes")
    }
}
