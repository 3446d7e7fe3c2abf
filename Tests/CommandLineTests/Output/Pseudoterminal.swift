import CoreData
import TestBasics
import Testing

/// A terminal of a given width, whose other end is read in the background.
final class Pseudoterminal: @unchecked Sendable {
    let slave: FileHandle
    private let master: FileHandle
    private let done = DispatchSemaphore(value: 0)
    // Written by the reading thread before it signals `done`, read after waiting for it.
    private var received = Data()

    init(columns: UInt16) throws {
        var ends: (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&ends.0, &ends.1, nil, nil, &size) == 0)
        master = FileHandle(fileDescriptor: ends.0, closeOnDealloc: true)
        slave = FileHandle(fileDescriptor: ends.1, closeOnDealloc: true)
        let reading = ends.0
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(reading, &buffer, buffer.count)
                guard count > 0 else { break }
                received.append(contentsOf: buffer[..<count])
            }
            done.signal()
        }
    }

    /// What was written, once all writers are gone.
    func text() throws -> String {
        try slave.close()
        done.wait(for: "the end of all writers")
        return String(decoding: received, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
