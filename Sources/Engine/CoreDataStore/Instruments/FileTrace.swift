import CoreDataModeling
import Synchronization

/// A recording that is written to a file, which other processes may read during the recording.
final class FileTrace: TraceSink {
    private let handle: FileHandle

    /// Creates the file, readable by its owner only; replaces an existing file.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` if no file can be created at the URL.
    init(at url: URL) throws {
        let fresh = url.appendingPathExtension("new-\(getpid())")
        guard FileManager.default.createFile(atPath: fresh.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteUnknown.rawValue, "The trace '\(url.path)' cannot be made.",
                hint: "See that its folder is there and can be written.", userInfo: [NSFilePathErrorKey: url.path])
        }
        do {
            handle = try FileHandle(forWritingTo: fresh)
            guard rename(fresh.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: fresh)
            throw CoreDataError.make(
                CocoaError.Code.fileWriteUnknown.rawValue, "The trace '\(url.path)' cannot be written.",
                hint: "See that nothing else than a file has its name.", underlying: error,
                userInfo: [NSFilePathErrorKey: url.path])
        }
    }

    func write(_ bytes: [UInt8]) -> Bool {
        do {
            try handle.write(contentsOf: Data(bytes))
            return true
        } catch {
            CoreDataLogging.report(.warning, "the trace cannot be written any more: \(error.localizedDescription)")
            return false
        }
    }

    func close() { try? handle.close() }
}
