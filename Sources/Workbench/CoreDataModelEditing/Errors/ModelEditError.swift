import CoreDataModeling

/// Why an edit of a model's source was refused; the source is then as it was.
package struct ModelEditError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        /// The words are not an edit.
        case malformedEdit
        /// The model lacks the item.
        case unknownItem
        /// An item of this name exists already.
        case nameTaken
        /// The item's kind or type does not have the option, or does not support the edit.
        case notApplicable
        /// The value is invalid for the option, or contradicts others.
        case invalidValue
        /// Others name the item.
        case inUse
        /// The source would no longer be a model, or is not one already.
        case unreadableModel
        /// The file was changed since it was read.
        case changedMeanwhile
        /// The file is outside of the package, is not a source in XML, or lacks the version that was asked for.
        case unsupportedFile
    }

    package var code: Code
    /// The item or the file.
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
