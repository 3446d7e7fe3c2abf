import CoreDataSQL
import SQLiteKit

/// The files beside a store that hold its large values.
///
/// A value of an attribute that allows it begins with a byte: 1 before the value itself, 2 before the name of a file,
/// a UUID of 36 characters with a zero behind it. Files: `.<Store>_SUPPORT/_EXTERNAL_DATA/<UUID>` beside the store.
/// Source: found in stores that Apple's framework wrote, and in programs that read them.
final class ExternalData {
    /// Values above this size, in bytes, go to a file.
    static let threshold = 100 * 1024
    /// No larger file is read.
    static let greatestSize = 1 << 30

    private let folder: URL

    init(store: URL) {
        let name = store.deletingPathExtension().lastPathComponent
        folder = store.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT").appendingPathComponent("_EXTERNAL_DATA")
    }

    func value(stored bytes: UnsafeRawBufferPointer) throws -> Data {
        switch bytes.first {
        case nil: return Data()
        case 1: return Data(bytes.dropFirst())
        case 2: return try read(name: String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self))
        default: throw ExternalDataError(reason: "it begins with neither of the two known bytes")
        }
    }

    func storedForm(of data: Data) throws -> Data {
        guard data.count > Self.threshold else { return Data([1]) + data }
        let name = UUID().uuidString
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appendingPathComponent(name), options: .atomic)
        return Data([2]) + Data(name.utf8) + Data([0])
    }

    /// Reads a file of the folder; the name comes from the store, so only a UUID is taken for one, and no link followed.
    private func read(name: String) throws -> Data {
        guard name.utf8.count == 36, UUID(uuidString: name) != nil else {
            throw ExternalDataError(reason: "its file is not named by a UUID")
        }
        return try RegularFile.read(folder.appendingPathComponent(name).path, limit: Self.greatestSize)
    }
}

/// Why a large value cannot be read.
struct ExternalDataError: Error, CustomStringConvertible {
    let reason: String

    var description: String { "A large value cannot be read: \(reason)." }
}

extension StoreFile: LargeValueKeeping {
    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { try external.value(stored: stored) }

    package func storedForm(ofLargeValue data: Data) throws -> Data { try external.storedForm(of: data) }
}
