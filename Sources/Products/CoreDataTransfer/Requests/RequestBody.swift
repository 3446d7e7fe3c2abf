import Foundation
import FoundationNetworking

/// What is sent with a request, read on the session's thread.
protocol RequestBody: AnyObject {
    /// The number of bytes; nil if it is not known before the end.
    var length: Int64? { get }
    /// Fills the start of a buffer and returns how many bytes that were; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// Continues at an offset from the start; false if that is not possible.
    func seek(to offset: Int64) -> Bool
}

/// A body in memory.
final class DataBody: RequestBody {
    private let data: Data
    private var place = 0

    init(_ data: Data) { self.data = data }

    var length: Int64? { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = data.dropFirst(place).prefix(buffer.count)
        part.copyBytes(to: buffer)
        place += part.count
        return part.count
    }

    func seek(to offset: Int64) -> Bool {
        guard let offset = Int(exactly: offset), (0...data.count).contains(offset) else { return false }
        place = offset
        return true
    }
}

/// A file as a body.
final class FileBody: RequestBody {
    private let descriptor: Int32
    private let url: URL?
    private let path: String
    private let size: Int64
    private var place: Int64 = 0

    init(_ file: URL, request: URLRequest) throws {
        (url, path) = (request.url, file.path)
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(request.url, file.path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferError(.unreadableBody, request.url, "\(file.path) is not a file")
        }
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    var length: Int64? { size }

    /// A file that grows is sent as long as it was when it was opened.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = min(buffer.count, Int(size - place))
        guard wanted > 0 else { return 0 }
        var count = pread(descriptor, buffer.baseAddress, wanted, off_t(place))
        while count < 0, errno == EINTR { count = pread(descriptor, buffer.baseAddress, wanted, off_t(place)) }
        guard count >= 0 else { throw Self.failure(url, path, errno) }
        guard count > 0 else {
            throw TransferError(.unreadableBody, url, "\(path) became shorter while it was sent")
        }
        place += Int64(count)
        return count
    }

    func seek(to offset: Int64) -> Bool {
        guard (0...size).contains(offset) else { return false }
        place = offset
        return true
    }

    private static func failure(_ url: URL?, _ path: String, _ code: Int32) -> TransferError {
        TransferError(.unreadableBody, url, "\(path) cannot be read: \(String(cString: strerror(code)))")
    }
}

/// A stream as a body, which is sent once. While it has nothing to read, the other transfers of the session wait too.
final class StreamBody: RequestBody {
    private let stream: InputStream
    private let url: URL?
    private var hasBegun = false

    init(_ stream: InputStream, url: URL?) { (self.stream, self.url) = (stream, url) }

    deinit { if hasBegun { stream.close() } }

    var length: Int64? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if !hasBegun {
            stream.open()
            hasBegun = true
        }
        guard let start = buffer.bindMemory(to: UInt8.self).baseAddress else { return 0 }
        let count = stream.read(start, maxLength: buffer.count)
        guard count >= 0 else {
            let reason = stream.streamError.map { ": \($0.localizedDescription)" } ?? ""
            throw TransferError(.unreadableBody, url, "the stream cannot be read\(reason)")
        }
        return count
    }

    func seek(to offset: Int64) -> Bool { offset == 0 && !hasBegun }
}
