import CoreData

/// Exports the objects of a store's file as a body that is made while it is read.
extension BrowsedStore {
    /// What is exported, and how.
    struct ExportChoice: Sendable {
        enum Form: String, Sendable { case json, jsonl, csv }

        var entities: [String]
        var predicate: String?
        var keys: [String]?
        var form: Form
    }

    /// Cancels its export when it is released.
    private final class Reader: Sendable {
        let channel = PieceChannel()
        let cancellation = ReadCancellation()

        deinit {
            channel.abandon()
            cancellation.cancel()
        }
    }

    /// The output of `coredata export` for one snapshot of the store. A slow reader slows only this export down.
    ///
    /// - Throws: `BrowserFailure`: 403 for a user who may not read everything, 422 for a store that is not a file.
    ///   Errors of `StoreExport` for entities, keys and predicates; a later error ends the body.
    func exported(_ choice: ExportChoice, for access: BrowserAccess) async throws -> BrowserBody {
        try requireExporting(for: access)
        let url = try storeFile("there is nothing to export")
        let model = model
        let reader = Reader()
        let (channel, cancellation) = (reader.channel, reader.cancellation)
        // An invalid choice is reported before the first byte is sent.
        try await Self.onOwnThread(cancellation) { _ = try StoreExport(choice, url: url, model: model) }
        // The export waits for its reader, so it must not occupy one of the few threads of the global queues.
        Thread.detachNewThread {
            do {
                try ReadCancellation.$current.withValue(cancellation) {
                    try StoreExport(choice, url: url, model: model).write(choice.form) { try channel.put(Array($0)) }
                }
                channel.end()
            } catch {
                channel.end(error)
            }
        }
        return BrowserBody { try await reader.channel.next() }
    }

    /// - Throws: `BrowserFailure` 403 for a user who may not read everything, 503 for a file that is not there.
    func requireExporting(for access: BrowserAccess) throws {
        try requireFile()
        try requireReadingAll(
            for: access, "an export writes", hint: "lists show what you may read, and give it as JSON")
    }

    /// Writes an export of a store's file; returns the number of objects. `progress` receives it now and then.
    ///
    /// - Throws: Errors of `StoreExport`, and what `send` throws.
    static func writeExport(
        _ choice: ExportChoice, url: URL, model: URL?, progress: (Int) -> Void,
        to send: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int {
        try StoreExport(choice, url: url, model: model).write(choice.form, progress: progress, to: send)
    }
}

extension StoreExport {
    fileprivate init(_ choice: BrowsedStore.ExportChoice, url: URL, model: URL?) throws {
        try self.init(
            OpenStore(at: url, model: model, for: .exporting), entities: choice.entities, where: choice.predicate,
            keys: choice.keys)
    }

    /// Writes values that cannot be read as null; the page of an object says why they cannot be read.
    @discardableResult
    fileprivate func write(
        _ form: BrowsedStore.ExportChoice.Form, progress: (Int) -> Void = { _ in },
        to send: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int {
        switch form {
        case .csv:
            try writeTables(
                isOneTable: true, failures: { _, _ in }, progress: progress, begin: { _ in }, to: send)
        case .json: try write(as: .json, failures: { _, _ in }, progress: progress, to: send)
        case .jsonl: try write(as: .jsonLines, failures: { _, _ in }, progress: progress, to: send)
        }
    }
}
