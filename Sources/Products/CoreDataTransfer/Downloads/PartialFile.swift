import Foundation
import FoundationNetworking
import LockKit

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
        /// The size of the whole, once a response has said it.
        var total: Int64?
        var hasResumed = false
        var isCommitted = false
    }

    let destination: URL
    let url: URL?
    private let method: String
    private let descriptor: Int32
    private let state = Locked(State())

    private var path: String { destination.path + ".partial" }
    private var originFile: URL { URL(fileURLWithPath: path + ".plist") }

    /// Opens the file, locks it and reads what is known of it.
    ///
    /// - Throws: ``TransferError``.
    init(for destination: URL, request: URLRequest) throws {
        (self.destination, url, method) = (destination, request.url, request.httpMethod ?? "GET")
        descriptor = try Self.openLocked(destination.path + ".partial", request.url)
        var status = stat()
        guard fstat(descriptor, &status) == 0, let data = try? Data(contentsOf: originFile),
            let origin = try? PropertyListDecoder().decode(Origin.self, from: data)
        else { return }
        let size = Int64(status.st_size)
        guard origin.url == request.url?.absoluteString, origin.validator != nil, size > 0,
            size < origin.size ?? .max, method == "GET"
        else { return }
        state.withLock { ($0.offset, $0.origin) = (size, origin) }
    }

    deinit { close(descriptor) }

    /// Opens the file under its name: another download may move the one that was opened to its place before it is locked.
    private static func openLocked(_ path: String, _ url: URL?) throws -> Int32 {
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
            guard descriptor >= 0 else { throw failure(url, path, errno) }
            do {
                if try lock(descriptor, path, url) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw TransferError(.fileInUse, url, "other downloads replace \(path) again and again")
    }

    /// Locks an open file; false if it no longer has its name.
    private static func lock(_ descriptor: Int32, _ path: String, _ url: URL?) throws -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw failure(url, path, errno) }
            throw TransferError(.fileInUse, url, "another download writes to \(path)")
        }
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw failure(url, path, errno) }
        guard own.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.unwritableFile, url, "\(path) is not a file")
        }
        return try isNamed(descriptor, path, url)
    }

    /// Whether a path still names an open file.
    private static func isNamed(_ descriptor: Int32, _ path: String, _ url: URL?) throws -> Bool {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { throw failure(url, path, errno) }
        guard lstat(path, &named) == 0 else {
            guard errno == ENOENT else { throw failure(url, path, errno) }
            return false
        }
        return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    /// Lets other downloads write to the file, which is removed if nothing is in it.
    func release() {
        var status = stat()
        if !state.withLock(\.isCommitted), fstat(descriptor, &status) == 0, status.st_size == 0 {
            unlink(originFile.path)
            unlink(path)
        }
        flock(descriptor, LOCK_UN)
    }

    /// Whether a download that failed asked for what is missing alone, which the server no longer has.
    func mustBeginAgain(after error: any Error) -> Bool {
        guard let error = error as? TransferError, error.code == .changedContent || error.code == .status(416) else {
            return false
        }
        return state.withLock { $0.hasResumed }
    }

    /// The request for what is missing; fields for a range that it has are left out.
    func resuming(_ request: URLRequest) -> URLRequest {
        var request = request
        for name in ["Range", "If-Range"] { request.setValue(nil, forHTTPHeaderField: name) }
        return state.withLock { state in
            state.hasResumed = false
            guard state.offset > 0, let validator = state.origin?.validator else { return request }
            request.setValue(validator, forHTTPHeaderField: "If-Range")
            // Foundation drops values with control characters.
            guard request.value(forHTTPHeaderField: "If-Range") == validator else { return request }
            request.setValue("bytes=\(state.offset)-", forHTTPHeaderField: "Range")
            state.hasResumed = true
            return request
        }
    }

    /// Prepares for the bytes of a response.
    func begin(_ response: HTTPURLResponse) throws {
        let coding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        let isEncoded = !["", "identity"].contains(coding.lowercased())
        if response.statusCode == 206 { return try continueFile(response, isEncoded) }
        if response.statusCode == 416, state.withLock(\.hasResumed) {
            throw TransferError(
                .status(416), url, "the server does not have the range that is missing", response: response)
        }
        // The length is the one of the encoded bytes, and a part of the decoded ones cannot be asked for.
        let size = isEncoded ? nil : announcedSize(response)
        let validator = isEncoded ? nil : Self.validator(response)
        let origin = Origin(url: url?.absoluteString ?? "", validator: validator, size: size)
        unlink(originFile.path)
        guard ftruncate(descriptor, 0) == 0 else { throw failure() }
        state.withLock { ($0.offset, $0.origin, $0.total) = (0, origin, size) }
        guard validator != nil else { return }
        let data = (try? PropertyListEncoder().encode(origin)) ?? Data()
        // The query of a URL may be what gives access to it.
        guard
            FileManager.default.createFile(
                atPath: originFile.path, contents: data, attributes: [.posixPermissions: 0o600])
        else { throw TransferError(.unwritableFile, url, "\(originFile.path) cannot be written") }
    }

    /// The number of bytes that a response's `Content-Length` says will come (RFC 9112, 6.3); nil if there is none that counts.
    private func announcedSize(_ response: HTTPURLResponse) -> Int64? {
        guard method != "HEAD", ![204, 304].contains(response.statusCode), response.expectedContentLength >= 0,
            response.value(forHTTPHeaderField: "Transfer-Encoding") == nil
        else { return nil }
        return response.expectedContentLength
    }

    /// The range must be the one that was asked for, of the content that was there before.
    private func continueFile(_ response: HTTPURLResponse, _ isEncoded: Bool) throws {
        let (known, offset) = state.withLock { ($0.origin, $0.offset) }
        let validator = Self.validator(response)
        let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
        let parts = range.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        let bounds = (parts.first ?? "").split(separator: "-").compactMap { Int64($0) }
        let total = parts.count == 2 ? Int64(parts[1]) : nil
        let isContinued =
            range.lowercased().hasPrefix("bytes ") && bounds.count == 2 && bounds[0] == offset && offset > 0
            && bounds[1] >= offset && bounds[1] < total ?? .max && !isEncoded
            && (validator == nil || validator == known?.validator)
            && (total == nil || known?.size == nil || total == known?.size)
        guard isContinued else {
            throw TransferError(
                .changedContent, url, "the server continues with other content than has come before")
        }
        // A server may send less than was asked for; without a total its range is taken for the rest.
        state.withLock { $0.total = total ?? known?.size ?? bounds[1] + 1 }
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
        let (size, total) = state.withLock { ($0.offset, $0.total) }
        guard size == total ?? size else {
            throw TransferError(
                .incompleteBody, url, "the server sent a part: \(size) of \(total ?? 0) bytes are there")
        }
        guard try Self.isNamed(descriptor, path, url) else {
            throw TransferError(.unwritableFile, url, "\(path) was moved or removed before it was complete")
        }
        guard fsync(descriptor) == 0 else { throw failure() }
        // What describes the file goes first: it must not be taken for a description of the next one.
        unlink(originFile.path)
        guard rename(path, destination.path) == 0 else { throw failure() }
        state.withLock { $0.isCommitted = true }
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
        if let limit, file.size + Int64(bytes.count) > limit { throw TransferError.tooLarge(limit, file.url) }
        try file.write(bytes)
        return true
    }
}
