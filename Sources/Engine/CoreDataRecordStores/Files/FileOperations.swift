import CoreDataStore

/// Option: the `FileOperations` with which a single-file store accesses its file; for tests.
package let RecordFileOperationsOption = "CoreDataRecordFileOperations"

/// Makes the system calls with which single-file stores read and write, so that a test can make any of them fail.
package struct FileOperations: Sendable {
    /// The purpose of a system call.
    package enum Step: String, Sendable {
        case open, read, status, lock, create, mode, write, synchronize, publish, synchronizeFolder
    }

    /// Returns the error number with which a call must fail, or nil to make the call.
    package var failure: @Sendable (Step) -> Int32?

    package init(failure: @escaping @Sendable (Step) -> Int32? = { _ in nil }) { self.failure = failure }

    /// Makes a system call; `body` returns a negative number if the call failed. Repeats calls that a signal
    /// interrupted.
    ///
    /// - Throws: a `FileFailure` with the error number of the call.
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

/// A failed system call.
struct FileFailure: Error {
    let step: FileOperations.Step
    let path: String
    let code: Int32

    var text: String { String(cString: strerror(code)) }

    /// The error that the program receives.
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
