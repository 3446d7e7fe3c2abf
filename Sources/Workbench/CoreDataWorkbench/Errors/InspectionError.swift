import CoreData

/// Why a query of a store or a model cannot be answered, in one line.
package struct InspectionError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        /// A file is missing, is not a store or model, or cannot be read.
        case unreadable
        /// The store's metadata contains no model, and none was given.
        case noModel
        /// A model breaks rules that models are checked against.
        case brokenRules
        /// The model is not the one that the store was made with.
        case modelMismatch
        /// The model does not have such an entity.
        case unknownEntity
        /// The entity does not have such a property, or the path cannot be followed.
        case unknownKey
        /// A predicate does not parse, or cannot be evaluated.
        case badPredicate
        /// An SQL statement is invalid, or not allowed.
        case badSQL
        /// A text is not a value of its attribute's type, or the model forbids the value.
        case badValue
        /// The store does not contain such an object.
        case noObject
        /// The store cannot be written.
        case readOnly
        /// The store does not record persistent history, or does not have the requested transaction.
        case noHistory
    }

    package var code: Code
    /// What the error is about: a path, a key, a URI.
    package var subject: String
    package var cause: String
    package var hint: String?
    /// The reference to the catalog entry of the underlying error, such as `[134080]`.
    package var reference: String?
    /// Lines to show below the message, such as a text with a caret under the wrong character.
    package var excerpt: String?
    /// The log lines about the single errors, if the error combines several.
    package var log: [String]
    /// The seconds after which a server asks to be asked again.
    package var retryAfter: TimeInterval?

    package init(
        _ code: Code, subject: String, cause: String, hint: String? = nil, reference: String? = nil,
        excerpt: String? = nil, log: [String] = []
    ) {
        self.code = code
        self.subject = subject
        self.cause = cause
        self.hint = hint
        self.reference = reference
        self.excerpt = excerpt
        self.log = log
    }
}

extension InspectionError: CustomStringConvertible {
    /// `subject: cause (hint) [code]` in one line, with control characters escaped.
    package var description: String {
        let text = hint.map { "\(subject): \(cause) (\($0))" } ?? "\(subject): \(cause)"
        return PrintableText.escaped(reference.map { "\(text) \($0)" } ?? text)
    }
}
