import CoreData

/// What one code of `NSCocoaErrorDomain` means, what it comes of, and what cures it.
///
/// `Docs/Errors.md` is written from these, and `coredata help CODE` prints them.
package struct ErrorEntry: Sendable {
    package let code: Int
    /// The constant of the code; nil for a number that has none.
    package let name: String?
    /// What the code says, in a sentence.
    package let meaning: String
    package let causes: [String]
    package let cures: [String]

    init(_ code: Int, name: String?, meaning: String, causes: [String], cures: [String]) {
        (self.code, self.name, self.meaning) = (code, name, meaning)
        (self.causes, self.cures) = (causes, cures)
    }

    /// The entry of an error; nil for one of another domain, or of a code that has none.
    package static func of(_ error: any Error) -> ErrorEntry? {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain ? ErrorCatalog.entry(error.code) : nil
    }

    /// How a message names the entry: `[134100]`.
    package var reference: String { "[\(code)]" }
}

extension ErrorEntry {
    /// What a terminal shows, without the marks of the page: a paragraph for the meaning, one for each cause and cure.
    package var paragraphs: [String] {
        let title = [String(code), name].compactMap(\.self).joined(separator: " ") + ": " + meaning
        return ([title] + causes.map { "Cause: \($0)" } + cures.map { "Cure: \($0)" }).map(Self.plain)
    }

    /// Code in single quotes, and of links their words alone.
    private static func plain(_ text: String) -> String {
        text.replacing(/\[([^\]]+)\]\([^)]+\)/) { $0.output.1 }.replacing("`", with: "'").replacing("*", with: "")
    }
}
