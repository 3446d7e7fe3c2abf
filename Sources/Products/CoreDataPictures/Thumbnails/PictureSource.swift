import Foundation

/// Where a picture is.
public enum PictureSource: Sendable {
    /// In memory.
    case data(Data)
    /// In a file, which is never written.
    case file(URL)

    /// The bytes.
    ///
    /// - Throws: ``PictureFileError`` with `unreadable`, also for more bytes than the limit.
    func bytes(limit: Int) throws -> Data {
        switch self {
        case .data(let data):
            guard data.count <= limit else { throw Self.tooLarge(limit) }
            return data
        case .file(let file):
            guard let handle = try? FileHandle(forReadingFrom: file) else {
                throw PictureFileError.unreadable("'\(file.lastPathComponent)' cannot be read")
            }
            defer { try? handle.close() }
            guard let data = try? handle.read(upToCount: limit) ?? Data() else {
                throw PictureFileError.unreadable("'\(file.lastPathComponent)' cannot be read")
            }
            if data.count == limit, let more = try? handle.read(upToCount: 1), !more.isEmpty {
                throw Self.tooLarge(limit)
            }
            return data
        }
    }

    private static func tooLarge(_ limit: Int) -> PictureFileError {
        PictureFileError(
            .unreadable, "the picture has more than \(limit) bytes", hint: "allow more by the limit of bytes")
    }
}
