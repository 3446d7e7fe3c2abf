import Foundation

/// An item that is being received, in a temporary file until it is whole.
///
/// Of the thread that receives, and of the one that commits it afterwards.
final class Upload: @unchecked Sendable {
    /// The ending of the temporary files' names.
    static let ending = ".part"

    let group: String
    let name: String
    /// The count of bytes that the client has announced, for which there is room.
    let size: Int
    private(set) var received = 0
    let begun = ContinuousClock.now
    /// The temporary file.
    let path: String
    private let descriptor: Int32

    /// Makes the temporary file.
    ///
    /// - Throws: `HubRefusal` if there is no room.
    init(group: String, name: String, size: Int, folder: String) throws {
        (self.group, self.name, self.size) = (group, name, size)
        path = "\(folder)/.\(UInt64.random(in: .min ... .max))\(Self.ending)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HubRefusal.disk(errno) }
    }

    deinit {
        close(descriptor)
        // Nothing of that name is there once the item has its own.
        unlink(path)
    }

    /// Writes the next bytes.
    ///
    /// - Throws: `HubRefusal` if there is no room, or there are more bytes than were announced.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= size - received else { throw HubRefusal(400, "the item is larger than announced") }
        var start = 0
        while start < bytes.count {
            let count = write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            guard count >= 0 || errno == EINTR else { throw HubRefusal.disk(errno) }
            start += max(0, count)
        }
        received += bytes.count
    }

    /// Has the disk keep the bytes.
    ///
    /// - Throws: `HubRefusal` if bytes are missing, or the disk fails.
    func flush() throws {
        guard received == size else { throw HubRefusal(400, "the item is shorter than announced") }
        guard fsync(descriptor) == 0 else { throw HubRefusal.disk(errno) }
    }
}
