import CoreDataModeling

/// Why an edit of a model's source was refused; the source is then as it was.
package struct ModelEditError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        /// The words are not an edit.
        case malformedEdit
        /// The model has no such item.
        case unknownItem
        /// An item of this name is there already.
        case nameTaken
        /// The item, by its kind or type, has no such option, or cannot be done this to.
        case notApplicable
        /// The value has not the form of the option, or contradicts others.
        case invalidValue
        /// Others name the item.
        case inUse
        /// The source would not be a model any more, or is none already.
        case unreadableModel
        /// The file is not what it was when it was read.
        case changedMeanwhile
        /// The file is not inside the package, or is of a form that is not edited.
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
