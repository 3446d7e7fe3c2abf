import CoreDataSQL

/// Why a large value cannot be read or written.
package struct ExternalDataError: LocalizedError, CustomStringConvertible {
    package let reason: String
    /// The system's error number (`errno`); 0 if no system call failed.
    var code: Int32 = 0

    package var description: String { "A large value kept in a file beside the store cannot be used: \(reason)." }

    package var errorDescription: String? { description }

    /// Makes the error of a large value whose file beside the store could not be written.
    func cocoaError(writingBeside url: URL) -> NSError {
        let (cocoaCode, hint) =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: (NSFileWriteOutOfSpaceError, "Make room, then try again.")
            case EACCES, EPERM, EROFS:
                (NSFileWriteNoPermissionError, "Look at the permissions of the store's folder and what is in it.")
            default: (NSFileWriteUnknownError, "Look at the folder of large values beside the store.")
            }
        let text = code == 0 ? nil : String(cString: strerror(code))
        return CoreDataError.make(
            cocoaCode,
            "The store '\(url.path)' cannot be saved: a large value cannot be kept beside it, as \(reason)"
                + (text.map { " (\($0))." } ?? "."),
            reason: reason, hint: hint,
            underlying: text.map {
                NSError(
                    domain: NSPOSIXErrorDomain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: $0])
            }, userInfo: [NSFilePathErrorKey: url.path])
    }
}
