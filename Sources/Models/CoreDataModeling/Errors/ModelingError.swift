import CoreDataFoundation

/// Why a model, an archive or a property list was refused.
///
/// At the public API it becomes an `NSError` (`asNSError`).
package struct ModelingError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        /// The file is missing or cannot be read.
        case unreadable
        /// The file cannot be written.
        case unwritable
        /// A limit on sizes or counts is exceeded.
        case limitExceeded
        /// The bytes violate the format.
        case malformed
        /// The bytes have an unsupported form, such as a property list in XML, or a value cannot be written.
        case unsupportedForm
        /// The XML has a document type declaration, an entity declaration or another encoding than UTF-8.
        case forbiddenConstruct
        /// An archive contains an object of an unexpected class.
        case unexpectedClass
        /// An archive or a property list contains itself.
        case cycle
        /// The model contradicts itself or the rules of models.
        case invalidModel
    }

    package var code: Code
    package var cause: String
    /// The path of the file.
    package var path: String?
    /// The line in the file, from 1.
    package var line: Int?
    /// The position in the line in bytes, from 1.
    package var column: Int?
    package var hint: String?

    package init(_ code: Code, _ cause: String, line: Int? = nil, hint: String? = nil) {
        self.code = code
        self.cause = cause
        self.line = line
        self.hint = hint
    }

    package init(_ code: Code, _ cause: String, at place: SourcePlace, hint: String? = nil) {
        self.init(code, cause, line: place.line, hint: hint)
        column = place.column
    }

    /// Makes the error for a refused archive.
    init(_ error: ArchiveError) {
        let code: Code =
            switch error.code {
            case .limitExceeded: .limitExceeded
            case .malformed: .malformed
            case .unsupportedForm: .unsupportedForm
            case .unexpectedClass: .unexpectedClass
            case .cycle: .cycle
            }
        self.init(code, error.cause, hint: error.hint)
    }

    /// Runs a closure and rethrows an `ArchiveError` as a `ModelingError`.
    static func ofArchive<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as ArchiveError { throw ModelingError(error) }
    }

    package func at(path: String) -> ModelingError {
        var error = self
        error.path = error.path ?? path
        return error
    }
}

extension ModelingError: CustomStringConvertible {
    /// `path:line:column: cause (hint)`.
    package var description: String {
        let place = [path, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
        let text = place.isEmpty ? cause : "\(place): \(cause)"
        return hint.map { "\(text) (\($0))" } ?? text
    }

    /// The error as an `NSError` of the Cocoa error domain, with the file, the reason and the hint in its user info.
    package var asNSError: NSError { asNSError(of: "model") }

    /// The error as an `NSError` for reading or writing the given subject.
    package func asNSError(of subject: String) -> NSError {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "The \(subject) could not be \(code == .unwritable ? "written" : "read").",
            NSLocalizedFailureReasonErrorKey: description,
        ]
        info[NSLocalizedRecoverySuggestionErrorKey] = hint
        info["NSFilePath"] = path
        info["NSLineNumber"] = line
        return NSError(domain: NSCocoaErrorDomain, code: cocoaCode, userInfo: info)
    }

    private var cocoaCode: Int {
        switch code {
        case .unreadable: CocoaError.Code.fileReadNoSuchFile.rawValue
        case .unwritable: CocoaError.Code.fileWriteUnknown.rawValue
        case .limitExceeded: CocoaError.Code.fileReadTooLarge.rawValue
        case .invalidModel: 134060
        default: CocoaError.Code.fileReadCorruptFile.rawValue
        }
    }
}
