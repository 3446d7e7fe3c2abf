import Foundation
import FoundationNetworking
import Synchronization

/// The file beside the place of a download that has what came so far, and what is known of its content.
///
/// `NAME.partial` has the bytes, `NAME.partial.plist` where they are from: the URL, the size of the whole, and the version by which the
/// server can continue (RFC 9110, 13.1.5): a strong entity tag, or a date of change that lies a minute before the response.
final class PartialFile: Sendable {
    struct Origin: Codable, Equatable {
        var url: String
        var validator: String?
        var size: Int64?
    }

    private struct State {
        var offset: Int64 = 0
        var origin: Origin?
        var hasResumed = false
    }

    let destination: URL
    private let url: URL?
    private let descriptor: Int32
    private let state = Mutex(State())

    private var path: String { destination.path + ".partial" }
    private var originFile: URL { URL(fileURLWithPath: path + ".plist") }

    /// Opens the file and reads what is known of it.
    ///
    /// - Throws: ``TransferError``.
    init(for destination: URL, request: URLRequest) throws {
        (self.destination, url) = (destination, request.url)
        let path = destination.path + ".partial"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw Self.failure(request.url, path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = TransferError(.fileInUse, request.url, "another download writes to \(path)")
            close(descriptor)
            throw error
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferError(.unwritableFile, request.url, "\(path) is not a file")
        }
        let origin = (try? Data(contentsOf: originFile)).flatMap {
            try? PropertyListDecoder().decode(Origin.self, from: $0)
        }
        let size = Int64(status.st_size)
        state.withLock { state in
            guard let origin, origin.url == request.url?.absoluteString, origin.validator != nil, size > 0,
                size < origin.size ?? .max
            else { return }
            (state.offset, state.origin) = (size, origin)
        }
    }

    deinit { close(descriptor) }

    /// Lets other downloads write to the file.
    func release() { flock(descriptor, LOCK_UN) }

    /// Whether a download that failed asked for what is missing alone, which the server no longer has.
    func mustBeginAgain(after error: any Error) -> Bool {
        guard let error = error as? TransferError, error.code == .changedContent || error.code == .status(416) else {
            return false
        }
        return state.withLock { $0.hasResumed }
    }

    /// The request for what is missing.
    func resuming(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return state.withLock { state in
            state.hasResumed = state.offset > 0
            if state.offset > 0, let validator = state.origin?.validator {
                request.setValue("bytes=\(state.offset)-", forHTTPHeaderField: "Range")
                request.setValue(validator, forHTTPHeaderField: "If-Range")
            }
            return request
        }
    }

    /// Prepares for the bytes of a response.
    func begin(_ response: HTTPURLResponse) throws {
        let whole = response.expectedContentLength
        let origin = Origin(
            url: url?.absoluteString ?? "", validator: Self.validator(response), size: whole >= 0 ? whole : nil)
        let offset = state.withLock { $0.offset }
        if response.statusCode == 206 {
            try checkContinuation(response, origin, from: offset)
        } else {
            guard ftruncate(descriptor, 0) == 0 else { throw failure() }
            state.withLock { ($0.offset, $0.origin) = (0, origin) }
            try? PropertyListEncoder().encode(origin).write(to: originFile, options: .atomic)
        }
    }

    /// The range must be the one that was asked for, of the content that was there before.
    private func checkContinuation(_ response: HTTPURLResponse, _ origin: Origin, from offset: Int64) throws {
        let known = state.withLock { $0.origin }
        let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
        let parts = range.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        let bounds = parts.first?.split(separator: "-") ?? []
        let isContinued =
            range.hasPrefix("bytes ") && bounds.first.flatMap { Int64($0) } == offset && offset > 0
            && (origin.validator == nil || origin.validator == known?.validator)
            && (parts.last == "*" || known?.size == nil || parts.last.flatMap { Int64($0) } == known?.size)
        guard isContinued else {
            throw TransferError(.changedContent, url, "the server continues with other content than has come before")
        }
    }

    /// Appends bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        var offset = state.withLock { $0.offset }
        while !rest.isEmpty {
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            offset += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        state.withLock { $0.offset = offset }
    }

    /// The bytes that are there.
    var size: Int64 { state.withLock { $0.offset } }

    /// Puts the file, all of whose bytes are there, in its place.
    func commit() throws {
        guard fsync(descriptor) == 0, rename(path, destination.path) == 0 else { throw failure() }
        unlink(originFile.path)
        let folder = open(destination.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    /// Forgets what came so far.
    func discard() throws {
        guard ftruncate(descriptor, 0) == 0 else { throw failure() }
        unlink(originFile.path)
        state.withLock { ($0.offset, $0.origin) = (0, nil) }
    }

    private func failure() -> TransferError { Self.failure(url, path, errno) }

    private static func failure(_ url: URL?, _ path: String, _ code: Int32) -> TransferError {
        TransferError(.unwritableFile, url, "\(path) cannot be written: \(String(cString: strerror(code)))")
    }

    /// What names the version of the content: weak tags and dates that may be of two versions do not.
    private static func validator(_ response: HTTPURLResponse) -> String? {
        if let tag = response.value(forHTTPHeaderField: "ETag"), tag.hasPrefix("\"") { return tag }
        guard let changed = response.value(forHTTPHeaderField: "Last-Modified"), let then = HTTPDate.date(changed),
            let now = response.value(forHTTPHeaderField: "Date").flatMap(HTTPDate.date),
            now.timeIntervalSince(then) >= 60
        else { return nil }
        return changed
    }
}

/// Writes the body of a response to the file of a download.
final class FileReceiver: BodyReceiver {
    private let file: PartialFile
    private let limit: Int?

    init(_ file: PartialFile, limit: Int?) { (self.file, self.limit) = (file, limit) }

    func begin(_ response: HTTPURLResponse) throws { try file.begin(response) }

    func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if let limit, file.size + Int64(bytes.count) > limit { throw TransferError.tooLarge(limit, nil) }
        try file.write(bytes)
        return true
    }
}
