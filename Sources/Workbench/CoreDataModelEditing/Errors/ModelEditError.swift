import CoreDataModeling

/// The reason why an edit of a model source was refused; the source is then unchanged.
package struct ModelEditError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        /// The text is not a valid edit.
        case malformedEdit
        /// The model lacks the item.
        case unknownItem
        /// An item of this name exists already.
        case nameTaken
        /// The item's kind or type does not have the option, or does not support the edit.
        case notApplicable
        /// The value is invalid for the option, or contradicts others.
        case invalidValue
        /// Other items require the item that is to be removed.
        case inUse
        /// The source cannot be read as a model after the edit; perhaps it could not be read before either.
        case unreadableModel
        /// Another program has changed or removed the file since it was read.
        case changedMeanwhile
        /// The file is outside of the package, is not a source in XML, or lacks the version that was asked for.
        case unsupportedFile
    }

    package var code: Code
    /// The item, the words or the file that the error is about.
    package var subject: String
    package var cause: String
    package var hint: String?

    package init(_ code: Code, subject: String, cause: String, hint: String? = nil) {
        self.code = code
        self.subject = subject
        self.cause = cause
        self.hint = hint
    }
}

extension ModelEditError: CustomStringConvertible {
    /// `subject: cause (hint)`.
    package var description: String {
        hint.map { "\(subject): \(cause) (\($0))" } ?? "\(subject): \(cause)"
    }
}
