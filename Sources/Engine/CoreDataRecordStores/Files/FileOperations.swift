import CoreDataStore

/// Option: the `FileOperations` that a store of one file is read and written with; for tests.
package let RecordFileOperationsOption = "CoreDataRecordFileOperations"

/// The calls of the system by which stores of one file are read and written, so that a test can let any of them fail.
package struct FileOperations: Sendable {
    /// What a call is for.
    package enum Step: String, Sendable {
        case open, read, status, lock, create, mode, write, synchronize, publish, synchronizeFolder
    }

    /// The number of the error that a call is to fail with; nil for one that is to be made.
    package var failure: @Sendable (Step) -> Int32?

    package init(failure: @escaping @Sendable (Step) -> Int32? = { _ in nil }) { self.failure = failure }

    /// Makes a call, which gives a number below zero where it fails.
    ///
    /// - Throws: a `FileFailure` with what the system said.
    @discardableResult
    func call(_ step: Step, path: String, body: () -> Int) throws -> Int {
        if let code = failure(step) { throw FileFailure(step: step, path: path, code: code) }
        while true {
            let result = body()
            guard result < 0 else { return result }
            guard errno == EINTR else { throw FileFailure(step: step, path: path, code: errno) }
        }
    }
}

/// A call of the system that failed.
struct FileFailure: Error {
    let step: FileOperations.Step
    let path: String
    let code: Int32

    var text: String { String(cString: strerror(code)) }

    /// The error that a program gets.
    func cocoaError(_ action: String, _ url: URL) -> NSError {
        let isReading = [.open, .read, .status, .lock].contains(step)
        let (number, hint) =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: (NSFileWriteOutOfSpaceError, "Make room, then try again.")
            case EACCES, EPERM, EROFS:
                (
                    isReading ? NSPersistentStoreOpenError : NSFileWriteNoPermissionError,
                    "Look at the permissions of the file and its folder."
                )
            default:
                (
                    isReading ? NSPersistentStoreOpenError : NSFileWriteUnknownError,
                    "Look at the file and its folder, then try again."
                )
            }
        return CoreDataError.make(
            number, "The store '\(url.path)' cannot \(action): \(text).", reason: text, hint: hint,
            underlying: NSError(
                domain: NSPOSIXErrorDomain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: text]),
            userInfo: [NSFilePathErrorKey: url.path])
    }
}
