import CoreDataSQL
import SQLiteKit

/// A text or data of a store's file that is read in parts: from its row, or from the external file that the row names.
final class LongFileValue: LongValue {
    private enum Place {
        /// In the row, after `skipped` bytes.
        case row(IncrementalBlob, skipped: Int)
        case file(FileHandle)
    }

    let tag: UInt8
    let count: Int
    private let place: Place

    /// - Parameter skipped: how many leading bytes of the column do not belong to the value.
    init(_ tag: UInt8, row: IncrementalBlob, skipped: Int = 0) {
        self.tag = tag
        count = max(0, row.count - skipped)
        place = .row(row, skipped: skipped)
    }

    init(file: FileHandle, count: Int) {
        tag = RowTag.blob
        self.count = count
        place = .file(file)
    }

    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, LongValueSize.part), alignment: 8)
        defer { part.deallocate() }
        var start = 0
        while start < count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: part.prefix(count - start))
            try fill(piece, at: start)
            try body(UnsafeRawBufferPointer(piece))
            start += piece.count
        }
    }

    /// Fills the buffer with bytes of the value, beginning at offset `start`.
    ///
    /// - Throws: `SQLiteError`, or `ExternalDataError` if the file is too short.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at start: Int) throws {
        switch place {
        case .row(let blob, let skipped): try blob.read(buffer, at: start + skipped)
        case .file(let handle):
            var count = 0
            while count < buffer.count {
                let got = pread(
                    handle.fileDescriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count,
                    off_t(start + count))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { throw ExternalDataError(reason: "its file ends before it should") }
                count += got
            }
        }
    }

    /// Whether all bytes are valid UTF-8.
    func isUTF8() throws -> Bool {
        var isValid = true
        var rest: [UInt8] = []
        try read { part in
            guard isValid else { return }
            rest.append(contentsOf: part)
            // A scalar that the end of a part has cut is validated with the next part.
            let end = rest.suffix(4).lastIndex { $0 & 0xC0 != 0x80 } ?? rest.endIndex
            isValid = String(validating: rest[..<end], as: UTF8.self) != nil
            rest.removeSubrange(..<end)
        }
        return isValid && String(validating: rest, as: UTF8.self) != nil
    }
}
