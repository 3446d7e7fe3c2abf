import CoreData

/// The meaning of one error code of `NSCocoaErrorDomain`, its causes, and what helps.
///
/// `Docs/Errors.md` is generated from these entries, and `coredata help CODE` prints them.
package struct ErrorEntry: Sendable {
    package let code: Int
    /// The constant of the code; nil for a number without one.
    package let name: String?
    /// The meaning of the code, in a sentence.
    package let meaning: String
    package let causes: [String]
    package let cures: [String]

    init(_ code: Int, name: String?, meaning: String, causes: [String], cures: [String]) {
        (self.code, self.name, self.meaning) = (code, name, meaning)
        (self.causes, self.cures) = (causes, cures)
    }

    /// The entry of an error; nil for one of another domain, or for a code without an entry.
    package static func of(_ error: any Error) -> ErrorEntry? {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain ? ErrorCatalog.entry(error.code) : nil
    }

    /// The reference to the entry in messages, such as `[134100]`.
    package var reference: String { "[\(code)]" }
}

extension ErrorEntry {
    /// The entry as plain text for a terminal: a paragraph for the meaning, and one for each cause and cure.
    package var paragraphs: [String] {
        let title = [String(code), name].compactMap(\.self).joined(separator: " ") + ": " + meaning
        return ([title] + causes.map { "Cause: \($0)" } + cures.map { "Cure: \($0)" }).map(Self.plain)
    }

    /// Removes the markup: code is put in single quotes, and links are replaced by their text.
    private static func plain(_ text: String) -> String {
        text.replacing(/\[([^\]]+)\]\([^)]+\)/) { $0.output.1 }.replacing("`", with: "'").replacing("*", with: "")
    }
}
