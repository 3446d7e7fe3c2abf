import CoreData
import Synchronization

/// A file to import that a client sent, or that was downloaded for one, in the temporary folder; it is removed when the
/// object is deallocated.
final class UploadedFile: Sendable {
    /// The file's name in addresses, such as `f1`.
    let id: String
    /// The tab that sent it.
    let owner: String
    /// The file, called as the sender calls it.
    let content: ImportFile
    let byteCount: Int
    /// The number of bytes that a running import has read; negative if none runs.
    let progress = Atomic<Int>(-1)
    /// The file of this object alone; nil for one that has an owner of its own.
    private let ownFile: URL?

    /// The sender's name for the file.
    var name: String { content.name }

    /// - Parameter ownFile: The file to be removed with the object.
    init(id: String, owner: String, _ content: ImportFile, removing ownFile: URL? = nil) {
        (self.id, self.owner, self.content, self.ownFile) = (id, owner, content, ownFile)
        byteCount = content.byteCount
    }

    deinit { if let ownFile { try? FileManager.default.removeItem(at: ownFile) } }

    /// Writes a body into a file that only the user of this process can read.
    ///
    /// - Throws: `BrowserFailure` 413 for more than `limit` bytes, 507 if they cannot be written; errors of the sender.
    static func receive(
        _ body: BrowserBody, id: String, name: String, owner: String, limit: Int
    ) async throws -> UploadedFile {
        guard body.leastCount <= limit else { throw BrowserFailure.tooLarge(limit) }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable() }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            var count = 0
            while let piece = try await body.next() {
                guard piece.count <= limit - count else { throw BrowserFailure.tooLarge(limit) }
                count += piece.count
                do { try handle.write(contentsOf: Data(piece)) } catch { throw unwritable() }
            }
            try handle.close()
            let name = PrintableText.escaped(name, limit: 200)
            return UploadedFile(id: id, owner: owner, ImportFile(url.path, named: name), removing: url)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }

    static func unwritable() -> BrowserFailure {
        BrowserFailure(
            507, code: "noRoom", reason: "the file cannot be kept in the temporary folder",
            hint: "make room, or name another folder in TMPDIR")
    }

    /// An error about the file: it is at fault then, not the store.
    func named(_ error: any Error) -> any Error {
        guard var found = error as? InspectionError, found.code == .unreadable, found.subject.hasPrefix(name) else {
            return error
        }
        found.code = .badValue
        return found
    }
}

/// The files that tabs have sent; each tab has at most one.
///
/// Invariants:
/// 1. A tab can access only its own file.
/// 2. There are at most `limit` files; one more replaces the oldest.
final class UploadRegistry: Sendable {
    private struct State {
        var files: [UploadedFile] = []
        var lastNumber = 0
    }

    private static let limit = 8
    /// The size in bytes above which a file is refused.
    static let byteLimit = 1 << 30
    private let state = Mutex(State())

    /// Receives a file, which replaces the tab's former one.
    ///
    /// - Throws: as `UploadedFile.receive` does.
    func receive(_ body: BrowserBody, name: String, owner: String) async throws -> UploadedFile {
        let file = try await UploadedFile.receive(body, id: newID(), name: name, owner: owner, limit: Self.byteLimit)
        add(file)
        return file
    }

    /// Adds a file that was downloaded for a tab, which replaces the tab's former one.
    func add(_ content: ImportFile, owner: String) -> UploadedFile {
        let file = UploadedFile(id: newID(), owner: owner, content)
        add(file)
        return file
    }

    private func newID() -> String {
        state.withLock { state in
            state.lastNumber += 1
            return "f\(state.lastNumber)"
        }
    }

    private func add(_ file: UploadedFile) {
        state.withLock { state in
            state.files.removeAll { $0.owner == file.owner }
            state.files.append(file)
            if state.files.count > Self.limit { state.files.removeFirst() }
        }
    }

    /// - Throws: `BrowserFailure` 404 for a file that the tab has not sent, or that has been removed.
    func file(_ id: String, of owner: String) throws -> UploadedFile {
        guard let file = state.withLock({ $0.files.first { $0.id == id && $0.owner == owner } }) else {
            throw BrowserFailure(
                404, code: "unknownFile", reason: "the file is not kept any more", hint: "send it again")
        }
        return file
    }

    /// Removes a tab's file.
    func remove(_ id: String, of owner: String) {
        state.withLock { state in state.files.removeAll { $0.id == id && $0.owner == owner } }
    }
}
