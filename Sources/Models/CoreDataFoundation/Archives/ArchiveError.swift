/// Why a property list or a keyed archive was refused, or a value could not be put into one.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// A stated limit is exceeded.
        case limitExceeded
        /// The bytes violate the format.
        case malformed
        /// The form of the bytes is not supported, or a value cannot be written.
        case unsupportedForm
        /// An archive contains an unexpected class.
        case unexpectedClass
        /// An archive or a property list contains itself.
        case cycle
    }

    package let code: Code
    package let cause: String
    package let hint: String?

    package init(_ code: Code, _ cause: String, hint: String? = nil) {
        self.code = code
        self.cause = cause
        self.hint = hint
    }

    /// The text for messages and logs.
    package var description: String { hint.map { "\(cause) (\($0))" } ?? cause }

    /// The error in Foundation's form: the Cocoa error domain, with the reason in its user info.
    package func asNSError(_ code: CocoaError.Code) -> NSError {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "The archive could not be \(code == .coderReadCorrupt ? "read" : "written").",
            NSLocalizedFailureReasonErrorKey: cause,
        ]
        info[NSLocalizedRecoverySuggestionErrorKey] = hint
        return NSError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: info)
    }
}
