import CoreData

/// Why a question about a store or a model has no answer, in one line.
package struct InspectionError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        /// A file is missing, is no store or model, or cannot be read.
        case unreadable
        /// The store keeps no model, and none was given.
        case noModel
        /// A model breaks rules that models are checked against.
        case brokenRules
        /// The model is not the one that the store was made with.
        case modelMismatch
        /// The model has no such entity.
        case unknownEntity
        /// The entity has no such property, or the path cannot be followed.
        case unknownKey
        /// A predicate does not parse, or asks for what cannot be asked.
        case badPredicate
        /// A statement of SQL is none, or may not be carried out.
        case badSQL
        /// A text is not a value of its attribute's type, or the model forbids the value.
        case badValue
        /// There is no such object in the store.
        case noObject
        /// The store cannot be written.
        case readOnly
        /// The store keeps no persistent history, or not the transaction that is asked for.
        case noHistory
    }

    package var code: Code
    /// What the error is about: a path, a key, a URI.
    package var subject: String
    package var cause: String
    package var hint: String?
    /// How the message names the entry of the error that it comes of: `[134080]`.
    package var reference: String?
    /// Lines to show below the message, such as a text with a caret under the wrong character.
    package var excerpt: String?
    /// The lines of a log about the errors that it is made of, where these are several.
    package var log: [String]

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
